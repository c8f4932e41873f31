"""The thread pool under the thread sanitizer; `make tsan` does the same for whole fits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadlines import HUNG

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "native"
# die_after_fork=0: a child of fork starts threads of its own.
OPTIONS = "exitcode=66:die_after_fork=0"


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer is loaded already")
@pytest.mark.skipif(sys.platform != "linux", reason="the layout of memory is fixed by setarch")
def test_the_thread_pool_has_no_race(tmp_path: Path) -> None:
    compiler, fixed = shutil.which("c++"), shutil.which("setarch")
    if compiler is None or fixed is None:
        pytest.skip("needs a C++ compiler, and setarch")
    program = tmp_path / "thread_pool"
    flags = ["-std=c++17", "-O1", "-g1", "-fsanitize=thread", "-pthread", f"-I{NATIVE}"]
    sources = [HERE / "thread_pool.cpp", NATIVE / "kernels/threads.cpp"]
    built = subprocess.run(
        [compiler, *flags, *sources, "-o", program], capture_output=True, text=True, check=False
    )
    if "tsan" in built.stderr and "find" in built.stderr:
        pytest.skip("the compiler came without the thread sanitizer")
    assert built.returncode == 0, built.stderr
    done = subprocess.run(
        [fixed, "-R", program],
        env={**os.environ, "TSAN_OPTIONS": OPTIONS},
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "no race\n"), done.stderr[-4000:]
