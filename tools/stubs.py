"""Write src/banditcd/_core.pyi, the types of the compiled module; with --check, compare it.

The stub is generated from the installed module, so build first (make does).
"""

import difflib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

#: Shapes and orders are checked at run time; a type checker needs the element type alone.
ANNOTATED = re.compile(r"Annotated\[(NDArray(?:\[[\w.]+\])?), dict\([^\[\]]*?\)\]")
#: The submodule of parts is for tests only and has no stub of its own.
PARTS = "from banditcd._core import parts as parts"

IMPORT = "from numpy.typing import NDArray"
STUB = Path(__file__).parents[1] / "src" / "banditcd" / "_core.pyi"


def generate() -> str:
    """Return the stub of the installed banditcd._core."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "_core.pyi"
        command = ["-m", "nanobind.stubgen", "-q", "-m", "banditcd._core", "-o", str(target)]
        subprocess.run([sys.executable, *command], check=True)
        return _shortened(target.read_text("utf-8"))


def _shortened(stub: str) -> str:
    """Return the stub with arrays named by their element type alone."""
    stub = ANNOTATED.sub(r"\1", stub).replace("NDArray[numpy.float64]", "Float64s")
    stub = stub.replace(IMPORT, f"{IMPORT}\n\nFloat64s = NDArray[numpy.float64]", 1)
    stub = stub.replace(PARTS, "parts: ModuleType").replace(
        "import enum\n", "import enum\nfrom types import ModuleType\n"
    )
    return stub.replace("from typing import Annotated, overload", "from typing import overload")


def main(arguments: list[str]) -> int:
    """Write the stub, or report how the committed one differs."""
    fresh = generate()
    if arguments != ["--check"]:
        STUB.write_text(fresh, "utf-8")
        return 0
    committed = STUB.read_text("utf-8") if STUB.exists() else ""
    if committed == fresh:
        print(f"{STUB.name} is current")
        return 0
    lines = committed.splitlines(), fresh.splitlines()
    print("\n".join(difflib.unified_diff(*lines, "committed", "generated", lineterm="")))
    print(f"{STUB.name} is out of date: run `make stubs` and commit it")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
