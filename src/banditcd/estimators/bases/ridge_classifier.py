"""Ridge regression on classes: responses of +1 and -1, a column for each class beyond two."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.bases.linear_model import LinearModel
from banditcd.estimators.checks.inputs import (
    FLOAT_TYPES,
    Training,
    as_rows,
    check_sample_weight,
    check_samples_and_labels,
)
from banditcd.estimators.checks.labels import check_class_weight, check_labels
from banditcd.estimators.checks.numbers import as_numbers
from banditcd.places.kinds import check_like_fit, kind_of, predictions
from banditcd.solvers.arrays import is_sparse


class RidgeDecisions(LinearClassifier):
    """Decisions of ridge regression; a sample of several labels has those above zero."""

    _several_labels = False

    def decision_function(self, X: Any) -> Any:
        """Return how far samples are on the positive side of the decision boundaries.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            ``X @ coef_.T + intercept_``, one column per class if there are more than two.
        """
        check_is_fitted(self)
        coef = self.coef_.toarray() if is_sparse(self.coef_) else self.coef_  # by sparsify()
        if kind_of(X) is not None:
            check_like_fit(self, X)
            single = coef.ndim == 1 and np.ndim(self.intercept_) == 1
            return predictions(X, coef, self.intercept_[0] if single else self.intercept_)
        X = self._check_samples(X)
        scores = self._affine(X, coef.T, self.intercept_)
        return scores.ravel() if scores.ndim == 2 and scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_labels)
            The class with the largest decision value; or, if y was an indicator matrix, 1 for
            every label whose decision value is above zero.
        """
        check_is_fitted(self)
        if self._several_labels:
            return (self.decision_function(X) > 0.0).astype(np.int64)
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, len(self.decision_function(X)))
        return super().predict(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _check_classes(self, X: Any, y: Any, sample_weight: Any) -> tuple[Training, Any]:
        """Check samples and labels; return the responses, and y as scorers want it."""
        shape = y.shape if is_sparse(y) else np.asarray(y).shape
        self._several_labels = len(shape) == 2 and shape[1] > 1
        if self._several_labels:
            X, y, signs = self._check_indicators(X, y)
            weight = check_sample_weight(sample_weight, X.shape[0], normalized=False)
            self.classes_ = np.arange(signs.shape[1])
        else:
            X, y, weight = check_samples_and_labels(self, X, y, sample_weight, rows=True)
            labels = check_labels(np.asarray(y), least=1)
            y = labels.classes[labels.codes]
            if self.class_weight is not None:
                check_class_weight(self.class_weight, labels)
            if len(labels.classes) == 1:  # nothing to tell apart: as in scikit-learn, the constant
                signs = np.full((len(y), 1), -1.0)
            else:
                signs = np.column_stack([labels.signs(k) for k in range(labels.problems)])
            self.classes_ = labels.classes
        if self.class_weight is not None:
            factor = compute_sample_weight(self.class_weight, y)
            weight = factor if weight is None else factor * weight
            weight = check_sample_weight(weight, X.shape[0], normalized=False)
        return Training(X, signs, weight), y

    def _check_indicators(self, X: Any, y: Any) -> tuple[Any, Any, Floats]:
        y = y.toarray() if is_sparse(y) else y
        with as_numbers(X=X):
            X, y = validate_data(
                self, X, y, accept_sparse="csr", dtype=FLOAT_TYPES, order="C", multi_output=True
            )
        kind = type_of_target(y, input_name="y")
        if kind != "multilabel-indicator":
            raise ValueError(
                f"Unknown label type: y of several columns is {kind}; it must be an indicator "
                "matrix of zeros and ones, one column for each label."
            )
        return as_rows(X), y, np.where(y > 0, 1.0, -1.0)

    def _check_values(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> None:
        self._check_classes(X, y, sample_weight)

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        return LinearModel._fit_elsewhere(self, X, y, sample_weight)

    def _keep_classes(self, solutions: list[Solution], kind: Any) -> None:
        """Set the fitted attributes, in the precision of X."""
        self._keep(solutions)
        coef = self.coef_.astype(kind, copy=False)
        self.coef_ = coef[0] if len(coef) == 1 else coef
        self.intercept_ = self.intercept_.astype(kind, copy=False) if self.fit_intercept else 0.0
        self.solver_ = solutions[0].certificate.regime
