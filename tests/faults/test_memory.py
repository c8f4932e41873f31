"""Memory that fits leave behind, and their peaks; ``python -m benchmarks.memory`` measures more.

Native blocks are counted one by one in test_allocations.py. Here is the rest of a process.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.fits import MODELS

glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="asks glibc's allocator for its counts"
)
plain_allocator = pytest.mark.skipif(
    "LD_PRELOAD" in os.environ, reason="a sanitizer has replaced the allocator"
)

# Most that a fit may take beyond X of 50 MB and 500 columns, in units of X.
PEAKS: list[tuple[str, str, dict[str, Any], float]] = [
    # the packed columns of a model, a sample of the rows, and 28 vectors of rows at 1.3 %
    ("LogisticRegression l1", "csc", {}, 1.0 + 1 / 8 + 28 * 0.0134),
    # a sample of the rows, matrices of the columns at 4 %, and 5 MB of blocks in float64
    ("LogisticRegression l1", "F float32", {}, 1 / 8 + 8 * 0.04 + 0.1),
    # neither a sample nor a matrix of more than 90 columns
    ("Lasso", "F", {"pool_bytes": 1 << 16}, 0.05),
    # no copy: 16 vectors of rows at 1.3 %, and matrices of the columns at 4 %, by one method
    ("LinearSVR", "csr", {"pool_bytes": 1 << 16, "tol": 1e-3}, 17 * 0.0134 + 3 * 0.04),
    # Newton's method after descent, without the dual variables of that
    ("LinearSVR", "csr", {"pool_bytes": 1 << 16}, 19 * 0.0134 + 3 * 0.04),
    # labels take one row each, not two
    ("LinearSVC", "csr", {"pool_bytes": 1 << 16}, 12 * 0.0134 + 3 * 0.04),
    # no entries by rows, and two snapshots
    ("LogisticRegression l1", "csc", {"pool_bytes": 1 << 16}, 20 * 0.0134 + 2 * 0.04),
    # 7 vectors of rows, and parts of X; before: copies of the entries (2.7 X), for both
    ("Lasso", "csc", {"pool_bytes": 1 << 16, "standardize": True}, 8 * 0.0134 + 0.05),
    # the same, and 2 MB of code that the first run of a selector loads
    ("Lasso selector", "csc", {}, 10 * 0.0134 + 2 * 0.04 + 0.04),
    # the centered copy, parts of X and matrices of the columns; 2.0 X before
    ("Lasso selector", "F", {}, 1.0 + 4 * 0.04),
    # scaled values, in the order of X; before: once more in the other order, and back
    ("LogisticRegression", "C", {"standardize": True}, 1.0 + 4 * 0.04),
    ("LogisticRegression", "csr", {"standardize": True}, 2 / 3 + 1 / 4 + 17 * 0.0134),
    # the training rows of a fold, then its test rows, and the matrices of the columns
    ("RidgeClassifierCV", "C", {}, 2 / 3 + 8 * 0.04),
]


def _of_child(script: str) -> Any:
    """Return what a script prints as JSON in a process of its own, with one thread.

    malloc keeps some freed blocks of each size for a thread, and counts them as allocated, and it
    learns from what is freed up to which size blocks are not given back; both differ from run to
    run. Without these its counts are those of the program.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "BANDITCD_NUM_THREADS": "1"}
    environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=131072"
    environment.pop("PYTHONMALLOC", None)  # Python's own allocator counts its objects
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@glibc
@plain_allocator
@pytest.mark.parametrize("fits", [16, pytest.param(40, marks=pytest.mark.full)])
def test_fits_leave_nothing_behind(fits: int) -> None:
    left = _of_child(
        "import json\nfrom benchmarks.memory import growth\n"
        "from tests.faults.fits import MODELS\n"
        f"print(json.dumps({{name: growth(name, {fits}) for name in MODELS}}))"
    )
    assert left.keys() == MODELS.keys()
    assert max(max(pair) for pair in left.values()) <= 0, left  # not one object, not one byte


@glibc
@plain_allocator
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="peaks are read in /proc")
def test_peaks_stay_within_the_copies_that_are_documented() -> None:
    found = _of_child(
        "import json\nfrom benchmarks.memory import peak\n"
        "from tests.faults.test_memory import PEAKS\n"
        "print(json.dumps([peak(name, storage, 50, **more) for name, storage, more, _ in PEAKS]))"
    )
    above = [
        (*case, peak) for case, peak in zip(PEAKS, found, strict=True) if not 0.0 < peak <= case[-1]
    ]
    assert not above, above
