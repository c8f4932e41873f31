"""Paths of the block solver: ``group_lasso_path``, and the joint paths of several responses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from banditcd._typing import Floats
from banditcd.estimators.backends.blocks import BlockBackend
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.path_solver import alpha_grid
from banditcd.estimators.backends.progress import followed_path
from banditcd.estimators.bases.block_model import block_settings
from banditcd.estimators.bases.deviance import PathData
from banditcd.estimators.bases.fitted_path import FittedPath, names_of
from banditcd.estimators.bases.libraries import given_in_numpy
from banditcd.estimators.checks.grid import PathRequest, check_path
from banditcd.estimators.checks.groups import Blocks, check_group_weights, check_groups
from banditcd.estimators.checks.inputs import Training, as_columns, check_training
from banditcd.estimators.checks.numbers import overflow_is_refused
from banditcd.estimators.checks.path_types import Samples, Weights
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.checks.types import Grid, Groups
from banditcd.solvers import POOL_BYTES

#: Words of ``enet_path`` that have no meaning for several responses at once.
SINGLE_WORDS = {
    "positive": False,
    "lower": None,
    "upper": None,
    "standardize": False,
    "selector": "auto",
}


@overflow_is_refused
def group_lasso_path(
    X: Samples,
    y: ArrayLike,
    groups: Groups = 1,
    *,
    weights: ArrayLike | None = None,
    eps: float = 1e-3,
    alphas: Grid = 100,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    fit_intercept: bool = False,
    sample_weight: Weights = None,
    tol: float = 1e-4,
    max_iter: int = 1000,
    pool_bytes: int = POOL_BYTES,
    n_threads: int | None = None,
) -> FittedPath:
    r"""Group Lasso path, warm-started and certified.

    At every alpha, :math:`\frac{1}{2n}\|y - Xw\|^2 + \alpha \sum_g p_g \|w_g\|`. For X of
    another library (``array_api_dispatch``) the tuple holds arrays of that library.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples. Fortran order and CSC avoid a copy.
    y : array-like of shape (n_samples,)
        Response.
    groups, weights
        As in :class:`banditcd.GroupLasso`.
    eps : float, default=1e-3
        How far an automatic grid reaches, between 0 and 1: its smallest alpha is ``eps`` times its
        largest, the one at which no feature is used.
    alphas : int or array-like, default=100
        How many alphas in an automatic grid, or their values.
    coef_init : array-like of shape (n_features,), default=None
        Where the first solve starts.
    verbose : bool or int, default=False
        Show a progress bar.
    return_n_iter : bool, default=False
        Return the numbers of bins too.
    fit_intercept, sample_weight, tol, max_iter, pool_bytes, n_threads
        As in :class:`banditcd.GroupLasso`; without an intercept by default, as ``lasso_path``.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        From large to small.
    coefs : ndarray of shape (n_features, n_alphas)
        Coefficients along the path.
    dual_gaps : ndarray of shape (n_alphas,)
        Duality gaps, in units of the objective above.
    n_iters : list of int
        Only with ``return_n_iter=True``.
    intercepts : ndarray of shape (n_alphas,)
        Only with ``fit_intercept=True``, as the last.
    """
    library, found = given_in_numpy(X, y, sample_weight, coef_init)
    X, y, sample_weight, coef_init = found
    options = SimpleNamespace(
        tol=tol,
        max_iter=max_iter,
        fit_intercept=fit_intercept,
        pool_bytes=pool_bytes,
        n_threads=n_threads,
    )
    settings = block_settings(options, 1.0)
    data = check_training(None, X, y, sample_weight, multi_output=False)
    blocks = check_groups(groups, weights, data.X.shape[1])
    asked = check_path(alphas, eps, coef_init, verbose)
    path = _path(data, blocks, settings, asked, return_n_iter, names_of(X))
    return path.in_library(library)


def joint_path(
    X: Any, y: Any, options: Any, l1_ratio: float, wishes: tuple[PathRequest, bool, bool]
) -> FittedPath:
    """Return the path of several responses that use the same features.

    ``wishes``: the models, check_input and return_n_iter; coefficients have shape (n_targets,
    n_features, n_alphas).
    """
    asked, check_input, return_n_iter = wishes
    for word, nothing in SINGLE_WORDS.items():
        if getattr(options, word) is not nothing and getattr(options, word) != nothing:
            raise ValueError(
                f"{word}={getattr(options, word)!r} is not allowed for multi-output (y.ndim != 1): "
                "it is a word of paths of one response."
            )
    settings = block_settings(options, l1_ratio)
    if check_input:
        data = check_training(None, X, y, options.sample_weight, multi_output=True)
    else:
        data = Training(as_columns(X), np.asarray(y, dtype=np.float64), options.sample_weight)
    blocks = Blocks()
    if options.penalty_weights is not None:
        given = check_group_weights(options.penalty_weights, data.X.shape[1], "penalty_weights")
        blocks = Blocks(weights=given)
    return _path(data, blocks, settings, asked, return_n_iter, names_of(X))


def _path(
    data: Training,
    blocks: Blocks,
    settings: LinearSettings,
    asked: PathRequest,
    return_n_iter: bool,
    names: Any,
) -> FittedPath:
    backend = BlockBackend(data, blocks, settings)
    grid: Floats = alpha_grid(backend, settings.l1_ratio, asked.eps, asked.alphas)
    if asked.coef_init is not None:
        backend.start_at(asked.start((*data.y.shape[1:], data.X.shape[1])))
    path = backend.path(followed_path(grid, asked.verbose), len(grid))
    missed = [certificate for certificate in path.certificates if not certificate.converged]
    warn_unless_converged(missed, settings, total=len(grid))
    gaps = np.array([certificate.gap for certificate in path.certificates])
    counts = [[c.n_iter for c in path.certificates]] if return_n_iter else []
    seen = PathData(data.X, data.y, data.sample_weight, settings.fit_intercept)
    models = ("alpha", grid, path.coefs, path.intercepts, gaps)
    ends = [path.intercepts] if settings.fit_intercept else []
    return FittedPath.of((grid, path.coefs, gaps, *counts, *ends), models, seen, names)
