"""What every linear model of this room shares: samples, columns, prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from banditcd.estimators.bases.callbacks import CallbackSupportMixin
from banditcd.estimators.checks.column_options import ColumnOptions, check_columns
from banditcd.estimators.checks.inputs import FLOAT_TYPES, squares_are_finite
from banditcd.estimators.checks.settings import check_flag


class LinearModel(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """What regressors and classifiers share: ``coef_``, ``intercept_`` and checked samples."""

    coef_: Any
    intercept_: Any
    n_features_in_: int

    @property
    def sparse_coef_(self) -> Any:
        """``coef_`` as a sparse matrix of shape (1 or n_targets, n_features)."""
        check_is_fitted(self)
        sparse_already = sparse.issparse(self.coef_)  # by sparsify()
        return sparse.csr_matrix(self.coef_ if sparse_already else np.atleast_2d(self.coef_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _check_samples(self, X: Any) -> Any:
        """Check samples to predict; plain float arrays by hand, the rest by scikit-learn."""
        check_is_fitted(self)
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and X.dtype in FLOAT_TYPES
            and 0 < X.size == len(X) * self.n_features_in_
            and X.flags.forc
            and not hasattr(self, "feature_names_in_")
            and squares_are_finite(X.ravel(order="K"))
        ):
            return X
        return validate_data(self, X, accept_sparse=["csr", "csc", "coo"], reset=False)

    @staticmethod
    def _in_type_of(X: Any, values: Any) -> Any:
        """Return float32 values for float32 data, so that X need not be copied to float64."""
        return np.asarray(values, dtype=np.float32) if X.dtype == np.float32 else values

    def _columns(self, n_features: int) -> ColumnOptions:
        """Check the per-feature parameters."""
        options: Any = self
        positive = check_flag(getattr(options, "positive", False), "positive")
        return check_columns(
            options.penalty_weights, options.lower, options.upper, positive, n_features
        )

    def _forget(self) -> None:
        """Leave the estimator unfitted, as an interrupted fit must."""
        for name in [n for n in vars(self) if n.endswith("_") and not n.startswith("_")]:
            delattr(self, name)


class PenalizedLinearModel(RegressorMixin, LinearModel):  # type: ignore[misc]
    """Linear prediction from ``coef_`` and ``intercept_``."""

    def predict(self, X: Any) -> Any:
        """Predict ``X @ coef_.T + intercept_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            Predicted values, in the precision of X.
        """
        X = self._check_samples(X)
        return X @ self._in_type_of(X, self.coef_).T + self._in_type_of(X, self.intercept_)
