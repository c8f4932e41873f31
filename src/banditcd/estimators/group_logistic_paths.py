"""Logistic regression on groups for a whole grid of C, from the strongest penalty on."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd.estimators.backends.logistic_path import automatic_grid, solve_logistic_path
from banditcd.estimators.bases.fitted_path import FittedPath, names_of
from banditcd.estimators.checks.logistic import check_grid
from banditcd.estimators.checks.parameters import check_real
from banditcd.estimators.group_logistic import (
    GroupLogisticRegression,
    group_logistic_settings,
    refuse_elsewhere,
)
from banditcd.estimators.logistic_paths import path_answer, path_data, path_estimator
from banditcd.places.kinds import kind_of


def group_logistic_path(
    X: Any,
    y: Any,
    groups: Any = 1,
    *,
    Cs: Any = 100,
    eps: Any = 1e-3,
    sample_weight: Any = None,
    verbose: Any = False,
    return_n_iter: Any = False,
    **params: Any,
) -> FittedPath:
    r"""Logistic regression on groups of features along a grid of C, warm-started and certified.

    At every C, the objective of :class:`banditcd.GroupLogisticRegression`. The tuple that is
    returned has ``table()`` and ``plot()``: :class:`banditcd.estimators.FittedPath`.

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
        Strongest over weakest penalty of an automatic grid, inverted.
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
    estimator = path_estimator(GroupLogisticRegression, params, {"groups"})
    estimator.groups = groups
    settings = group_logistic_settings(estimator)
    eps = check_real(eps, "eps", positive=True)
    wanted = check_grid(Cs)
    if kind_of(X) is not None:
        refuse_elsewhere(X, "group_logistic_path")
    data, labels, problems = estimator._set_up(X, y, sample_weight, settings)
    grid = automatic_grid(problems, settings, eps, wanted) if isinstance(wanted, int) else wanted
    grid = np.sort(grid)
    path = solve_logistic_path(problems, settings, grid, verbose)
    seen = path_data(data, labels, problems, settings)
    return path_answer(grid, path, settings, return_n_iter, (seen, names_of(X)))
