"""Threads of one solve: how many its passes and products use."""

from __future__ import annotations

import os

from banditcd.solvers.lapack import controller

#: Entries of X times columns below which no product by columns is ever shared among threads,
#: entries below which no pass by rows is, and multiplications of a Gram matrix by BLAS.
SHARED_WORK, SHARED_ENTRIES, SHARED_PRODUCTS = 1 << 25, 2_500_000, 1 << 27
#: Threads used by default, at most: passes are bound by memory, which few cores saturate.
MOST_THREADS = 4


def default_threads() -> int:
    """Return the number of threads that the environment or threadpoolctl allows, at most four.

    ``BANDITCD_NUM_THREADS``, or else ``OMP_NUM_THREADS``, which joblib sets for its processes,
    says it; else the cores this process may use, within the limits that threadpoolctl has set.
    """
    for name in ("BANDITCD_NUM_THREADS", "OMP_NUM_THREADS"):
        value = os.environ.get(name, "").split(",")[0].strip()
        if value.isdigit() and int(value) > 0:
            return int(value)
    available = getattr(os, "sched_getaffinity", None)
    cores = len(available(0)) if available is not None else os.cpu_count() or 1
    allowed: list[int] = [library.num_threads for library in controller().lib_controllers]
    return min(cores, MOST_THREADS, *allowed)
