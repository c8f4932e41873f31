"""The parts that the readings of all models share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.verification.problem import Problem, dense


@dataclass(frozen=True)
class Reading:
    """A fitted model with the data it is judged on."""

    package: str
    model: Any
    X: Any
    y: Any
    weight: Floats
    coef: Floats

    @property
    def classes(self) -> Any:
        """The labels of a classifier in NumPy, whatever library it was fitted with."""
        return np.asarray(self.model.classes_)

    def point(self, count: int) -> tuple[Floats, Floats]:
        """Return coefficients and intercepts, a row for each of ``count`` problems."""
        coef = self.coef.reshape(-1, self.X.shape[1])
        if len(coef) != count:
            raise ValueError(f"The model has {len(coef)} row(s) of coefficients, y needs {count}.")
        given = np.asarray(self.model.intercept_, dtype=np.float64).ravel()
        return coef, np.broadcast_to(given, (count,))


@dataclass(frozen=True)
class Terms:
    """Loss and penalties of a model; ``constant`` is the L1 and L2 penalty of the intercept."""

    loss: str
    l1: float
    l2: float
    epsilon: float = 0.0
    constant: tuple[float, float] = (0.0, 0.0)


def spreads(X: Any, weight: Floats, about_mean: bool) -> Floats:
    """Return the weighted root mean square of every column, about its mean or zero; else 1."""
    X = dense(X)
    share = weight / weight.sum()
    mean = share @ X if about_mean else np.zeros(X.shape[1])
    squares = share[:, None] * (X - mean) ** 2
    spread = np.sqrt([math.fsum(column) for column in squares.T.tolist()])
    return np.where(spread <= 1e-12 * np.sqrt(share @ X**2), 1.0, spread)


def one_problem(
    reading: Reading, terms: Terms, y: Floats, c: Floats, point: tuple[Floats, float]
) -> Problem:
    """Return the problem of a target or class, its intercept as a last column of ones.

    Penalties of standardized columns are far outside float64 where the columns are: such a column
    is read in a unit of its own, a power of two, and its coefficient in the inverse.
    """
    model, X, p = reading.model, reading.X, reading.X.shape[1]
    intercept = bool(getattr(model, "fit_intercept", False))
    given = getattr(model, "penalty_weights", getattr(model, "weights", None))
    weights = np.broadcast_to(np.asarray(1.0 if given is None else given, dtype=np.float64), (p,))
    excluded = np.isinf(weights)
    weights = np.where(excluded, 1.0, weights)
    about = (
        spreads(X, reading.weight, intercept)
        if getattr(model, "standardize", False)
        else np.ones(p)
    )
    lower = _ends(getattr(model, "lower", None), -np.inf, p)
    upper = _ends(getattr(model, "upper", None), np.inf, p)
    if getattr(model, "positive", False):
        lower = np.zeros(p)
    unit = np.ldexp(1.0, np.frexp(about)[1] - 1)
    about = about / unit
    l1, l2 = terms.l1 * weights * about, terms.l2 * weights * about**2
    lower = np.where(excluded, 0.0, lower * unit)
    upper = np.where(excluded, 0.0, upper * unit)
    if np.any(unit != 1.0):
        X = X @ sparse.diags_array(1.0 / unit) if hasattr(X, "tocsr") else X / unit
    w = point[0] * unit
    if intercept:
        ones = np.ones((X.shape[0], 1))
        X = (
            sparse.csr_array(sparse.hstack([X, sparse.csr_array(ones)]))
            if hasattr(X, "tocsr")
            else np.hstack([X, ones])
        )
        l1, l2 = np.append(l1, terms.constant[0]), np.append(l2, terms.constant[1])
        lower, upper = np.append(lower, -np.inf), np.append(upper, np.inf)
        w, unit = np.append(w, point[1]), np.append(unit, 1.0)
    return Problem(X, y, c, terms.loss, terms.epsilon, l1, l2, lower, upper, w, intercept, unit)


def _ends(given: Any, default: float, p: int) -> Floats:
    value = default if given is None else given
    return np.broadcast_to(np.asarray(value, dtype=np.float64), (p,)).copy()
