r"""Leave-one-out errors of ridge regression, for all samples and penalties from one decomposition.

With the weighted hat matrix :math:`H` of a penalty, the error of sample i in the model fitted
without it is :math:`(y_i - \hat y_i) / (1 - H_{ii})` (Craven & Wahba, Numerische Mathematik 1979).
With :math:`Z = S^{1/2}(X - 1 \bar x^\top)`, :math:`H = Z (Z^\top Z + \alpha I)^{-1} Z^\top` plus
:math:`s_i / \sum s` for the intercept; the smaller of :math:`Z^\top Z` and :math:`Z Z^\top` is
decomposed. Sparse data are not centered in memory, only their products are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh

from banditcd.estimators.inputs import Training, is_sparse
from banditcd.estimators.moments import column_means
from banditcd.estimators.solution import Floats

LARGEST = 20000  # rows of the decomposed matrix: 3 GiB


class LeaveOneOut:
    """Decomposed samples, ready for any response and penalty."""

    def __init__(self, data: Training, fit_intercept: bool) -> None:
        n, d = data.X.shape
        if min(n, d) > LARGEST:
            raise ValueError(
                f"Leave-one-out needs to decompose a matrix with {min(n, d)} rows, which is too "
                "large; choose folds with cv= (for example cv=5)."
            )
        weight = np.ones(n) if data.sample_weight is None else data.sample_weight
        self._root = np.sqrt(weight)
        self._share = weight / weight.sum() if fit_intercept else np.zeros(n)
        means = column_means(data.X, data.sample_weight) if fit_intercept else np.zeros(d)
        if d <= n:
            values, vectors = eigh(self._covariance(data.X, means, fit_intercept))
            basis = self._products(data.X, means, vectors)
            self._rank_one = None
        else:
            values, basis = eigh(self._gram(data.X, means))
        self._by_features = d <= n
        self._values, self._basis = np.maximum(values, 0.0), basis

    def errors(self, y: Floats, alpha: float) -> Floats:
        """Return the errors of one response, each sample predicted without itself."""
        shrink = 1.0 / (self._values + alpha)
        if not self._by_features:
            shrink = self._values * shrink
        center = float(self._share @ y)
        target = self._root * (y - center)
        fitted = self._basis @ (shrink * (self._basis.T @ target))
        leverage = (self._basis**2) @ shrink + self._share
        residual = y - center - np.divide(
            fitted, self._root, out=np.zeros_like(y), where=self._root > 0.0
        )
        return residual / np.maximum(1.0 - leverage, np.finfo(np.float64).eps)

    def _products(self, X: Any, means: Floats, vectors: Floats) -> Floats:
        """Return Z V."""
        return self._root[:, None] * (np.asarray(X @ vectors) - means @ vectors)

    def _covariance(self, X: Any, means: Floats, centered: bool) -> Floats:
        """Return Z' Z."""
        if not is_sparse(X):
            Z = self._root[:, None] * (X - means)
            return np.asarray(Z.T @ Z)
        Z = X.multiply(self._root[:, None]).tocsc()
        square = np.asarray((Z.T @ Z).todense(), dtype=np.float64)
        total = float(self._root @ self._root)
        return square - total * np.outer(means, means) if centered else square

    def _gram(self, X: Any, means: Floats) -> Floats:
        """Return Z Z'."""
        if not is_sparse(X):
            Z = self._root[:, None] * (X - means)
            return np.asarray(Z @ Z.T)
        square = np.asarray((X @ X.T).todense(), dtype=np.float64)
        cross = np.asarray(X @ means)
        square += float(means @ means) - cross[:, None] - cross[None, :]
        return self._root[:, None] * square * self._root
