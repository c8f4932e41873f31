"""Linear classifiers: labels, one problem per class, decisions.

The solvers of data that live elsewhere are imported on first use: a fit in memory does without.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from banditcd._typing import FLOAT32, Floats
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.one_vs_rest import OneVsRest, solve_all
from banditcd.estimators.backends.prepared import standardized
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.backends.tasks import SILENT, Tasks, begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import LinearModel
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.inputs import Training, check_samples_and_labels
from banditcd.estimators.checks.labels import Labels, balanced, check_class_weight, check_labels
from banditcd.estimators.checks.numbers import check_start
from banditcd.places.kinds import check_like_fit, kind_of, labels_of, on_host, predictions
from banditcd.solvers.arrays import is_sparse


class LinearClassifier(ClassifierMixin, LinearModel):  # type: ignore[misc]
    """Decisions ``X @ coef_.T + intercept_``; one row for two classes, else one per class."""

    classes_: Any
    class_weight: Any
    n_jobs: Any
    verbose: Any

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Labels of any hashable type, all of one type. Two classes are one problem (the second
            in order is the positive one), more are one problem each: the class against the rest.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of the losses, as they are.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        C, settings = self._hyperparameters()
        data, labels, problems = self._set_up(X, y, sample_weight, settings)
        starts = self._starts(problems) if getattr(self, "warm_start", False) else None
        tasks = begin_tasks(
            self,
            lambda: Training(data.X, labels.classes[labels.codes], data.sample_weight),
            max_subtasks=lambda: (max(settings.max_iter, 1) + 1) * problems.solves,
        )
        solutions = self._solve(problems, C, settings, starts, tasks)
        self.classes_ = labels.classes
        self._keep(solutions)
        warn_unless_converged([s.certificate for s in solutions], settings)
        tasks.end()
        return self

    def _check_classes_elsewhere(self, classes: Any) -> None:
        """Refuse what needs the classes of data that live elsewhere, before any work."""

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        from banditcd.estimators.backends.elsewhere import note_columns, refuse, solve_classes

        C, settings = self._hyperparameters()
        others = ("selector", "class_weight", "standardize", "warm_start", "record_history")
        refuse(self, *others)
        note_columns(self, X)
        columns = check_columns(self, self.n_features_in_)
        self.classes_, solutions = solve_classes(
            (X, y, sample_weight), columns, settings, C, self.verbose, self._check_classes_elsewhere
        )
        self._keep(solutions)
        warn_unless_converged([s.certificate for s in solutions], settings)
        return self

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
        if kind_of(X) is not None:
            check_is_fitted(self)
            check_like_fit(self, X)
            single = len(self.coef_) == 1
            coef, intercept = _dense(self.coef_), self.intercept_
            if single and np.ndim(intercept) == 1:
                intercept = intercept[0]
            return predictions(X, coef[0] if single else coef, intercept)
        X = self._check_samples(X)
        coef = _dense(self.coef_)
        scores = self._affine(X, coef.T, self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The class with the largest decision value.
        """
        scores = self.decision_function(X)
        if kind_of(scores) is not None:
            return labels_of(scores, self.classes_)
        best = (scores > 0.0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[best]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of samples whose label is predicted.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.

        Returns
        -------
        float
            Between 0 and 1.
        """
        if kind_of(X) is not None:
            hits = on_host(self.predict(X)) == on_host(y)
            return float(np.average(hits, weights=on_host(sample_weight)))
        kind = getattr(getattr(y, "dtype", None), "kind", None)
        if kind != "S" and (kind != "O" or all(isinstance(label, str) for label in y)):
            return float(super().score(X, y, sample_weight))
        # scikit-learn's metric knows numbers and strings only.
        found = self.predict(X)
        hits = [bool(guess == label) for guess, label in zip(found, y, strict=True)]
        return float(np.average(hits, weights=sample_weight))

    def sparsify(self) -> Any:
        """Turn ``coef_`` into a sparse matrix; return self."""
        check_is_fitted(self)
        self.coef_ = self.sparse_coef_
        return self

    def densify(self) -> Any:
        """Turn ``coef_`` back into an array; return self."""
        check_is_fitted(self)
        self.coef_ = _dense(self.coef_)
        return self

    def _hyperparameters(self) -> tuple[float, BinarySettings]:
        """Check the parameters that need no data; return C and the others."""
        raise NotImplementedError

    def _by_rows(self, settings: BinarySettings) -> bool:
        """Whether the solver reads X by rows (C order, CSR), not by columns."""
        raise NotImplementedError

    def _solve(
        self,
        problems: Any,
        C: float,
        settings: BinarySettings,
        starts: list[tuple[Floats, float]] | None = None,
        tasks: Tasks = SILENT,
    ) -> list[Solution]:
        """Solve all problems of a fit."""
        options = {"n_jobs": self.n_jobs, "verbose": self.verbose}
        return solve_all(problems, C, settings, starts, tasks, **options)

    def _set_up(
        self, X: Any, y: Any, sample_weight: Any, settings: BinarySettings
    ) -> tuple[Training, Labels, Any]:
        """Check the data and split them into binary problems."""
        X, y, weight = check_samples_and_labels(
            self,
            X,
            y,
            sample_weight,
            rows=self._by_rows(settings),
            values=settings.loss == "logistic" or not settings.finds_overflow,
        )
        labels = check_labels(np.asarray(y))
        data = Training(X, labels.codes.astype(np.float64), weight)
        return data, labels, self._problems(data, labels, self._weights(data, labels), settings)

    def _problems(
        self, data: Training, labels: Labels, weights: list[Floats | None], settings: BinarySettings
    ) -> Any:
        """Return one problem for two classes, else one for each."""
        columns = check_columns(self, self.n_features_in_)
        X, scale = data.X, None
        if getattr(self, "standardize", False):
            about_mean = settings.intercept != "none"
            X, columns, scale = standardized(data, columns, settings.l1_ratio, about_mean)
        return OneVsRest(X, labels, weights, columns, scale, bool(data.X.dtype == FLOAT32))

    def _weights(self, data: Training, labels: Labels) -> list[Floats | None]:
        """Return the weights of the samples in each problem."""
        if self.class_weight is None:
            return [data.sample_weight] * labels.problems
        given = check_class_weight(self.class_weight, labels)
        factors = [self._factors(labels, k, given, data.sample_weight) for k in labels.positives]
        if data.sample_weight is None:
            return list(factors)
        return [factor * data.sample_weight for factor in factors]

    def _check_values(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> None:
        check_samples_and_labels(self, X, y, sample_weight, rows=False)

    def _factors(
        self, labels: Labels, positive: int, given: Floats | str, weight: Floats | None
    ) -> Floats:
        """Return what the class weights multiply the samples by in the problem of one class."""
        if not isinstance(given, str):
            return np.asarray(given[labels.codes])
        side = (labels.codes == positive).astype(np.intp)  # balanced in the two classes
        return np.asarray(balanced(np.bincount(side, weights=weight, minlength=2))[side])

    def _starts(self, problems: Any) -> list[tuple[Floats, float]] | None:
        """Return the coefficients and intercepts of the last fit to start at."""
        if not hasattr(self, "coef_"):
            return None
        coef, rows = on_host(_dense(self.coef_)), problems.rows
        if coef.shape != (rows, self.n_features_in_):
            raise ValueError(
                f"warm_start=True, but the last fit had coefficients of shape {coef.shape} and "
                f"these data need {(rows, self.n_features_in_)}; set warm_start=False or use a "
                "new estimator."
            )
        coef = check_start(coef)
        return [(coef[k], float(on_host(self.intercept_)[k])) for k in range(rows)]

    def _keep(self, solutions: list[Solution]) -> None:
        """Set the fitted attributes."""
        self._keep_solutions(solutions, squeeze=False, array=True)
        self.n_iter_ = np.array(self.n_iter_, dtype=np.int32)


def _dense(coef: Any) -> Any:
    return coef.toarray() if is_sparse(coef) else coef
