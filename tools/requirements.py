"""Print what the build needs, CMake and ninja themselves among it; with extras, what these need.

pip fetches the first on its own for an isolated build. The Makefile builds without isolation, so
that a second build is incremental, and therefore installs them into .venv first. The extras are
named by arguments, and printed with the dependencies of the package and without the package: the
Makefile fetches them while it is compiled.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def needed_by(project: dict[str, Any], extras: list[str]) -> list[str]:
    """Return the requirements of a project with extras, in place of its own name theirs."""
    found = []
    for line in (r for extra in extras for r in project["optional-dependencies"][extra]):
        if line.startswith(f"{project['name']}["):
            found += needed_by(project, line.partition("[")[2].removesuffix("]").split(","))
        else:
            found.append(line)
    return list(dict.fromkeys([*project["dependencies"], *found]))


def main(extras: list[str]) -> None:
    """Print the requirements, one on each line."""
    described = tomllib.loads(PYPROJECT.read_text("utf-8"))
    tools = [*described["build-system"]["requires"], "cmake", "ninja"]
    print("\n".join(needed_by(described["project"], extras) if extras else tools))


if __name__ == "__main__":
    main(sys.argv[1:])
