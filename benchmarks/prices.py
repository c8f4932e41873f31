"""What one operation of each kernel costs on this machine: ``python -m benchmarks.prices``.

Prints nanoseconds of processor time on one thread, the least of several repetitions, beside the
price of the kernel in native/kernels/prices.hpp. The solvers choose their way by ratios of prices.
Figures from memory vary with what else the machine does, those of dense passes by columns
most.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.linalg import lapack
from threadpoolctl import threadpool_limits

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import columns_of, rows_of

#: What was measured, the name of its price, and nanoseconds.
Measured = tuple[str, str, float]

PRICES = Path(__file__).parents[1] / "native" / "kernels" / "prices.hpp"
SECONDS, LEAST_ROUNDS = 0.3, 5


def least(work: Callable[[], object]) -> float:
    """Return the least time of one call, in nanoseconds."""
    work()
    times: list[float] = []
    began = time.perf_counter()
    while len(times) < LEAST_ROUNDS or time.perf_counter() - began < SECONDS:
        start = time.thread_time_ns()
        work()
        times.append(time.thread_time_ns() - start)
    return min(times)


def listed() -> dict[str, float]:
    """Return the prices in the header, by name."""
    found = re.findall(r"\b(k\w+) = ([\d.e+-]+)[,;]", PRICES.read_text())
    return {name: float(value) for name, value in found}


def column_passes(rng: np.random.Generator) -> Iterator[Measured]:
    """Yield the passes of a Lasso solve, by its own clock."""
    n, d = 4000, 3000
    dense = np.asfortranarray(rng.standard_normal((n, d)))
    some = sparse.random(4 * n, d, density=0.05, format="csc", random_state=rng)
    for name, constant, X in (("dense", "kDenseEntry", dense), ("sparse", "kSparseEntry", some)):
        y = rng.standard_normal(X.shape[0])
        spent = []
        for _ in range(LEAST_ROUNDS):
            session = _core.ElasticNet(
                columns_of(X), _core.FitData(y, None, None, None, None, False), 1 << 30, 1
            )
            l1 = 0.5 * session.largest_penalty()
            report = session.solve(l1, 0.0, 1e-6, 1000, math.inf, np.empty(d))
            spent.append(1e9 * report.phases[0] / (report.passes * X.size))
        yield f"{name} pass by columns", constant, min(spent)


def row_passes(rng: np.random.Generator) -> Iterator[Measured]:
    """Yield one product with each row, and the fused pass of ridge regression."""
    for place, n, d in (("in cache", 500, 300), ("from memory", 4000, 3000)):
        dense = rng.standard_normal((n, d))
        some = sparse.random(4 * n, d, density=0.05, format="csr", random_state=rng)
        for name, X in (("Dense", dense), ("Sparse", some)):
            rows, w = rows_of(X), rng.standard_normal(d)
            y, out, correlation = rng.standard_normal(X.shape[0]), np.empty(X.shape[0]), np.empty(d)
            data = _core.RidgeData(rows, None, None)
            product = least(partial(rows.times, w, out))
            fused = least(partial(data.residual, y, (w, 0.0), None, out, correlation))
            yield f"{name.lower()} pass by rows, {place}", f"k{name}Row", product / X.size
            yield f"{name.lower()} fused pass, {place}", f"k{name}Fused", fused / X.size


def products(rng: np.random.Generator) -> Iterator[Measured]:
    """Yield the multiply-adds of the product kernel and of the row scatter."""
    for d in (200, 1000):
        rows, out = rows_of(rng.standard_normal((3000, d))), _square(d)
        for kind, constant in (("double", "kProduct"), ("single", "kRoughProduct")):
            spent = least(partial(rows.normal_matrix, None, None, out, math.inf, kind == "single"))
            yield f"product, {kind}, {d} columns", constant, spent / (0.5 * 3000 * d * d)
    for n, d, constant in ((20_000, 300, "kScatterNear"), (4000, 2000, "kScatter")):
        some = sparse.random(n, d, density=0.1, format="csr", random_state=rng)
        count = np.diff(some.indptr)
        rows, out = rows_of(some), _square(d)
        spent = least(partial(rows.normal_matrix, None, None, out, math.inf, False))
        yield f"scatter, {d} columns", constant, spent / float(np.sum(0.5 * count * (count + 1)))


def _square(size: int) -> Floats:
    return np.empty((size, _core.padded_size(size)))


def factors(rng: np.random.Generator) -> Iterator[Measured]:
    """Yield the multiply-adds of a Cholesky factorization, ours and LAPACK's in single precision.

    Rows cost something beside them (kFactorRow), which is taken off.
    """
    row = listed()["kFactorRow"]
    for k in (100, 300, 1000, 2000):
        A = rng.standard_normal((k, k))
        H = A @ A.T + k * np.eye(k)
        spent = least(partial(_core.Factor, H, 0.0, 0.0)) - row * k
        yield f"Cholesky, {k}", "kCholesky", spent / (k**3 / 6)
        single = np.asfortranarray(H, dtype=np.float32)
        with threadpool_limits(1, "blas"):
            spent = least(partial(lapack.spotrf, single)) - row * k
        yield f"Cholesky, single, {k}", "kRoughCholesky", spent / (k**3 / 6)


def updates(rng: np.random.Generator) -> Iterator[Measured]:
    """Yield an entry of a coordinate update in Gram space: a sweep less what its setup takes."""
    for k in (100, 300):
        A = rng.standard_normal((k, k))
        H, q, c = A @ A.T / k + np.eye(k), rng.standard_normal(k), np.empty(k)

        def sweep(penalty: Floats, H: Floats = H, q: Floats = q, c: Floats = c) -> None:
            _core.parts.sweep(H, q, penalty, np.zeros(len(q)), c)

        free = np.tile([0.0, 0.0, -np.inf, np.inf], (k, 1))
        shut = np.tile([1e9, 0.0, -np.inf, np.inf], (k, 1))
        moving, still = least(partial(sweep, free)), least(partial(sweep, shut))
        yield f"coordinate update, {k}", "kEpochEntry", (moving - still) / k**2


def main() -> None:
    """Print one line for each kernel."""
    prices, rng = listed(), np.random.default_rng(0)
    print(f"{'kernel':<34}{'measured':>9}{'price':>8}  ({_core.kernel_name()}, ns)")
    for kind in (column_passes, row_passes, products, factors, updates):
        for name, constant, spent in kind(rng):
            print(f"{name:<34}{spent:9.3f}{prices[constant]:8.3f}  {constant}")


if __name__ == "__main__":
    main()
