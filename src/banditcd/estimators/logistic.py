"""Logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, log_expit, logsumexp

from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.docs import documented_classifier
from banditcd.estimators.checks.logistic import logistic_settings, penalty_words

LOGISTIC = {
    "scaling": "Accepted for compatibility, without effect: the intercept is not penalized.",
    "several": (
        "With more than two classes a\n    dict weighs every sample by its own class, and "
        '"balanced" means the class against the rest.'
    ),
    "max_iter": "100",
    "names": ' The names of\n    scikit-learn\'s solvers mean "auto": they share the optimum.',
    "n_iter": "ndarray of shape (1,) or (n_classes,)",
}


@documented_classifier(**LOGISTIC)
class LogisticRegression(LinearClassifier):
    r"""Logistic regression with an L2, L1 or elastic-net penalty, certified.

    .. math::

        \min_{w, b}\ C \sum_i s_i \log(1 + e^{-y_i (x_i^\top w + b)})
        + \sum_j p_j \Bigl(\rho |w_j| + \frac{1 - \rho}{2} w_j^2\Bigr)

    with :math:`y_i = \pm 1`, sample weights :math:`s` (times class weights) taken as they are,
    ``penalty_weights`` p and :math:`\rho` = ``l1_ratio``; the intercept is never penalized. With
    ``C=inf`` there is no penalty and the objective is the sum of losses. A drop-in replacement of
    scikit-learn's class for two classes; more classes are fitted one against the rest, as
    ``OneVsRestClassifier(LogisticRegression())`` does, with probabilities normalized to sum to 1
    (a multinomial model is another model).

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet", None}, default="deprecated"
        The older word for ``l1_ratio`` 0, 1 or as given, or for ``C=inf``; it takes precedence.
    C : float, default=1.0
        Inverse strength of the penalty, > 0; inf for none.
    l1_ratio : float, default=0.0
        Share of the L1 penalty, from 0 (L2) to 1 (L1).
    dual : bool, default=False
        Which cost a ``selector`` minimizes: the primal, or (L2 penalty, no intercept) the dual.
        Without a selector it has no effect.
    {common_parameters}
    warm_start : bool, default=False
        Start at the model of the last fit.
    n_jobs : int or None, default=None
        Classes fitted at the same time, in threads; in processes if joblib is told so.
    penalty_weights : array-like of shape (n_features,), default=None
        Multiply the L1 and the L2 penalty of a feature; 0 leaves it unpenalized, inf excludes it.
        They are not renormalized.
    lower, upper : float or array-like of shape (n_features,), default=None
        Bounds of the coefficients, ``lower <= 0 <= upper``.
    standardize : bool, default=False
        Penalize the coefficients of columns divided by their (weighted) standard deviation, or
        root mean square without an intercept. ``coef_`` and the bounds are for the columns as
        given. With an L2 part this takes one scaled copy of X.

    Attributes
    ----------
    {common_attributes}

    Examples
    --------
    >>> from banditcd import LogisticRegression
    >>> model = LogisticRegression(l1_ratio=1.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    def __init__(
        self,
        penalty: Any = "deprecated",
        *,
        C: Any = 1.0,
        l1_ratio: Any = 0.0,
        dual: Any = False,
        tol: Any = 1e-4,
        fit_intercept: Any = True,
        intercept_scaling: Any = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: Any = "auto",
        max_iter: Any = 100,
        verbose: Any = 0,
        warm_start: Any = False,
        n_jobs: Any = None,
        selector: Any = "auto",
        penalty_weights: Any = None,
        lower: Any = None,
        upper: Any = None,
        standardize: Any = False,
        record_history: Any = False,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.standardize = standardize
        self.record_history = record_history

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of every class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        scores = self.decision_function(X).astype(np.float64, copy=False)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return np.exp(_normalized(scores))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of every class, without underflow.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        scores = self.decision_function(X).astype(np.float64, copy=False)
        if scores.ndim == 1:
            return np.column_stack([log_expit(-scores), log_expit(scores)])
        return _normalized(scores)

    def _hyperparameters(self) -> tuple[float, BinarySettings]:
        l1_ratio, C = penalty_words(self.penalty, self.l1_ratio, self.C)
        return C, logistic_settings(self, l1_ratio, single=True)

    def _by_rows(self, settings: BinarySettings) -> bool:
        if settings.selector is not None:
            return settings.dual
        return settings.l1_ratio == 0.0 and self.lower is None and self.upper is None


def _normalized(scores: Any) -> Any:
    """Return log probabilities of classes from their separate models."""
    logs = log_expit(scores)
    return logs - logsumexp(logs, axis=1, keepdims=True)
