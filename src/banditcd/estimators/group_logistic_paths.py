"""Logistic regression on groups for a whole grid of C, from the strongest penalty on."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from banditcd.estimators.backends.logistic_path import automatic_grid, solve_logistic_path
from banditcd.estimators.bases.fitted_path import FittedPath, names_of
from banditcd.estimators.bases.group_classifier import group_logistic_settings, refuse_elsewhere
from banditcd.estimators.bases.libraries import given_in_numpy
from banditcd.estimators.checks.grid import check_eps
from banditcd.estimators.checks.logistic import check_grid
from banditcd.estimators.checks.numbers import overflow_is_refused
from banditcd.estimators.checks.path_types import GroupPathOptions, Samples, Weights
from banditcd.estimators.checks.types import Grid, Groups
from banditcd.estimators.group_logistic import GroupLogisticRegression
from banditcd.estimators.logistic_paths import path_answer, path_data, path_estimator
from banditcd.places.kinds import kind_of


@overflow_is_refused
def group_logistic_path(
    X: Samples,
    y: ArrayLike,
    groups: Groups = 1,
    *,
    Cs: Grid = 100,
    eps: float = 1e-3,
    sample_weight: Weights = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    **params: Unpack[GroupPathOptions],
) -> FittedPath:
    r"""Logistic regression on groups of features along a grid of C, warm-started and certified.

    At every C, the objective of :class:`banditcd.GroupLogisticRegression`. The tuple that is
    returned has ``table()`` and ``plot()``: :class:`banditcd.estimators.FittedPath`. For X of
    another library (``array_api_dispatch``) it holds arrays of that library.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples. Fortran order and CSC avoid a copy.
    y : array-like of shape (n_samples,)
        Labels; more than two classes are one path each, the class against the rest, along the same
        grid.
    groups : int, array-like of shape (n_features,) or list of lists, default=1
        As in :class:`banditcd.GroupLogisticRegression`.
    Cs : int or array-like, default=100
        How many values in an automatic grid, or the values. The grid starts at the largest C at
        which no penalized coefficient is non-zero (of any class) and ends at 1 / ``eps`` times it.
    eps : float, default=1e-3
        How far an automatic grid reaches, between 0 and 1: its smallest C is ``eps`` times its
        largest. 1e-3 makes the penalty a thousand times weaker from one end to the other.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the losses.
    verbose : bool or int, default=False
        Show a progress bar.
    return_n_iter : bool, default=False
        Return the iterations too.
    **params
        Other parameters of :class:`banditcd.GroupLogisticRegression`: ``weights``,
        ``fit_intercept``, ``max_iter``, ``tol``, ``class_weight``, ``pool_bytes``, ``n_threads``.

    Returns
    -------
    Cs : ndarray of shape (n_Cs,)
        From small to large: the strongest penalty first.
    coefs : ndarray of shape (n_features, n_Cs) or (n_classes, n_features, n_Cs)
        Coefficients along the path.
    intercepts : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Intercepts along the path.
    dual_gaps : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Duality gaps, in units of the objective.
    n_iters : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Only with ``return_n_iter=True``.
    """
    library, (X, y, sample_weight) = given_in_numpy(X, y, sample_weight)
    estimator = path_estimator(GroupLogisticRegression, dict(params), {"groups"})
    estimator.groups = groups
    settings = group_logistic_settings(estimator)
    wanted = check_grid(Cs)
    eps = check_eps(eps, wanted)
    if kind_of(X) is not None:
        refuse_elsewhere(X, "group_logistic_path")
    data, labels, problems = estimator._set_up(X, y, sample_weight, settings)
    grid = automatic_grid(problems, settings, eps, wanted) if isinstance(wanted, int) else wanted
    grid = np.sort(grid)
    path = solve_logistic_path(problems, settings, grid, verbose)
    seen = path_data(data, labels, problems, settings)
    answer = path_answer(grid, path, settings, return_n_iter, (seen, names_of(X)))
    return answer.in_library(library)
