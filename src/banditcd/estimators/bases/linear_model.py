"""Linear models: samples, fitted attributes, prediction.

Only histories need a trace, which is imported on first use.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted, validate_data

from banditcd.data.storage import check_storage
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.fitting import CallbackSupportMixin
from banditcd.estimators.bases.libraries import answer_in_libraries
from banditcd.estimators.bases.telling import diagram_box
from banditcd.estimators.checks.inputs import is_plain_matrix
from banditcd.estimators.checks.numbers import as_numbers
from banditcd.places.kinds import (
    check_like_fit,
    in_kind_of,
    kind_of,
    on_host,
    predictions,
    type_name,
)


class LinearModel(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """What regressors and classifiers share: ``coef_``, ``intercept_`` and checked samples."""

    coef_: Any
    intercept_: Any
    n_features_in_: int
    fit_intercept: Any
    _in_precision_of_samples = True  # predictions; support vector machines are all float64
    _counts_by_target = False  # n_iter_ is an array for one target, too, as of scikit-learn's Ridge

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let every model predict in the library of its samples."""
        super().__init_subclass__(**kwargs)
        answer_in_libraries(cls)

    @property
    def sparse_coef_(self) -> Any:
        """``coef_`` as a sparse matrix of shape (1 or n_targets, n_features)."""
        check_is_fitted(self)
        sparse_already = sparse.issparse(self.coef_)  # by sparsify()
        arrays = get_config().get("sparse_interface", "spmatrix") == "sparray"
        kind = sparse.csr_array if arrays else sparse.csr_matrix
        return kind(self.coef_ if sparse_already else np.atleast_2d(on_host(self.coef_)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _sk_visual_block_(self) -> Any:
        """Return the box in scikit-learn's diagram, with the certificate of a fit."""
        return diagram_box(self)

    def _check_samples(self, X: Any) -> Any:
        """Check samples to predict; plain float matrices by hand, the rest by scikit-learn.

        ``coef_``, ``intercept_`` and, for a classifier, ``classes_`` are all that a prediction
        needs: set by hand, they do without a fit.
        """
        check_is_fitted(self)
        check_storage(X)
        if (
            is_plain_matrix(X, True, True)
            and X.shape[1] == getattr(self, "n_features_in_", 0)
            and not hasattr(self, "feature_names_in_")
        ):
            return X
        with as_numbers(X=X):
            return validate_data(self, X, accept_sparse=["csr", "csc", "coo"], reset=False)

    def _affine(self, X: Any, coef: Any, intercept: Any) -> Any:
        """Return ``X @ coef + intercept`` in the precision of X, so that X need not be copied.

        Support vector machines predict in float64, as scikit-learn's do.
        In float64 where values overflow in float32, which then are values and not warnings.
        """
        coef, intercept = on_host(coef), on_host(intercept)
        if X.dtype != np.float32 or not self._in_precision_of_samples:
            return X @ coef + intercept
        with np.errstate(over="ignore", invalid="ignore"):
            values = X @ np.asarray(coef, dtype=np.float32)
            values = values + np.asarray(intercept, dtype=np.float32)
        return values if np.isfinite(values).all() else X.astype(np.float64) @ coef + intercept

    def _keep_solutions(self, solutions: list[Solution], *, squeeze: bool, array: bool) -> None:
        """Set the fitted attributes.

        ``squeeze``: one solution needs no axis of its own, and no intercept is 0; ``array``: the
        intercepts are an array.
        """
        certificates = [s.certificate for s in solutions]
        single = len(solutions) == 1
        self.certificate_: Any = certificates[0] if single else certificates
        if single and squeeze:
            self.coef_ = solutions[0].coef
            self.dual_gap_: Any = np.float64(certificates[0].gap)
            self.n_iter_: Any = certificates[0].n_iter
        else:
            self.coef_ = np.array([s.coef for s in solutions])
            self.dual_gap_ = np.array([c.gap for c in certificates])
            self.n_iter_ = [c.n_iter for c in certificates]
        if self._counts_by_target:
            self.n_iter_ = np.array([c.n_iter for c in certificates], dtype=np.int32)
        if squeeze and not self.fit_intercept:
            self.intercept_ = 0.0
        elif array:
            self.intercept_ = np.array([s.intercept for s in solutions])
        else:
            first = solutions[0].intercept  # a number needs no array on its way
            self.intercept_ = np.float64(first) if type(first) is float else np.array(first)[()]
        self.__dict__.pop("history_", None)
        if getattr(self, "record_history", False):
            from banditcd.results import Trace

            traces = [Trace(s.history) for s in solutions]
            self.history_: Any = traces[0] if single else traces

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit data on a cluster, on a GPU or in a file; refused where there is no such solver."""
        raise TypeError(
            f"{type(self).__name__} fits data in memory only, and X is of type {type_name(X)}; "
            "load it into a NumPy array or a SciPy matrix first."
        )

    def _place_attributes(self, X: Any) -> None:
        """Move coefficients and intercepts to the library, device and float type of a GPU's X."""
        for name in ("coef_", "intercept_"):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                setattr(self, name, in_kind_of(X, value))

    def _check_values(self, *args: Any, **kwargs: Any) -> None:
        """Say what is wrong with values that overflowed; takes the arguments of ``fit``."""

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
            Predicted values, in the precision of X; those of ``LinearSVR`` in float64.
        """
        if kind_of(X) is not None:
            check_is_fitted(self)
            check_like_fit(self, X)
            return predictions(X, self.coef_, self.intercept_)
        X = self._check_samples(X)
        return self._affine(X, self.coef_.T, self.intercept_)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the coefficient of determination of the predictions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            True responses.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.

        Returns
        -------
        float
            1 for perfect predictions, 0 for those of the mean.
        """
        if kind_of(X) is None:
            return float(super().score(X, y, sample_weight))
        found, true, weight = (on_host(part) for part in (self.predict(X), y, sample_weight))
        return float(r2_score(true, found, sample_weight=weight))
