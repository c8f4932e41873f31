"""Parameter texts that the models with blocks share, filled into their docstrings."""

from __future__ import annotations

from banditcd.estimators.checks.docs import Documented, filled

COMMON_PARAMETERS = """
fit_intercept : bool, default=True
    Whether to fit unpenalized intercepts. X is never centered in memory.
max_iter : int, default=1000
    Limit on bins (refreshes of what is known about all features).
tol : float, default=1e-4
    Stop when the duality gap is at most ``tol`` times the objective of the null model (the best
    constants with intercepts, zero without).
n_threads : int or None, default=None
    Upper limit on threads for passes over X that take longer than about two milliseconds (None:
    the environment variables, or all cores); results depend on it up to rounding.
"""

TASK_PARAMETERS = """
copy_X, random_state, selection
    Accepted for compatibility, without effect: X is never overwritten and nothing is drawn.
penalty_weights : array-like of shape (n_features,), default=None
    Multiply the penalties of a feature; 0 leaves it unpenalized, inf excludes it.
pool_bytes : int, default=2**30
    Memory that the Gram matrix of the pool may take; beyond it the solver works on the residual.
"""

GROUP_PARAMETERS = """
groups : int, array-like of shape (n_features,) or list of lists, default=1
    The size of equal groups of consecutive features, the label of every feature's group, or the
    features of every group.
"""

WEIGHT_PARAMETERS = """
weights : array-like of shape (n_groups,), default=None
    Penalty weights of the groups, in the order of the groups (of the sorted labels); 0 leaves a
    group unpenalized, inf excludes it. By default the root of the size of the group.
"""

SEARCH_PARAMETERS = """
eps : float, default=1e-3
    How far an automatic grid reaches, between 0 and 1: its smallest alpha is ``eps`` times its
    largest, the one at which no feature is used.
alphas : int or array-like, default=100
    How many alphas in an automatic grid, or their values.
cv : int, splitter or iterable, default=None
    Folds: 5 by default, a number, a splitter, or pairs of training and test rows.
verbose : bool or int, default=False
    Show a progress bar over the folds, and write gap and iterations to standard error.
n_jobs : int or None, default=None
    Folds fitted at the same time, in threads; in processes if joblib is told so.
"""

SELECT_PARAMETERS = """
select_alpha : {"min", "1se"}, default="min"
    "min" takes the smallest mean test error, "1se" the largest alpha within one standard error of
    it.
"""

SEARCH_ATTRIBUTES = """
alpha_ : float
    The chosen alpha, by the rule of ``select_alpha``.
alphas_ : ndarray of shape (n_alphas,) or (n_l1_ratio, n_alphas)
    The alphas compared, from large to small.
mse_path_ : ndarray of shape (n_alphas, n_folds) or (n_l1_ratio, n_alphas, n_folds)
    Mean squared error on the test rows of every fold.
support_path_ : ndarray of the same shape
    Number of features that the model of every fold uses.
"""

COMMON_ATTRIBUTES = """
sparse_coef_ : sparse matrix of shape (1 or n_targets, n_features)
    The coefficients, sparse.
n_iter_ : int
    Bins used, at least 1.
dual_gap_ : float
    Duality gap in the units of the objective above.
eps_ : float
    The gap asked for: ``tol`` times the objective of the null model.
certificate_ : FitCertificate
    Primal and dual value, gap, target, status, regime, passes over X and seconds.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if X had names that are all strings.
"""

_TEXTS = {
    "common_parameters": COMMON_PARAMETERS,
    "task_parameters": TASK_PARAMETERS,
    "group_parameters": GROUP_PARAMETERS,
    "weight_parameters": WEIGHT_PARAMETERS,
    "search_parameters": SEARCH_PARAMETERS,
    "select_parameters": SELECT_PARAMETERS,
    "search_attributes": SEARCH_ATTRIBUTES,
    "common_attributes": COMMON_ATTRIBUTES,
}


def documented_blocks(kind: Documented) -> Documented:
    """Fill the places of a class docstring."""
    return filled(kind, _TEXTS)
