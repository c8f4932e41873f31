"""The files that describe the package agree with each other."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import requires, version
from pathlib import Path

import banditcd
from tools.requirements import needed_by

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_installed_version_is_that_of_the_tree() -> None:
    assert version("banditcd") == PYPROJECT["project"]["version"]


def test_the_changelog_starts_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_the_oldest_versions_tested_are_the_lower_bounds_promised() -> None:
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    pins = {
        ast.unparse(node.targets[0]): [pin.split("==") for pin in ast.literal_eval(node.value)]
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("OLDEST")
    }
    extras = PYPROJECT["project"]["optional-dependencies"]
    for name, bounds in (
        ("OLDEST", PYPROJECT["project"]["dependencies"]),
        ("OLDEST_EXTRAS", extras["pandas"] + extras["dask"]),
    ):
        promised = [re.sub(r"\[.*?\]", "", bound).split(">=") for bound in bounds]
        full = [[package, low if low.count(".") == 2 else f"{low}.0"] for package, low in promised]
        assert pins[name] == full


def test_what_the_archive_leaves_out_is_named_from_the_root() -> None:
    """A bare name would also leave out packages of that name, such as banditcd.experiments."""
    left_out = PYPROJECT["tool"]["scikit-build"]["sdist"]["exclude"]
    assert all(pattern.startswith("/") for pattern in left_out)


def test_the_recipe_has_the_version_and_the_bounds_of_the_package() -> None:
    recipe = (ROOT / "packaging/conda-forge/recipe.yaml").read_text("utf-8")
    assert re.findall(r'^  version: "(.*)"$', recipe, re.MULTILINE) == [version("banditcd")]
    named = {
        line.replace(" ", "") for line in re.findall(r"^    - (.*>=.*)$", recipe, re.MULTILINE)
    }
    assert {*PYPROJECT["project"]["dependencies"], *PYPROJECT["build-system"]["requires"]} <= named


def test_requirements_of_an_extra_are_those_of_the_extras_it_names() -> None:
    """The Makefile installs them beside the package, which names itself in its extras."""
    found = needed_by(PYPROJECT["project"], ["dev"])
    named = {re.split(r"[\[<>=!;]", line)[0] for line in found}
    extras = PYPROJECT["project"]["optional-dependencies"]
    for part in ("plots", "progress", "download", "pandas", "parquet", "test", "lint", "dev"):
        wanted = {re.split(r"[\[<>=!;]", line)[0] for line in extras[part]}
        assert wanted - {"banditcd"} <= named
    assert "banditcd" not in named
    assert {
        re.split(r"[\[<>=!;]", line)[0] for line in PYPROJECT["project"]["dependencies"]
    } <= named


#: Third-party modules that src may import: our dependencies, those of scikit-learn, our extras.
REQUIRED = {"numpy", "scipy", "sklearn", "joblib", "threadpoolctl"}
EXTRAS = {"matplotlib", "rich", "pooch", "pandas", "pyarrow", "dask", "cupy"}
#: A tensor of torch is taken and given back as it is, so torch is there whenever it is imported.
BROUGHT = {"torch"}


def imported(node: ast.AST) -> list[str]:
    """Return the top-level modules that an import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
        return [node.module.partition(".")[0]]
    return []


def third_party(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the modules of imports that are neither ours nor Python's."""
    known = {*sys.stdlib_module_names, "banditcd", "__future__"}
    return {name for node in nodes for name in imported(node)} - known


def test_imports_are_found() -> None:
    tree = ast.parse("import os, numpy.linalg\nfrom scipy import sparse\nfrom . import a")
    assert third_party(ast.walk(tree)) == {"numpy", "scipy"}


def test_nothing_is_imported_that_is_not_installed_with_us() -> None:
    """joblib and threadpoolctl come with scikit-learn, which requires them itself."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in (ROOT / "src").rglob("*.py")}
    everywhere = set().union(*(third_party(ast.walk(tree)) for tree in trees.values()))
    assert everywhere >= REQUIRED
    assert everywhere <= REQUIRED | EXTRAS | BROUGHT
    of_sklearn = {re.split(r"[^\w-]", need)[0] for need in requires("scikit-learn") or []}
    assert {"joblib", "threadpoolctl"} <= of_sklearn
    declared = {bound.split(">=")[0] for bound in PYPROJECT["project"]["dependencies"]}
    assert declared == {"numpy", "scipy", "scikit-learn"}


def test_extras_are_declared_and_imported_where_they_are_used() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    bounds = {bound for bounds in extras.values() for bound in bounds}
    declared = {re.sub(r"-cuda\d+x$", "", re.split(r"[\[>]", bound)[0]) for bound in bounds}
    assert declared >= EXTRAS
    assert "distributed" in re.split(r"[\[\],]", *extras["dask"])
    for path in (ROOT / "src").rglob("*.py"):
        at_import = third_party(ast.parse(path.read_text("utf-8")).body)
        assert at_import <= REQUIRED, path


def test_versions_for_a_report_name_ours_and_those_we_need(capsys) -> None:
    banditcd.show_versions()
    printed = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    told = {name.strip(): text for name, text in printed.items()}
    assert told["banditcd"] == PYPROJECT["project"]["version"]
    assert told["numpy"] == version("numpy")
    assert told["kernels"] in ("portable", "avx2", "avx512")
