"""Logistic regression for a whole grid of C, warm-started from the strongest penalty on."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import BinarySettings, largest_penalty
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.one_vs_rest import OneVsRest
from banditcd.estimators.backends.targets import check_finite
from banditcd.estimators.checks.messages import warn_unless_converged
from banditcd.estimators.checks.settings import check_count, check_real
from banditcd.estimators.displays.progress import tracked
from banditcd.estimators.logistic import LogisticRegression, check_inverse_strength, logistic_model


@dataclass(frozen=True, slots=True)
class LogisticPath:
    """Models for every C: ``coefs`` has shape (n_Cs, n_rows, n_features)."""

    coefs: Floats
    intercepts: Floats
    certificates: list[list[FitCertificate]]


def solve_logistic_path(
    problems: OneVsRest, model: BinarySettings, Cs: Floats, verbose: Any = False
) -> LogisticPath:
    """Solve every problem for every C, from small to large C, and return them as given."""
    shape = (len(Cs), len(problems), problems.X.shape[1])
    coefs, intercepts = np.empty(shape), np.empty(shape[:2])
    proofs: list[list[FitCertificate]] = [[] for _ in Cs]
    order = np.argsort(Cs, kind="stable")
    steps = [(row, k) for row in range(len(problems)) for k in order]
    backend = None
    for row, k in tracked(steps, len(steps), "Path", verbose):
        if k == order[0]:
            backend = problems.backend(row, model, like=backend)
        assert backend is not None
        solution = backend.solve(float(Cs[k]))
        check_finite(solution)
        coefs[k, row] = problems.outer(solution.coef)
        intercepts[k, row] = solution.intercept
        proofs[k].append(solution.certificate)
    return LogisticPath(coefs, intercepts, proofs)


def check_grid(Cs: Any, name: str = "Cs") -> int | Floats:
    """Check a number of values of C, or the values, in the order given."""
    if isinstance(Cs, Integral) and not isinstance(Cs, bool):
        return check_count(Cs, name)
    if Cs is None or isinstance(Cs, (str, bytes, float)) or not np.iterable(Cs):
        raise ValueError(f"{name} is {Cs!r}; it must be an integer or an array of values.")
    values = [check_inverse_strength(C, f"{name}[{k}]") for k, C in enumerate(Cs)]
    if not values:
        raise ValueError(f"{name} is empty; give at least one value.")
    return np.array(values)


def logistic_path(
    X: Any,
    y: Any,
    *,
    Cs: Any = 100,
    l1_ratio: Any = 1.0,
    eps: Any = 1e-3,
    sample_weight: Any = None,
    verbose: Any = False,
    return_n_iter: Any = False,
    **params: Any,
) -> tuple[Any, ...]:
    r"""Logistic regression along a grid of C, warm-started and certified.

    At every C, the objective of :class:`banditcd.LogisticRegression`.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels; more than two classes are fitted one against the rest.
    Cs : int or array-like, default=100
        How many values in an automatic grid, or the values. The grid starts at the largest C at
        which no penalized coefficient is non-zero (of any class) and ends at 1 / ``eps`` times
        it; without an L1 penalty it goes from 1e-4 to 1e4.
    l1_ratio : float, default=1.0
        Share of the L1 penalty, from 0 to 1.
    eps : float, default=1e-3
        Strongest over weakest penalty of an automatic grid, inverted.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the losses.
    verbose : bool or int, default=False
        Show a progress bar.
    return_n_iter : bool, default=False
        Return the iterations too.
    **params
        Other parameters of :class:`banditcd.LogisticRegression`: ``tol``, ``max_iter``,
        ``fit_intercept``, ``class_weight``, ``penalty_weights``, ``lower``, ``upper``,
        ``standardize``, ``solver``, ``selector``, ``dual``, ``random_state``.

    Returns
    -------
    Cs : ndarray of shape (n_Cs,)
        From small to large: the strongest penalty first.
    coefs : ndarray of shape (n_features, n_Cs) or (n_classes, n_features, n_Cs)
        Coefficients along the path.
    intercepts : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Intercepts along the path.
    dual_gaps : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Duality gaps, in units of the objective.
    n_iters : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Only with ``return_n_iter=True``.
    """
    estimator = _estimator(params)
    ratio = check_real(l1_ratio, "l1_ratio", maximum=1.0)
    model = logistic_model(estimator, ratio, polish=False)
    eps = check_real(eps, "eps", positive=True)
    wanted = check_grid(Cs)
    problems = estimator._set_up(X, y, sample_weight, model)[2]
    grid = automatic_grid(problems, model, eps, wanted) if isinstance(wanted, int) else wanted
    grid = np.sort(grid)
    path = solve_logistic_path(problems, model, grid, verbose)
    proofs = [proof for proofs in path.certificates for proof in proofs]
    warn_unless_converged(proofs, model, stacklevel=2)
    coefs, intercepts = np.moveaxis(path.coefs, 0, 2), path.intercepts.T
    gaps = np.array([[p.gap for p in proofs] for proofs in path.certificates]).T
    counts = np.array([[p.n_iter for p in proofs] for proofs in path.certificates]).T
    found = (coefs, intercepts, gaps, counts) if return_n_iter else (coefs, intercepts, gaps)
    return grid, *(part[0] if len(problems) == 1 else part for part in found)


def automatic_grid(problems: OneVsRest, model: BinarySettings, eps: float, size: int) -> Floats:
    """Return a logarithmic grid of C from where the first coefficient enters."""
    if model.l1_ratio == 0.0:
        return np.logspace(-4.0, 4.0, size)
    n = problems.X.shape[0]
    tops = [largest_penalty(problems.binary(row), model) for row in range(len(problems))]
    if not max(tops) > 0.0:
        return np.ones(size)
    first = model.l1_ratio / (n * max(tops))
    return np.geomspace(first, first / eps, size)


def _estimator(params: dict[str, Any]) -> Any:
    known = set(LogisticRegression().get_params()) - {"penalty", "C", "l1_ratio", "warm_start"}
    known -= {"n_jobs", "record_history", "verbose"}
    unknown = sorted(set(params) - known)
    if unknown:
        raise ValueError(
            f"Unexpected parameters: {', '.join(unknown)}. Known: {', '.join(sorted(known))}."
        )
    return LogisticRegression(**params)
