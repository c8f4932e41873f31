"""Parameter texts that the estimators share, filled into their docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TypeVar

Documented = TypeVar("Documented", bound=type)

COMMON_PARAMETERS = """
fit_intercept : bool, default=True
    Whether to fit an unpenalized intercept. X is never centered in memory.
precompute : bool, "auto" or array-like of shape (n_features, n_features), default={precompute}
    A Gram matrix :math:`X^\\top S X` that is given (of centered columns beside an intercept, as in
    scikit-learn) is checked against X, and the fit on all samples uses it. Without one the solver
    decides, by a cost model, which part of it is worth computing, as it does for one in float32.
copy_X : bool, default=True
    Accepted for compatibility, without effect: X is never overwritten. Fortran-ordered and CSC
    data are used as they are, anything else is converted once.
max_iter : int, default=1000
    Limit on bins (refreshes of what is known about all features) of the fast solver, or on
    epochs of a selector.
tol : float, default=1e-4
    Stop when the duality gap is at most ``tol`` times the objective of the null model (the best
    constant with an intercept, zero without). scikit-learn's target is twice that, and its
    coefficients settle on the way: the fast solver goes on to ``1e-3 tol**2`` where it can, so that
    its coefficients are no less accurate, and is judged by ``tol``.
positive : bool, default=False
    Keep the coefficients non-negative; the same as ``lower=0``.
random_state : int, RandomState, Generator or None, default=None
    Seed of a randomized ``selector``; the fast solver draws nothing.
selection : {{"cyclic", "random"}}, default="cyclic"
    Accepted for compatibility, without effect; see ``selector``.
solver : {{"auto", "fast", "engine"}}, default="auto"
    "fast" is the fast solver, "engine" is :func:`banditcd.minimize` with ``selector``.
    "auto" is the fast solver unless a selector is given.
selector : str or object, default="auto"
    Any selector of :mod:`banditcd.selectors`, by name or as an object, or your own. It minimizes
    the same objective to the same certificate. With an intercept, dense data are centered in one
    copy and sparse data alternate epochs with exact intercepts.
penalty_weights : array-like of shape (n_features,), default=None
    Multiply the L1 and the L2 penalty of a feature; 0 leaves it unpenalized, inf excludes it.
    They are not renormalized.
lower, upper : float or array-like of shape (n_features,), default=None
    Bounds of the coefficients, ``lower <= 0 <= upper``.
standardize : bool, default=False
    Penalize the coefficients of columns divided by their (weighted) standard deviation, or root
    mean square without an intercept. ``coef_``, ``lower`` and ``upper`` are for the columns as
    given. With an L2 part this takes one scaled copy of X.
n_threads : int or None, default=None
    Upper limit on threads within one solve (None: the environment variables, or all cores);
    results depend on it up to rounding. Small data use one; folds run side by side with ``n_jobs``.
pool_bytes : int, default=2**30
    Memory that the solver's Gram matrix may take; beyond it the fast solver works on the
    residual. A sample of the rows to start from is copied only if it fits in as well. A search
    whose folds share their Gram matrices keeps all of them within it.
"""

COMMON_ATTRIBUTES = """
coef_ : ndarray of shape (n_features,){targets}
    Coefficients: float32 if X is, else float64. The certificate, in float64, is that of these
    numbers.
sparse_coef_ : sparse matrix of shape (1, n_features){targets}
    The same, sparse.
intercept_ : float{several}
    The intercept; 0.0 without one.
n_iter_ : int{several}
    Bins or epochs used, at most ``max_iter``; 0 only if ``warm_start`` found nothing left to do.
dual_gap_ : float{several}
    Duality gap in the units of the objective above.
certificate_ : FitCertificate{several}
    Primal and dual value, gap, target, status, regime, passes over X and seconds.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if X had names that are all strings.
"""


CLASSIFIER_PARAMETERS = """
tol : float, default=1e-4
    Stop when the duality gap is at most a share of ``tol`` of the objective of the null model (the
    best constant with an unpenalized intercept, else zero), or of the model itself, that makes
    the fit as accurate as scikit-learn's; docs/accuracy.md has the shares.
fit_intercept : bool, default=True
    Whether to fit an intercept. X is never centered in memory.
intercept_scaling : float, default=1
    {scaling}
class_weight : dict or "balanced", default=None
    Factors of the losses by label; 0 leaves a class out. "balanced" lets all classes weigh the
    same. {several}
random_state : int, RandomState, Generator or None, default=None
    Seed of a randomized ``selector``; the native solver draws nothing that matters.
max_iter : int, default={max_iter}
    Limit on iterations (passes over the data) of the native solver, or on epochs of a selector.
verbose : bool or int, default=0
    Write gap and iterations to standard error, and show a progress bar over the classes.
solver : str, default="auto"
    "fast" is the native solver, "engine" is :func:`banditcd.minimize` with ``selector``.
    "auto" is the native solver unless a selector is given. The name of a strategy that
    ``certificate_.regime`` reports lets the native solver use that one only.{names}
selector : str or object, default="auto"
    Any selector of :mod:`banditcd.selectors`, by name or as an object, or your own. It minimizes
    the same objective, to a gap of ``tol`` times the null model's.
record_history : bool, default=False
    Keep ``history_``: one row per iteration or epoch.
"""

CLASSIFIER_ATTRIBUTES = """
classes_ : ndarray of shape (n_classes,)
    The labels, in order.
coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    Coefficients{precision}. The certificate, in float64, is that of
    these numbers.
intercept_ : ndarray of shape (1,) or (n_classes,){without}
    Intercepts; 0 without one.
n_iter_ : {n_iter}
    Iterations (of a support vector machine: passes over X) or epochs used, at most ``max_iter``.
dual_gap_ : ndarray of shape (1,) or (n_classes,)
    Duality gaps in the units of the objective above.
certificate_ : FitCertificate, or a list with one for each class
    Primal and dual value, gap, target, status, regime, passes over X and seconds.
history_ : Trace, or a list with one for each class
    With ``record_history=True``: objective, gap, work and seconds after each iteration or epoch.
n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if X had names that are all strings.
"""


def documented(**values: str) -> Callable[[Documented], Documented]:
    """Fill ``{common_parameters}`` and ``{common_attributes}`` of a class docstring."""
    return _filling(COMMON_PARAMETERS.format(**values), COMMON_ATTRIBUTES.format(**values))


def documented_classifier(**values: str) -> Callable[[Documented], Documented]:
    """Fill the same places of a classifier's docstring."""
    values = {"precision": ": float32 if X is, else float64"} | values
    return _filling(CLASSIFIER_PARAMETERS.format(**values), CLASSIFIER_ATTRIBUTES.format(**values))


def _filling(parameters: str, attributes: str) -> Callable[[Documented], Documented]:
    texts = {"common_parameters": parameters, "common_attributes": attributes}

    return lambda kind: filled(kind, texts)


def filled(kind: Documented, texts: Mapping[str, str]) -> Documented:
    """Put texts into the places of a class docstring that have their names in braces.

    The docstring loses its indentation first, as Python's compiler takes it away since 3.13.
    """
    doc = inspect.cleandoc(kind.__doc__ or "")
    for name, text in texts.items():
        doc = doc.replace("{" + name + "}", text.strip())
    kind.__doc__ = doc
    return kind
