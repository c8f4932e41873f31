"""The files that describe the package agree with each other."""

import ast
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_installed_version_is_that_of_the_tree() -> None:
    assert version("banditcd") == PYPROJECT["project"]["version"]


def test_the_changelog_starts_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_the_oldest_versions_tested_are_the_lower_bounds_promised() -> None:
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    (pins,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OLDEST"
    )
    promised = [bound.split(">=") for bound in PYPROJECT["project"]["dependencies"]]
    assert [pin.split("==") for pin in pins] == [[name, f"{low}.0"] for name, low in promised]


def test_what_the_archive_leaves_out_is_named_from_the_root() -> None:
    """A bare name would also leave out packages of that name, such as banditcd.experiments."""
    left_out = PYPROJECT["tool"]["scikit-build"]["sdist"]["exclude"]
    assert all(pattern.startswith("/") for pattern in left_out)
