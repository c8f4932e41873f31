"""What the import-layer check cannot see: how rooms use the package root."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "banditcd"
ROOMS = {path.name for path in PACKAGE.iterdir()} | {path.stem for path in PACKAGE.iterdir()}
SHARED = {"_core", "__version__"}


def names_from_the_root(source: str, depth: int) -> Iterator[str]:
    """Yield what a module ``depth`` packages below the root imports from the root itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name == "banditcd")
        elif isinstance(node, ast.ImportFrom):
            absolute = node.level == 0 and node.module == "banditcd"
            relative = node.level == depth + 1 and node.module is None
            if absolute or relative:
                yield from (name.name for name in node.names)


def test_names_from_the_root_are_found() -> None:
    source = "from banditcd import a\nfrom .. import b\nimport banditcd\nfrom banditcd.x import c\n"
    assert list(names_from_the_root(source, depth=1)) == ["a", "b", "banditcd"]


MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_takes_rooms_and_the_core_from_the_root_and_no_objects(module: Path) -> None:
    # Objects of the root, such as minimize, are re-exports of rooms that may lie above.
    depth = len(module.relative_to(PACKAGE).parents) - 1
    names = set(names_from_the_root(module.read_text("utf-8"), depth))
    assert names <= ROOMS | SHARED
