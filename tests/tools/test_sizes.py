"""House limits: what exceeds them is reported where it is, and what does not is not."""

from pathlib import Path, PurePath

import pytest

sizes = pytest.importorskip("tools.sizes", reason="needs the lint extra")


def check(name: str, text: str) -> list[str]:
    return list(sizes.check({PurePath(name): text}))


def python_function(code_lines: int) -> str:
    return "def f():\n" + "    x = 1\n" * (code_lines - 1)


def test_functions_and_main_loops_have_limits_of_their_own() -> None:
    assert check("a.py", python_function(40)) == []
    assert check("a.py", python_function(41)) == [
        "a.py:1: function f has 41 lines of code (limit 40)"
    ]
    marked = "# Main loop: steps.\n"
    assert check("a.py", marked + python_function(60)) == []
    assert check("a.py", marked + python_function(61)) == [
        "a.py:2: main loop f has 61 lines of code (limit 60)"
    ]
    body = "  x = 1;\n" * 39
    assert check("a.cpp", f"\nvoid A::f() {{\n{body}}}\n") == [
        "a.cpp:2: function A::f has 41 lines of code (limit 40)"
    ]


def test_classes_have_at_most_25_methods_and_20_fields() -> None:
    methods = [f"  void f{i}();\n" for i in range(26)]
    fields = [f"  int x{i};\n" for i in range(21)]
    full = "".join([*methods[1:], *fields[1:]])
    assert check("a.hpp", f"struct A {{\n{full}}};\n") == []
    over = "".join([*methods, *fields])
    assert check("a.hpp", f"struct A {{\n{over}}};\n") == [
        "a.hpp:1: class A has 26 methods (limit 25)",
        "a.hpp:1: class A has 21 fields (limit 20)",
    ]


def estimator(bases: str) -> str:
    """Return a class with 41 parameters, 41 fitted attributes and one other field."""
    names = [f"p{i}" for i in range(41)]
    lines = [
        f"class Model({bases}):",
        f"    def __init__(self, {', '.join(names)}):",
        *(f"        self.{name} = {name}" for name in names),
        "    def fit(self):",
        "        self.other = 1",
        f"        {', '.join(f'self.{name}_' for name in names)} = range(41)",
    ]
    return "\n".join(lines)


def test_parameters_and_fitted_attributes_of_estimators_are_no_fields() -> None:
    shared = "class Shared(Mixin, sklearn.base.BaseEstimator): ...\nclass Mixin: ...\n"
    assert check("a.py", shared + estimator("Shared")) == []
    assert check("a.py", "class Real(Model, BaseEstimator): ...\n" + estimator("Mixin")) == []
    assert check("a.py", shared + estimator("Unrelated")) == [
        "a.py:3: class Model has 83 fields (limit 20)",
        "a.py:4: function Model.__init__ has 42 lines of code (limit 40)",
    ]


def test_files_have_at_most_300_lines_and_the_stub_200_characters_per_line() -> None:
    assert check("a.py", "#\n" * 300) == []
    assert check("a.py", "#\n" * 301) == ["a.py:1: file has 301 lines (limit 300)"]
    stub = f"{'x' * 200}\n{'x' * 201}\n" + "\n" * 400
    assert check("a.pyi", stub) == ["a.pyi:2: line has 201 characters (limit 200)"]


def test_a_declaration_that_the_parser_does_not_understand_is_reported() -> None:
    (line,) = check("a.hpp", "int A::* = = 3;\n")
    assert line.startswith("a.hpp:1: not understood")


def test_the_command_reads_source_files_and_says_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    monkeypatch.setattr(sizes, "CHECKED", ["src"])
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "good.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "src" / "other.txt").write_text("\n" * 400, "utf-8")
    assert sizes.main(["src"]) == 0
    assert capsys.readouterr().out == "1 files, 0 over the house limits\n"
    (tmp_path / "src" / "bad.py").write_text("\n" * 301, "utf-8")
    assert sizes.main(["src"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "src/bad.py:1: file has 301 lines (limit 300)",
        "2 files, 1 over the house limits",
    ]


def test_the_bases_of_an_estimator_are_looked_up_in_files_that_were_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    monkeypatch.setattr(sizes, "CHECKED", ["model.py", "shared.py"])
    (tmp_path / "model.py").write_text(estimator("Shared"), "utf-8")
    (tmp_path / "shared.py").write_text("class Shared(BaseEstimator): ...\n" + "\n" * 300, "utf-8")
    assert sizes.main(["model.py"]) == 0
    assert sizes.main(["shared.py"]) == 1
