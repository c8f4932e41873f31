"""Lines of code by room, of the working tree and of a commit."""

import shutil
import subprocess
from pathlib import Path, PurePath

import pytest

count_lines = pytest.importorskip("tools.count_lines", reason="needs the lint extra")

FILES = {
    "src/banditcd/__init__.py": '"""Docstring."""\n\nx = 1\n',
    "src/banditcd/engine/deep/a.py": "# comment\ny = 1\nz = 2\n",
    "src/banditcd/_core.pyi": "x: int\n" * 100,
    "native/svm/a.hpp": "// comment\nint a;\n\nint b; int c;\n",
    "native/svm/notes.txt": "text\n",
    "tests/a.py": "x = 1\n",
}
ROOMS = {"src/banditcd": 1, "src/banditcd/engine": 2, "native/svm": 2}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_the_stub_other_languages_and_other_folders_do_not_count(tree: Path) -> None:
    assert count_lines.count(count_lines.sources_here(tree)) == ROOMS


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_commit_is_counted_whatever_the_working_tree_holds(tree: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *who, *arguments], cwd=tree, check=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "all")
    (tree / "native/svm/a.hpp").write_text("int a;\n", "utf-8")
    assert count_lines.count(count_lines.sources_at(tree, "HEAD")) == ROOMS
    assert count_lines.count(count_lines.sources_here(tree))["native/svm"] == 1
    with pytest.raises(SystemExit, match="git cannot read nowhere"):
        list(count_lines.sources_at(tree, "nowhere"))


def test_rooms_are_folders_of_native_and_of_the_package() -> None:
    assert count_lines.room(PurePath("native/engine/selectors/bins.cpp")) == "native/engine"
    assert count_lines.room(PurePath("src/banditcd/data/sets/a.py")) == "src/banditcd/data"
    assert count_lines.room(PurePath("src/banditcd/__main__.py")) == "src/banditcd"


def test_the_table_has_sums_and_for_two_columns_a_difference() -> None:
    counter = count_lines.Counter
    before = counter({"src/banditcd/data": 5, "native/record": 7})
    after = counter({"src/banditcd/data": 6, "native/columns": 1})
    rows = [
        line.rsplit(maxsplit=3)
        for line in count_lines.table({"a": before, "b": after}).splitlines()
    ]
    assert rows == [
        ["lines of code", "a", "b", "change"],
        ["native/columns", "0", "1", "1"],
        ["native/record", "7", "0", "-7"],
        ["src/banditcd/data", "5", "6", "1"],
        ["Python", "5", "6", "1"],
        ["C++", "7", "1", "-6"],
        ["total", "12", "7", "-5"],
    ]
    assert count_lines.table({"a": before}).splitlines()[-1].split() == ["total", "12"]


def test_patterns_of_features_hold_new_files_only() -> None:
    features = pytest.importorskip("tools.features")
    every = [pattern for patterns in features.FEATURES.values() for pattern in patterns]
    new = [PurePath(pattern.replace("*", "x")) for pattern in every]
    assert features.mistakes(new, []) == []
    old = PurePath("src/banditcd/selectors/focus.py")
    assert features.feature_of(old) == "rules that learn"
    assert features.mistakes(new, [old]) == [f"{old} holds {old}, which is not new"]
    assert features.mistakes(set(new) - {old}, []) == [f"{old} holds no new file"]
    assert features.feature_of(PurePath("src/banditcd/selectors/bins.py")) is None


def test_lines_of_features_are_counted_apart() -> None:
    features = pytest.importorskip("tools.features")
    old = [(PurePath("native/svm/a.cpp"), "int shared_name;\n")]
    new = [
        (PurePath("native/groups/inner.cpp"), "void group_step() {}\nvoid shared_name() {}\n"),
        (PurePath("native/svm/a.cpp"), "void f() {\n  group_step();\n  shared_name();\n}\n"),
        (PurePath("src/banditcd/a.py"), "def _softmax():\n    return 1\n\n\nx = 2\n"),
    ]
    names = features.names_of_features(new, old)
    assert names == {"group_step"}
    rooms, apart = count_lines.split(new, names)
    assert rooms == {"native/svm": 3, "src/banditcd": 1}
    assert apart == {
        "groups of columns and several responses": 2,
        "in files that were there before": 3,
    }
    assert features.words_in_use(old) == []
    assert features.words_in_use(new) == ["softmax"]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_file_under_a_new_name_is_not_a_feature(tree: Path, monkeypatch) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run(["git", *who, *arguments], cwd=tree, check=True)
    (tree / "native/svm/b.hpp").write_text("int new_one;\n", "utf-8")
    subprocess.run(["git", "mv", "native/svm/a.hpp", "native/svm/c.hpp"], cwd=tree, check=True)
    subprocess.run(["git", "add", "."], cwd=tree, check=True)
    monkeypatch.setattr("tools.features.FEATURES", {"b": ("native/svm/b.hpp",)})
    count_lines.check_features(tree, "HEAD")
    monkeypatch.setattr("tools.features.FEATURES", {"c": ("native/svm/c.hpp",)})
    with pytest.raises(SystemExit, match=r"c.hpp, which is not new"):
        count_lines.check_features(tree, "HEAD")
