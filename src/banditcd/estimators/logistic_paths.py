"""Logistic regression for a whole grid of C, warm-started from the strongest penalty on."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.elsewhere import refuse
from banditcd.estimators.backends.elsewhere import solve_logistic_path as solve_elsewhere
from banditcd.estimators.backends.logistic_path import (
    LogisticPath,
    automatic_grid,
    solve_logistic_path,
)
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.multinomial import Multinomial
from banditcd.estimators.backends.one_vs_rest import OneVsRest
from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.bases.deviance import PathData, mapped_data
from banditcd.estimators.bases.fitted_path import FittedPath, names_of
from banditcd.estimators.bases.libraries import given_in_numpy
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.grid import check_eps
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.labels import Labels
from banditcd.estimators.checks.logistic import check_grid, logistic_settings
from banditcd.estimators.checks.numbers import overflow_is_refused
from banditcd.estimators.checks.parameters import check_real
from banditcd.estimators.checks.path_types import LogisticPathOptions, PerSample, Samples, Weights
from banditcd.estimators.checks.types import Grid
from banditcd.estimators.logistic import LogisticRegression
from banditcd.places.kinds import check_matrix, kind_of


@overflow_is_refused
def logistic_path(
    X: Samples,
    y: PerSample,
    *,
    Cs: Grid = 100,
    l1_ratio: float = 1.0,
    eps: float = 1e-3,
    sample_weight: Weights = None,
    verbose: bool | int = False,
    return_n_iter: bool = False,
    **params: Unpack[LogisticPathOptions],
) -> FittedPath:
    r"""Logistic regression along a grid of C, warm-started and certified.

    At every C, the objective of :class:`banditcd.LogisticRegression`. The tuple that is returned
    has ``table()`` and ``plot()``: :class:`banditcd.estimators.FittedPath`. For X of another
    library (``array_api_dispatch``) it holds arrays of that library.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Labels; more than two classes are one multinomial model, or one against the rest with
        ``multi_class="ovr"``.
    Cs : int or array-like, default=100
        How many values in an automatic grid, or the values. The grid starts at the largest C at
        which no penalized coefficient is non-zero (of any class) and ends at 1 / ``eps`` times
        it; without an L1 penalty it goes from 1e-4 to 1e4.
    l1_ratio : float, default=1.0
        Share of the L1 penalty, from 0 to 1.
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
        Other parameters of :class:`banditcd.LogisticRegression`: ``tol``, ``max_iter``,
        ``fit_intercept``, ``class_weight``, ``penalty_weights``, ``lower``, ``upper``,
        ``standardize``, ``solver``, ``selector``, ``dual``, ``random_state``, ``multi_class``,
        ``n_threads``, ``pool_bytes``.

    Returns
    -------
    Cs : ndarray of shape (n_Cs,)
        From small to large: the strongest penalty first.
    coefs : ndarray of shape (n_features, n_Cs) or (n_classes, n_features, n_Cs)
        Coefficients along the path.
    intercepts : ndarray of shape (n_Cs,) or (n_classes, n_Cs)
        Intercepts along the path.
    dual_gaps : ndarray of shape (n_Cs,)
        Duality gaps, in units of the objective; (n_classes, n_Cs) of one against the rest.
    n_iters : ndarray of shape (n_Cs,)
        Only with ``return_n_iter=True``; (n_classes, n_Cs) of one against the rest.
    """
    library, (X, y, sample_weight) = given_in_numpy(X, y, sample_weight)
    estimator = path_estimator(LogisticRegression, dict(params), {"penalty", "l1_ratio"})
    ratio = check_real(l1_ratio, "l1_ratio", maximum=1.0)
    settings = logistic_settings(estimator, ratio, single=False)
    wanted = check_grid(Cs)
    eps = check_eps(eps, wanted)
    if kind_of(X) is not None:
        found = _elsewhere(estimator, (X, y, sample_weight), settings, (wanted, eps))
        several = found[1].coefs.shape[1] > 1 and len(found[1].certificates[0]) == 1
        seen = mapped_data(X, y, sample_weight, settings.intercept != "none")
        if seen is not None:
            seen.loss = "multinomial" if several else "logistic"
            seen.y = np.unique(np.asarray(y), return_inverse=True)[1]
        return path_answer(*found, settings, return_n_iter, (seen, None))
    # Not the method of LogisticRegression, which tells where a fit of scikit-learn 1.6 differs: no
    # path of scikit-learn has these words.
    data, labels, problems = LinearClassifier._set_up(estimator, X, y, sample_weight, settings)
    grid = automatic_grid(problems, settings, eps, wanted) if isinstance(wanted, int) else wanted
    grid = np.sort(grid)
    path = solve_logistic_path(problems, settings, grid, verbose)
    seen = path_data(data, labels, problems, settings)
    answer = path_answer(grid, path, settings, return_n_iter, (seen, names_of(X)))
    return answer.in_library(library)


def path_data(
    data: Training, labels: Labels, problems: OneVsRest | Multinomial, settings: BinarySettings
) -> PathData:
    """Return what the table of a path is computed from."""
    with_intercept = settings.intercept != "none"
    if isinstance(problems, Multinomial):
        return PathData(data.X, labels.codes, problems.weight, with_intercept, "multinomial")
    known = [weight for weight in problems.weights if weight is not None]
    weights = np.column_stack(known) if known else None
    return PathData(data.X, labels.codes, weights, with_intercept, "logistic")


def path_answer(
    grid: Floats,
    path: LogisticPath,
    settings: BinarySettings,
    return_n_iter: Any,
    known: tuple[PathData | None, Any],
) -> FittedPath:
    """Warn, and return Cs, coefficients, intercepts, gaps, and iterations if asked for.

    ``known``: the data and the names of their columns.
    """
    warn_unless_converged(path.all_certificates, settings)
    coefs, intercepts = np.moveaxis(path.coefs, 0, 2), path.intercepts.T
    gaps = np.array([[c.gap for c in row] for row in path.certificates]).T
    counts = np.array([[c.n_iter for c in row] for row in path.certificates]).T
    if len(coefs) == 1:
        coefs, intercepts = coefs[0], intercepts[0]
    if len(gaps) == 1:
        gaps, counts = gaps[0], counts[0]
    values = (grid, coefs, intercepts, gaps)
    models = ("C", grid, coefs, intercepts, gaps)
    return FittedPath.of((*values, counts) if return_n_iter else values, models, *known)


def _elsewhere(
    estimator: Any,
    data: tuple[Any, Any, Any],
    settings: BinarySettings,
    wanted: tuple[int | Floats, float],
) -> tuple[Floats, LogisticPath]:
    """Solve the path of data that live elsewhere."""
    refuse(estimator, "selector", "class_weight", "standardize", name="A path")
    check_matrix(data[0])
    columns = check_columns(estimator, int(data[0].shape[1]))
    return solve_elsewhere(data, columns, settings, wanted)


def path_estimator(kind: type, params: dict[str, Any], own: set[str]) -> Any:
    """Return an estimator with parameters of a path; ``own``: those that the path has itself."""
    made: Any = kind()
    known = set(made.get_params()) - own - {"C", "warm_start", "n_jobs", "record_history"}
    known -= {"verbose"}
    unknown = sorted(set(params) - known)
    if unknown:
        raise ValueError(
            f"Unexpected parameters: {', '.join(unknown)}. Known: {', '.join(sorted(known))}."
        )
    return kind(**params)
