"""The documents are true: their examples run, their links and make targets exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def python_blocks(text: str) -> list[tuple[int, str]]:
    """Return (line number of its first line, source) of every ```python block of a document."""
    blocks = re.finditer(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, block.start(1)) + 1, block.group(1)) for block in blocks]


def run_as_one_session(document: Path) -> None:
    """Execute the python blocks in order and in one namespace; errors name the document's line."""
    namespace: dict[str, object] = {"__name__": document.stem}
    for line, source in python_blocks(document.read_text("utf-8")):
        exec(compile("\n" * (line - 1) + source, str(document), "exec"), namespace)


def test_extraction_finds_python_blocks_only_and_their_lines() -> None:
    text = "a\n```sh\nmake\n```\n```python\nx = 1\n\ny = 2\n```\nb\n```python\nz = 3\n```\n"
    assert python_blocks(text) == [(6, "x = 1\n\ny = 2\n"), (12, "z = 3\n")]


def test_blocks_share_a_namespace_and_errors_name_the_line(tmp_path: Path) -> None:
    document = tmp_path / "session.md"
    document.write_text("```python\nx = 1\n```\n\n```python\nassert x == 2\n```\n", "utf-8")
    with pytest.raises(AssertionError) as caught:
        run_as_one_session(document)
    assert caught.traceback[-1].lineno + 1 == 6


def test_the_readme_has_an_example() -> None:
    assert python_blocks((ROOT / "README.md").read_text("utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_run(
    document: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In a folder of their own: some write files."""
    monkeypatch.chdir(tmp_path)
    run_as_one_session(document)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text("utf-8"))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS[:2], ids=lambda path: path.name)
def test_make_targets_exist(document: Path) -> None:
    rules = re.findall(r"^([a-z -]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    targets = {target for rule in rules for target in rule.split()}
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", document.read_text("utf-8"), re.MULTILINE))
    assert named, f"{document.name} names no make target"
    assert named <= targets
