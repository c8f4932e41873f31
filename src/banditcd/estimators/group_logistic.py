"""Logistic regression on groups of features."""

from __future__ import annotations

from numpy.typing import ArrayLike

from banditcd.estimators.bases.group_classifier import GroupClassifier, group_logistic_settings
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.logistic import check_inverse_strength
from banditcd.estimators.checks.parameters import (
    FLAG,
    checked,
)
from banditcd.estimators.checks.types import ClassWeight, Groups
from banditcd.solvers import POOL_BYTES


@documented_blocks
class GroupLogisticRegression(GroupClassifier):
    r"""Logistic regression that uses groups of features as a whole or not at all, certified.

    .. math::

        \min_{w, b}\ C \sum_i s_i \log(1 + e^{-y_i (x_i^\top w + b)}) + \sum_g p_g \|w_g\|

    with :math:`y_i = \pm 1`, sample weights :math:`s` (times class weights) taken as they are and
    ``weights`` p of groups that do not overlap (Meier, van de Geer and Bühlmann, 2008). In terms of
    a mean loss, alpha = 1 / (n C). More than two classes are fitted one against the rest.

    Parameters
    ----------
    {group_parameters}
    C : float, default=1.0
        Inverse strength of the penalty, > 0; inf for none.
    {weight_parameters}
    {common_parameters}
    class_weight : dict or "balanced", default=None
        Factors of the losses by label; 0 leaves a class out. "balanced" lets all classes weigh the
        same; of more than two, each class and the rest in its problem, as ``OneVsRestClassifier``.
    warm_start : bool, default=False
        Start at the model of the last fit.
    verbose : bool or int, default=0
        Write gap and iterations to standard error, and show a progress bar over the classes.
    n_jobs : int or None, default=None
        Classes fitted at the same time, in threads; in processes if joblib is told so.
    pool_bytes : int, default=2**30
        Memory that the Gram matrix of the features in use may take; beyond it the solver works on
        the residual.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Coefficients.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts; 0 without one.
    n_iter_ : ndarray of shape (1,) or (n_classes,)
        Bins used, at least 1.
    dual_gap_ : ndarray of shape (1,) or (n_classes,)
        Duality gaps in the units of the objective above.
    certificate_ : FitCertificate, or a list with one for each class
        Primal and dual value, gap, target, status, regime, passes over X and seconds.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are all strings.

    Examples
    --------
    >>> from banditcd import GroupLogisticRegression
    >>> X = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]]
    >>> model = GroupLogisticRegression(groups=2).fit(X, [0, 0, 1, 1])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    def __init__(
        self,
        groups: Groups = 1,
        C: float = 1.0,
        *,
        weights: ArrayLike | None = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        class_weight: ClassWeight = None,
        warm_start: bool = False,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        self.groups = groups
        self.C = C
        self.weights = weights
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads

    def _hyperparameters(self) -> tuple[float, BinarySettings]:
        (warm_start,) = checked(self, {"warm_start": FLAG})
        settings = group_logistic_settings(self, continues=warm_start)
        return check_inverse_strength(self.C, "C"), settings
