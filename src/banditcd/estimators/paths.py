"""``enet_path`` and ``lasso_path``: scikit-learn's signatures and return values.

The solver of paths is imported on first use: every estimator has these functions as its ``path``,
and a single fit does without.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from banditcd._typing import Floats
from banditcd.data.storage import check_storage
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.prepared import Prepared, prepare
from banditcd.estimators.backends.progress import followed_path
from banditcd.estimators.bases.deviance import PathData, mapped_data
from banditcd.estimators.bases.fitted_path import FittedPath, names_of
from banditcd.estimators.bases.libraries import given_in_numpy, to_numpy
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.gram import check_gram
from banditcd.estimators.checks.grid import (
    PATH_WORDS,
    PathRequest,
    check_path,
    number_or_values,
)
from banditcd.estimators.checks.inputs import Training, as_columns, check_training
from banditcd.estimators.checks.numbers import overflow_is_refused
from banditcd.estimators.checks.parameters import check_real
from banditcd.estimators.checks.path_types import (
    LassoPathOptions,
    LinearPathOptions,
    PerSample,
    Samples,
)
from banditcd.estimators.checks.settings import LinearSettings, check_settings
from banditcd.estimators.checks.types import Grid, Precompute
from banditcd.places.kinds import check_matrix, kind_of
from banditcd.solvers import POOL_BYTES

OPTIONS = {
    "tol": 1e-4,
    "max_iter": 1000,
    "fit_intercept": False,
    "sample_weight": None,
    "penalty_weights": None,
    "lower": None,
    "upper": None,
    "standardize": False,
    "solver": "auto",
    "selector": "auto",
    "random_state": None,
    "selection": "cyclic",
    "n_threads": None,
    "pool_bytes": POOL_BYTES,
    "do_screening": True,
}


@overflow_is_refused
def enet_path(
    X: Samples,
    y: PerSample,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    n_alphas: int | None = None,
    alphas: Grid | None = 100,
    precompute: Precompute = "auto",
    Xy: ArrayLike | None = None,  # noqa: ARG001 - scikit-learn's word for what we compute ourselves
    copy_X: bool = True,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    positive: bool = False,
    check_input: bool = True,
    **params: Unpack[LinearPathOptions],
) -> FittedPath:
    r"""Elastic-net path, warm-started and certified.

    At every alpha, :math:`\frac{1}{2n}\|y - Xw\|^2 + \alpha(\rho\|w\|_1 +
    \frac{1-\rho}{2}\|w\|^2)`. The tuple that is returned has ``table()`` and ``plot()``:
    :class:`banditcd.estimators.FittedPath`. For X of another library (``array_api_dispatch``) it
    holds arrays of that library.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples. Fortran order and CSC avoid a copy.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Response. With two dimensions the path is joint, that of
        :class:`banditcd.MultiTaskElasticNet`: a feature is used by all responses or by none.
    l1_ratio : float, default=0.5
        Share of the L1 penalty, from 0 to 1.
    eps : float, default=1e-3
        How far an automatic grid reaches, between 0 and 1: its smallest alpha is ``eps`` times its
        largest, the one at which no feature is used.
    n_alphas : int, default=None
        The older word for an integer ``alphas``.
    alphas : int or array-like, default=100
        How many alphas in an automatic grid, or their values.
    precompute : bool, "auto" or array-like of shape (n_features, n_features), default="auto"
        A Gram matrix is checked against X and used; without one the solver decides what to compute.
    Xy, copy_X
        Accepted for compatibility, without effect: X is never overwritten.
    coef_init : array-like of shape (n_features,), default=None
        Where the first solve starts.
    verbose : bool or int, default=False
        Show a progress bar.
    return_n_iter : bool, default=False
        Return the number of bins (or epochs) too.
    positive : bool, default=False
        Keep the coefficients non-negative.
    check_input : bool, default=True
        False skips the checks of X and y.
    **params
        ``tol`` and ``max_iter`` as in :class:`banditcd.ElasticNet`; ``fit_intercept`` (False
        here), ``sample_weight``, ``penalty_weights``, ``lower``, ``upper``, ``standardize``,
        ``solver``, ``selector``, ``random_state``, ``n_threads``, ``pool_bytes`` too.
        ``selection`` and ``do_screening`` have no effect.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        From large to small.
    coefs : ndarray of shape (n_features, n_alphas) or (n_targets, n_features, n_alphas)
        Coefficients along the path.
    dual_gaps : ndarray of shape (n_alphas,)
        Duality gaps, in units of the objective above.
    n_iters : list of int
        Only with ``return_n_iter=True``.
    intercepts : ndarray of shape (n_alphas,) or (n_targets, n_alphas)
        Only with ``fit_intercept=True``, as the last.
    """
    library, (X, y, coef_init, words) = given_in_numpy(X, y, coef_init, dict(params))
    options = _options(words, to_numpy(precompute), copy_X, positive)
    ratio = check_real(l1_ratio, "l1_ratio", maximum=1.0)
    given = number_or_values(alphas, n_alphas, PATH_WORDS)
    asked = check_path(given, eps, coef_init, verbose)
    if np.ndim(y) == 2 and kind_of(X) is None:
        joint = _joint(X, y, options, ratio, (asked, check_input, return_n_iter))
        return joint.in_library(library)
    settings = check_settings(options, ratio)
    if kind_of(X) is not None:
        found, seen = _elsewhere((X, y), options, settings, asked)
        return _answer(found, settings, return_n_iter, (seen, None))
    data = _data(X, y, options.sample_weight, check_input, values=not settings.finds_overflow)
    gram = check_gram(options.precompute, data, settings.fit_intercept)
    prepared = prepare(data, check_columns(options, data.X.shape[1]), settings, gram)
    try:
        found = _follow(prepared, data, asked)
    except OverflowError:  # says what is wrong with the values, if the solver does not
        _data(X, y, options.sample_weight, check_input, values=True)
        raise
    known = (PathData(data.X, data.y, data.sample_weight, settings.fit_intercept), names_of(X))
    return _answer(found, settings, return_n_iter, known).in_library(library)


def lasso_path(
    X: Samples,
    y: PerSample,
    *,
    eps: float = 1e-3,
    n_alphas: int | None = None,
    alphas: Grid | None = 100,
    precompute: Precompute = "auto",
    Xy: ArrayLike | None = None,
    copy_X: bool = True,
    coef_init: ArrayLike | None = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    positive: bool = False,
    **params: Unpack[LassoPathOptions],
) -> FittedPath:
    """Lasso path, warm-started and certified: :func:`enet_path` with ``l1_ratio=1``.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Response; several are joint, as in :func:`enet_path`.
    eps, n_alphas, alphas, precompute, Xy, copy_X, coef_init, verbose, return_n_iter, positive
        As in :func:`enet_path`.
    **params
        Its other parameters, ``check_input`` too.

    Returns
    -------
    alphas, coefs, dual_gaps; with ``return_n_iter=True`` n_iters; with ``fit_intercept=True`` \
intercepts
        As :func:`enet_path`.
    """
    if "l1_ratio" in params:
        raise TypeError("lasso_path has no l1_ratio; use enet_path.")
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        n_alphas=n_alphas,
        alphas=alphas,
        precompute=precompute,
        Xy=Xy,
        copy_X=copy_X,
        coef_init=coef_init,
        verbose=verbose,
        return_n_iter=return_n_iter,
        positive=positive,
        **params,
    )


def _elsewhere(
    data: tuple[Any, Any], options: Any, settings: LinearSettings, asked: PathRequest
) -> tuple[tuple[Floats, Floats, Any, Floats], PathData | None]:
    """Solve the path of data that live elsewhere, several alphas per reading of X."""
    from banditcd.estimators.backends.elsewhere import refuse, solve_elastic_net_path

    X, y = data
    given = SimpleNamespace(coef_init=asked.coef_init, **vars(options))
    refuse(given, "selector", "standardize", "coef_init", name="A path")
    check_matrix(X)
    columns = check_columns(options, int(X.shape[1]))
    samples, reach = (X, y, options.sample_weight), (asked.alphas, asked.eps)
    grid, solutions = solve_elastic_net_path(samples, columns, settings, reach, asked.verbose)
    certificates = [s.certificate for s in solutions]
    coefs = np.asfortranarray(np.array([s.coef for s in solutions]).T)
    found = (grid, coefs, certificates, np.array([s.intercept for s in solutions]))
    return found, mapped_data(X, y, options.sample_weight, settings.fit_intercept)


def _answer(
    found: tuple[Floats, Floats, Any, Floats],
    settings: LinearSettings,
    return_n_iter: Any,
    known: tuple[PathData | None, Any],
) -> FittedPath:
    """Warn, and return alphas, coefficients, gaps, and iterations and intercepts if asked for.

    ``known``: the data and the names of their columns.
    """
    from banditcd.estimators.backends.certificates import gaps, missed

    grid, coefs, certificates, intercepts = found
    warn_unless_converged(missed(certificates), settings, total=len(grid))
    counts = [[c.n_iter for c in certificates]] if return_n_iter else []
    ends = [intercepts] if settings.fit_intercept else []
    short = gaps(certificates)
    told = ("alpha", grid, coefs, intercepts, short)
    return FittedPath.of((grid, coefs, short, *counts, *ends), told, *known)


def _joint(X: Any, y: Any, options: Any, l1_ratio: float, asked: Any) -> FittedPath:
    from banditcd.estimators.block_paths import joint_path

    return joint_path(X, y, options, l1_ratio, asked)


def _follow(
    prepared: Prepared, data: Training, asked: PathRequest
) -> tuple[Floats, Floats, Any, Floats]:
    """Return alphas, coefficients, certificates and intercepts."""
    from banditcd.estimators.backends.path_solver import alpha_grid, in_precision_of, solve_path

    number = asked.alphas if isinstance(asked.alphas, int) else len(asked.alphas)
    backend = prepared.backend(data.y, solves=number)
    grid = alpha_grid(backend, prepared.settings.l1_ratio, asked.eps, asked.alphas)
    if asked.coef_init is not None:
        backend.start_at(prepared.scaled(asked.start((data.X.shape[1],))))
    path = solve_path(prepared, backend, followed_path(grid, asked.verbose), number)
    path = in_precision_of(data.X, prepared, data.y, grid, path)
    return grid, path.coefs, path.certificates, path.intercepts


def _options(params: dict[str, Any], precompute: Any, copy_X: Any, positive: Any) -> Any:
    if unknown := sorted(params.keys() - OPTIONS.keys()):
        raise ValueError(
            f"Unexpected parameters in params: {', '.join(unknown)}. Known: "
            f"{', '.join(sorted(OPTIONS))}."
        )
    given = {"precompute": precompute, "copy_X": copy_X, "positive": positive}
    return SimpleNamespace(**OPTIONS | params | given)


def _data(X: Any, y: Any, sample_weight: Any, check_input: bool, *, values: bool) -> Training:
    if check_input:
        return check_training(None, X, y, sample_weight, multi_output=False, values=values)
    check_storage(X)
    return Training(as_columns(X), np.asarray(y, dtype=np.float64), sample_weight)


__all__ = ["enet_path", "lasso_path"]
