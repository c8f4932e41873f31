"""Print what the build needs: the build-system requirements, and CMake and ninja themselves.

pip fetches these on its own for an isolated build. The Makefile builds without isolation, so
that a second build is incremental, and therefore installs them into .venv first.
"""

import tomllib
from pathlib import Path

pyproject = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
print("\n".join([*pyproject["build-system"]["requires"], "cmake", "ninja"]))
