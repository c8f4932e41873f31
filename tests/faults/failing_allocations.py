"""Fits whose native allocations fail, one after the other; run with the shim preloaded.

Arguments: the shim, and the number of failures to spread over the allocations of a fit.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from pathlib import Path

import numpy as np

import banditcd
from banditcd import _core
from tests.faults.fits import MODELS, SPARSE, X, fitted, target


def watch(shim):
    """Tell the shim where in memory the module lies."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    spans = [line.split()[0].split("-") for line in lines if line.endswith(_core.__file__)]
    ends = [int(end, 16) for span in spans for end in span]
    shim.watch(ctypes.c_size_t(min(ends)), ctypes.c_size_t(max(ends)))


def fail_each(shim, name, fit, most):
    """Let allocations of a fit fail; what is left behind, and how a fit ends, must be right."""
    fit()  # imports, caches
    gc.collect()
    shim.arm(0)
    before = shim.live()
    fit()
    count = shim.allocations()
    gc.collect()
    assert shim.live() == before, f"{name} leaks"
    for k in np.unique(np.linspace(1, count, min(most, count)).astype(int)):
        shim.arm(int(k))
        try:
            fit()
        except MemoryError:
            assert shim.failures() == 1
        else:
            # A threaded fit allocates in another order: fewer than before may be needed.
            assert shim.failures() == 0, f"{name}: failure {k} of {count} was swallowed"
        shim.arm(0)
    gc.collect()
    assert shim.live() == before, f"{name}: {shim.live() - before} blocks leaked"
    return count


def plain(name, storage):
    """Return a fit that leaves an unfitted estimator if it fails."""

    def fit():
        model = MODELS[name]()
        try:
            model.fit(SPARSE if storage == "sparse" else X, target(model))
        except MemoryError:
            assert not hasattr(model, "coef_")
            raise

    return fit


def threaded():
    """Return a fit large enough for several threads."""
    rng = np.random.default_rng(41)
    A = np.asfortranarray(rng.standard_normal((2000, 800)))
    y = A[:, :20].sum(axis=1) + rng.standard_normal(2000)
    return lambda: banditcd.Lasso(0.05, tol=1e-8, n_threads=3).fit(A, y)


def main():
    """Run every model on both storages, then a fit in threads."""
    shim, most = ctypes.CDLL(sys.argv[1]), int(sys.argv[2])
    for function in (shim.failures, shim.allocations, shim.live):
        function.restype = ctypes.c_long
    watch(shim)
    total = 0
    for name in MODELS:
        for storage in ("dense", "sparse"):
            fitted(name, storage)
            total += fail_each(shim, f"{name} {storage}", plain(name, storage), most)
    total += fail_each(shim, "threads", threaded(), min(most, 60))
    sys.stdout.write(f"{total} allocations\n")


if __name__ == "__main__":
    main()
