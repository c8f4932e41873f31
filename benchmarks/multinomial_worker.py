"""One library on problems of several classes, in the library's own environment.

    python benchmarks/multinomial_worker.py LIBRARY FOLDER SECONDS

reads ``problem_K.npz`` and writes ``K_SOLVER.txt`` for every solver of the library: a line for each
tolerance, from loose to tight, with the CPU seconds (the best of a few fits) and the objective, up
to the last bound of the problem or until SECONDS of CPU time are used. Then the solver is ended,
wherever it is: each has a process of its own. Imports NumPy, SciPy and the library alone.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

# Three steps to a decade where fits differ: what `tol` means is not the same for all, and who stops
# at the next decade only would be charged for digits that nobody asked for.
LADDER = (100.0, 10.0, 1.0, *(10.0 ** (-third / 3.0) for third in range(3, 16)), 1e-6, 1e-8)
THRESHOLDS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14)
REPEATS = 3
MOST_UNKNOWNS = 3000  # of a matrix that newton-cholesky factors in seconds

Problem = dict[str, Any]
#: Coefficients (classes, d) and intercepts, by tolerance.
Fit = Callable[[float], tuple[Any, Any]]


def load(path: Path) -> Problem:
    """Return X by rows, classes y, C, the share of L1, and the bounds to reach."""
    with np.load(path, allow_pickle=False) as file:
        problem: Problem = {name: file[name] for name in file.files}
    if "data" in problem:
        parts = (problem["data"], problem["indices"], problem["indptr"])
        problem["X"] = sparse.csr_matrix(parts, shape=tuple(problem["shape"]))
    problem["C"], problem["l1_ratio"] = float(problem["C"]), float(problem["l1_ratio"])
    return problem


def objective(p: Problem, coef: Any, intercept: Any) -> float:
    """Return C times the loss, plus the penalty."""
    scores = np.asarray(p["X"] @ np.asarray(coef).T) + intercept
    loss = np.sum(logsumexp(scores, axis=1) - scores[np.arange(len(scores)), p["y"]])
    ratio = p["l1_ratio"]
    penalty = ratio * np.abs(coef).sum() + 0.5 * (1.0 - ratio) * np.sum(np.square(coef))
    return float(p["C"] * loss + penalty)


def banditcd(p: Problem) -> dict[str, Fit]:
    """Return the fit of this library."""
    from banditcd import LogisticRegression

    return {"banditcd": _estimator(p, LogisticRegression, max_iter=1000)}


def scikit_learn(p: Problem) -> dict[str, Fit]:
    """Return the fits of scikit-learn's solvers that take the penalty."""
    from sklearn.linear_model import LogisticRegression

    if p["l1_ratio"] > 0.0:
        names: tuple[str, ...] = ("saga",)
    else:
        unknowns = p["X"].shape[1] * (1 + int(p["y"].max()))
        names = ("lbfgs", "newton-cholesky") if unknowns <= MOST_UNKNOWNS else ("lbfgs",)
    return {n: _estimator(p, LogisticRegression, solver=n, max_iter=10_000) for n in names}


def _estimator(p: Problem, kind: Any, **options: Any) -> Fit:
    def fit(tol: float) -> tuple[Any, Any]:
        model = kind(C=p["C"], l1_ratio=p["l1_ratio"], tol=tol, **options).fit(p["X"], p["y"])
        return model.coef_, model.intercept_

    return fit


def glmnet(p: Problem) -> dict[str, Fit]:
    """Return the fit of glmnet's multinomial model at one lambda."""
    from glmnet import LogitNet  # type: ignore[import-not-found]

    penalty = np.array([1.0 / (p["C"] * len(p["y"]))])
    by_columns: Any = getattr(p["X"], "tocsc", None)
    X = by_columns() if by_columns else np.asfortranarray(p["X"])

    def fit(tol: float) -> tuple[Any, Any]:
        model = LogitNet(
            alpha=p["l1_ratio"], lambda_path=penalty, standardize=False, n_splits=0,
            tol=tol, max_iter=1_000_000,
        )  # fmt: skip
        model.fit(X, p["y"])
        return model.coef_path_[..., 0], model.intercept_path_[..., 0]

    return {"glmnet": fit}


LIBRARIES = {f.__name__: f for f in (banditcd, scikit_learn, glmnet)}


def cpu_seconds() -> float:
    """Return the CPU time of this process.

    Not ``time.process_time``: below a limit of CPU time Linux brings that clock up to date at its
    ticks only, a few milliseconds apart, and the best of three fits of two milliseconds is zero.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(fit: Fit, tol: float) -> tuple[float, Any, Any]:
    """Return CPU seconds, coefficients and intercepts."""
    start = cpu_seconds()
    coef, intercept = fit(tol)
    return cpu_seconds() - start, coef, intercept


def climb(p: Problem, fit: Fit, ladder: tuple[float, ...], target: Path, seconds: int) -> None:
    """Write a line for each tolerance until the last bound is reached."""
    used = int(cpu_seconds())
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds + 1))
    for tol in ladder:
        best, coef, intercept = timed(fit, tol)
        value = objective(p, coef, intercept)
        for _ in range(REPEATS - 1 if value <= p["bounds"][0] and best < 1.0 else 0):
            best = min(best, timed(fit, tol)[0])
        with target.open("a", encoding="utf-8") as file:
            file.write(f"{tol:g} {best:.6g} {value!r}\n")
        if value <= p["bounds"][-1]:
            return


def main(library: str, place: str, seconds: str) -> None:
    """Let the solvers of a library climb, one after the other."""
    warnings.simplefilter("ignore")
    context = multiprocessing.get_context("fork")
    for source in sorted(Path(place).glob("problem_*.npz")):
        p = load(source)
        number = source.stem.removeprefix("problem_")
        for name, fit in LIBRARIES[library](p).items():
            target = source.with_name(f"{number}_{name}.txt")
            target.touch()
            ladder = THRESHOLDS if library == "glmnet" else LADDER
            child = context.Process(target=climb, args=(p, fit, ladder, target, int(seconds)))
            child.start()
            child.join()


if __name__ == "__main__":
    main(*sys.argv[1:4])
