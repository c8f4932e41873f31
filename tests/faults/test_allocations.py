"""Native allocations that fail: MemoryError, an unfitted estimator, nothing leaked."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def library(name: str) -> str:
    """Return the path of a library of the C++ compiler."""
    command = ["c++", f"-print-file-name={name}"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return str(Path(found).resolve())


def run(tmp_path: Path, most: int) -> str:
    """Build the shim and run the failing fits with it; return what they print."""
    if platform.libc_ver()[0] != "glibc" or not shutil.which("c++"):
        pytest.skip("the shim needs glibc and the compiler that built the module")
    if "LD_PRELOAD" in os.environ:
        pytest.skip("a sanitizer has replaced the allocator already")
    shim = tmp_path / "shim.so"
    options = ["-O1", "-fexceptions", "-shared", "-fPIC", "-x", "c"]
    compiler = shutil.which("cc") or "c++"
    subprocess.run(
        [compiler, *options, HERE / "allocation_faults.c", "-o", shim, "-ldl"], check=True
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.faults.failing_allocations", shim, str(most)],
        env={**os.environ, "LD_PRELOAD": f"{shim}:{library('libstdc++.so')}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_allocations_that_fail_end_in_memory_errors(tmp_path: Path) -> None:
    assert "allocations" in run(tmp_path, 6)


@pytest.mark.full
def test_every_allocation_that_fails_ends_in_a_memory_error(tmp_path: Path) -> None:
    assert "allocations" in run(tmp_path, 10**6)
