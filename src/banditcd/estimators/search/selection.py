"""The choice of alpha from cross-validated errors or an information criterion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigvalsh

from banditcd._typing import Floats
from banditcd.estimators.backends.path_solver import Path
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.moments import column_means
from banditcd.estimators.checks.warning import warn_caller
from banditcd.solvers.arrays import is_sparse


def check_rule(rule: Any, name: str, rules: tuple[str, ...]) -> str:
    """Check the name of a rule."""
    if isinstance(rule, str) and rule in rules:
        return rule
    known = " or ".join(rules) if len(rules) == 2 else f"one of {', '.join(rules)}"
    raise ValueError(f"{name} is {rule!r}; it must be {known}.")


def best_of_folds(errors: Floats, one_standard_error: bool) -> tuple[int, float]:
    """Return the chosen position on a path and the smallest mean error.

    Parameters
    ----------
    errors : ndarray of shape (n_folds, n_alphas)
        Mean squared errors, alphas from large to small.
    one_standard_error : bool
        Take the largest alpha whose mean error is within one standard error of the smallest.
    """
    mean = errors.mean(axis=0)
    best = int(np.argmin(mean))
    if not one_standard_error:
        return best, float(mean[best])
    return strongest_within_one_error(-errors, best, range(mean.size)), float(mean[best])


def pick(scores: Floats, alphas: Floats, rule: str) -> tuple[int, float]:
    """Return the position of the chosen alpha, in any order of alphas, and its mean score.

    ``scores``, the larger the better, have a row per fold or sample; ``rule`` is "min" or "1se".
    """
    mean = scores.mean(axis=0)
    best = int(np.argmax(mean)) if rule == "1se" else best_known(mean)
    if rule == "1se":
        best = strongest_within_one_error(scores, best, np.argsort(-alphas, kind="stable"))
    return best, np.float64(mean[best])


def best_known(mean: Floats) -> int:
    """Return the place of the largest mean score; what is NaN is passed over, with a warning."""
    scores = mean.ravel()
    known = np.flatnonzero(~np.isnan(scores))
    if known.size == scores.size:
        return int(np.argmax(scores))
    if known.size == 0:
        warn_caller(
            "Every candidate has a score of NaN in some fold, so the first one is taken, not the "
            "best; use larger test folds or another scoring.",
        )
        return 0
    warn_caller(
        f"{scores.size - known.size} of {scores.size} candidates have a score of NaN in some fold "
        "and are passed over; use larger test folds or another scoring to compare them all.",
    )
    return int(known[np.argmax(scores[known])])


def strongest_within_one_error(scores: Floats, best: int, strongest_first: Iterable[int]) -> int:
    """Return the strongest penalty whose mean score is within one standard error of the best.

    ``scores`` has a row per fold and a column per penalty; ``strongest_first`` the columns from
    the strongest penalty to the weakest (Hastie, Tibshirani & Friedman, The Elements of
    Statistical Learning, 7.10).
    """
    mean, folds = scores.mean(axis=0), len(scores)
    if np.isnan(mean[best]):
        raise ValueError(
            "The 1se rule needs a score in every fold, and some are NaN; use larger test folds, "
            "another scoring or another rule."
        )
    spread = scores[:, best].std(ddof=1) / np.sqrt(folds) if folds > 1 else 0.0
    return int(next(k for k in strongest_first if mean[k] >= mean[best] - spread))


def information_criterion(
    data: Training, path: Path, l2: Floats, rule: str, fit_intercept: bool
) -> Floats:
    r"""Return AIC or BIC along a path: :math:`n \log(\mathrm{RSS}/n) + c\,\mathrm{df}`.

    c is 2 (AIC) or log n (BIC). The degrees of freedom of the Lasso are its support (Zou, Hastie
    & Tibshirani, Annals of Statistics 2007); with an L2 part, the trace of the ridge smoother on
    the support; an intercept adds one. Models with df >= n - 1 are ruled out (inf): their
    residual says nothing about the noise.
    """
    n = data.X.shape[0]
    weight = np.ones(n) if data.sample_weight is None else data.sample_weight
    weight = weight * (n / weight.sum())
    means = column_means(data.X, data.sample_weight) if fit_intercept else None
    rate = 2.0 if rule == "aic" else np.log(n)
    out = np.full(path.coefs.shape[1], np.inf)
    for k, coef in enumerate(path.coefs.T):
        residual = data.y - path.intercepts[k] - data.X @ coef
        rss = float(weight @ residual**2)
        df = _degrees(data.X, weight, means, np.flatnonzero(coef), float(l2[k])) + fit_intercept
        if df < n - 1 and rss > 0.0:
            out[k] = n * np.log(rss / n) + rate * df
    if np.isinf(out).all():
        raise ValueError(
            f"{rule} is not defined: every model on the path has as many degrees of freedom as "
            "samples; use larger alphas or cross-validation (select_alpha='min')."
        )
    return out


def _degrees(
    X: Any, weight: Floats, means: Floats | None, support: NDArray[np.intp], l2: float
) -> float:
    if l2 == 0.0 or support.size == 0:
        return float(support.size)
    active = X[:, support].toarray() if is_sparse(X) else X[:, support]
    active = np.asarray(active, dtype=np.float64)
    if means is not None:
        active = active - means[support]
    active = np.sqrt(weight)[:, None] * active
    small = active.T @ active if active.shape[1] <= active.shape[0] else active @ active.T
    values = np.maximum(eigvalsh(small), 0.0)
    return float(np.sum(values / (values + X.shape[0] * l2)))
