"""Which alpha to choose, from cross-validated errors or an information criterion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigvalsh

from banditcd._typing import Floats
from banditcd.estimators.backends.path_solver import Path
from banditcd.estimators.checks.inputs import Training, is_sparse
from banditcd.estimators.checks.moments import column_means

RULES = ("min", "1se", "aic", "bic")


def check_rule(rule: Any) -> str:
    """Check the name of a rule."""
    if isinstance(rule, str) and rule in RULES:
        return rule
    raise ValueError(f"select_alpha is {rule!r}; it must be one of {', '.join(RULES)}.")


def best_of_folds(errors: Floats, one_standard_error: bool) -> tuple[int, float]:
    """Return the chosen position on a path and the smallest mean error.

    Parameters
    ----------
    errors : ndarray of shape (n_folds, n_alphas)
        Mean squared errors, alphas from large to small.
    one_standard_error : bool
        Take the largest alpha whose mean error is within one standard error (over folds) of the
        smallest (Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 7.10).
    """
    mean = errors.mean(axis=0)
    best = int(np.argmin(mean))
    if not one_standard_error:
        return best, float(mean[best])
    folds = errors.shape[0]
    spread = errors[:, best].std(ddof=1) / np.sqrt(folds) if folds > 1 else 0.0
    return int(np.argmax(mean <= mean[best] + spread)), float(mean[best])


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
