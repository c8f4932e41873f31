r"""Losses of the models along a path, and of their null model, on the training data.

Squared: :math:`\frac12\sum_i s_i \|y_i - \hat y_i\|^2` with weights that sum to 1. Logistic:
:math:`\sum_i s_i \log(1 + e^{-y_i z_i})`, summed over classes against the rest, or the cross
entropy of the softmax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp, xlogy

from banditcd._typing import Floats

ENTRIES = 1 << 22
"""Predictions that are held at a time."""


@dataclass(slots=True)
class PathData:
    """What the models of a path were fitted on.

    Attributes
    ----------
    X : ndarray or sparse matrix
        Samples.
    y : ndarray
        Responses of shape (n,) or (n, n_targets); for classes their numbers, from 0.
    weights : ndarray or None
        Weights of the samples, class weights included; a column for each of several classes
        against the rest.
    fit_intercept : bool
        Whether the null model is the best constant.
    loss : str
        "squared", "logistic" (two classes, or each against the rest) or "multinomial".
    """

    X: Any
    y: Any
    weights: Any
    fit_intercept: bool
    loss: str = "squared"

    def losses(self, coefs: Floats, intercepts: Floats) -> tuple[Floats, float]:
        """Return the loss of each model, and that of the null model.

        Coefficients have shape (n_features, n_models) or (n_rows, n_features, n_models),
        intercepts (n_models,) or (n_rows, n_models).
        """
        coefs = coefs if coefs.ndim == 3 else coefs[None]
        intercepts = intercepts if intercepts.ndim == 2 else intercepts[None]
        weights = np.ones(len(self.y)) if self.weights is None else np.asarray(self.weights)
        rows, _, models = coefs.shape
        if self.loss == "squared":
            loss, null = self._squared(weights / weights.sum())
        elif self.loss == "multinomial":
            loss, null = self._multinomial(weights, rows)
        else:
            loss, null = self._logistic(weights.reshape(len(weights), -1), rows)
        found = np.empty(models)
        for first, last in _stretches(models, rows * len(self.y)):
            z = [self.X @ part for part in coefs[:, :, first:last]]
            for k in range(first, last):
                columns = [part[:, k - first] for part in z]
                found[k] = loss(np.column_stack(columns) + intercepts[:, k])
        return found, null

    def _squared(self, weights: Floats) -> tuple[Callable[[Floats], float], float]:
        y = np.asarray(self.y, dtype=np.float64).reshape(len(self.y), -1)
        center = weights @ y if self.fit_intercept else np.zeros(y.shape[1])

        def loss(z: Floats) -> float:
            return 0.5 * float(weights @ ((y - z) ** 2).sum(axis=1))

        return loss, loss(np.broadcast_to(center, y.shape))

    def _multinomial(
        self, weights: Floats, classes: int
    ) -> tuple[Callable[[Floats], float], float]:
        codes, total = np.asarray(self.y, dtype=np.intp), float(weights.sum())
        rows = np.arange(len(codes))
        shares = np.bincount(codes, weights=weights, minlength=classes) / total

        def loss(z: Floats) -> float:
            return float(weights @ (logsumexp(z, axis=1) - z[rows, codes]))

        entropy = -float(xlogy(shares, shares).sum())
        return loss, total * (entropy if self.fit_intercept else float(np.log(classes)))

    def _logistic(self, weights: Floats, rows: int) -> tuple[Callable[[Floats], float], float]:
        own = np.array([1]) if rows == 1 else np.arange(rows)
        signs = np.where(np.asarray(self.y)[:, None] == own, 1.0, -1.0)

        def loss(z: Floats) -> float:
            return float((weights * np.logaddexp(0.0, -signs * z)).sum())

        if not self.fit_intercept:
            return loss, loss(np.zeros_like(signs))
        total = weights.sum(axis=0)
        shares = (weights * (signs > 0.0)).sum(axis=0) / total
        entropies = xlogy(shares, shares) + xlogy(1.0 - shares, 1.0 - shares)
        return loss, -float((total * entropies).sum())


def mapped_data(X: Any, y: Any, weights: Any, fit_intercept: bool) -> PathData | None:
    """Return the data of a path whose X is a file; None where it is on a cluster or a GPU."""
    if not isinstance(X, np.memmap):
        return None
    return PathData(X, np.asarray(y), weights, fit_intercept)


def _stretches(models: int, entries: int) -> Iterator[tuple[int, int]]:
    """Cut the models into stretches whose predictions fit into the memory set aside."""
    step = max(1, ENTRIES // max(entries, 1))
    return ((first, min(first + step, models)) for first in range(0, models, step))
