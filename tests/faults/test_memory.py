"""Memory that fits leave behind; ``python -m benchmarks.memory growth`` counts 10 000 of each.

Native blocks are counted one by one in test_allocations.py. Here is the rest of a process.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

import pytest

from tests.faults.fits import MODELS

FITS = 40


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="counts bytes with glibc's mallinfo2")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer has replaced the allocator")
def test_fits_leave_nothing_behind() -> None:
    script = (
        "import json\nfrom benchmarks.memory import growth\n"
        "from tests.faults.fits import MODELS\n"
        f"print(json.dumps({{name: growth(name, {FITS}) for name in MODELS}}))"
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "BANDITCD_NUM_THREADS": "1"}
    environment.pop("PYTHONMALLOC", None)  # Python's own allocator counts its objects
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    left = json.loads(done.stdout)
    assert left.keys() == MODELS.keys()
    assert max(max(pair) for pair in left.values()) <= 0, left  # not one object, not one byte
