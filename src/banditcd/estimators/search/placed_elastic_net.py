"""The search of LassoCV and ElasticNetCV over data that live elsewhere.

The folds are row weights and their loops run in step, so that a reading of X serves all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import eigvalsh

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.elsewhere import note_columns, refuse
from banditcd.estimators.backends.path_solver import alpha_grid
from banditcd.estimators.backends.placed import PlacedElasticNet
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.column_options import ColumnOptions, check_columns
from banditcd.estimators.checks.grid import check_alphas, check_eps
from banditcd.estimators.checks.parameters import FLAG, JOBS, checked
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.placed_folds import PlacedSearch, placed_folds, squared_sums
from banditcd.estimators.search.routing import routed
from banditcd.estimators.search.selection import best_of_folds
from banditcd.places.place import Place
from banditcd.places.rows import opened
from banditcd.places.scores import models_of

PATH_ATTRIBUTES = ("coef_path_", "intercept_path_", "alpha_path_")


@dataclass(slots=True)
class Candidates:
    """The values of l1_ratio, each with its alphas."""

    settings: list[LinearSettings]
    alphas: list[Floats]

    def pairs(self) -> list[tuple[LinearSettings, Floats]]:
        """Return the settings and alphas of every candidate."""
        return list(zip(self.settings, self.alphas, strict=True))


def search_elsewhere(
    model: Any, data: tuple[Any, Any, Any], settings: list[LinearSettings], params: dict[str, Any]
) -> list[FitCertificate]:
    """Choose alpha and l1_ratio, fit all rows and keep the model; return all certificates."""
    checked(model, {"store_path": FLAG, "n_jobs": JOBS})
    X, y, sample_weight = data
    refuse(model, "selector", "standardize")
    note_columns(model, X)
    columns = check_columns(model, model.n_features_in_)
    for name in ("mse_path_", "support_path_", "criterion_", *PATH_ATTRIBUTES):
        model.__dict__.pop(name, None)
    with opened(X) as rows:
        weight = None if sample_weight is None else rows.vector(sample_weight, "sample_weight")
        search = PlacedSearch(rows, rows.vector(y, "y"), weight, [], model.verbose)
        whole = PlacedElasticNet(search.place(), columns, settings[0], model.verbose)
        candidates = _candidates(model, whole, settings)
        if model.select_alpha in ("aic", "bic"):
            solutions, *choice = _by_criterion(model, whole, candidates)
            return _refit(model, whole, candidates, choice) + [s.certificate for s in solutions]
        arguments, _ = routed(model, sample_weight, params)
        search = replace(search, folds=placed_folds(rows, model.cv, arguments, y))
        solutions, *choice = _by_folds(model, search, columns, candidates)
        return _refit(model, whole, candidates, choice) + [s.certificate for s in solutions]


def _candidates(model: Any, whole: PlacedElasticNet, settings: list[LinearSettings]) -> Candidates:
    wanted = check_alphas(model.alphas)
    eps = check_eps(model.eps, wanted)
    alphas = []
    for setting in settings:
        whole.settings = setting
        alphas.append(alpha_grid(whole, setting.l1_ratio, eps, wanted))
    automatic = isinstance(wanted, int) and len(settings) > 1
    model.alphas_ = np.array(alphas) if automatic else alphas[0]
    return Candidates(settings, alphas)


def _by_folds(
    model: Any, search: PlacedSearch, columns: ColumnOptions, candidates: Candidates
) -> tuple[list[Solution], int, int]:
    """Fit and measure all folds; return their solutions and the choice."""

    def paths(_: int, place: Place) -> list[Solution]:
        solver = PlacedElasticNet(place, columns, candidates.settings[0])
        found = []
        for settings, alphas in candidates.pairs():
            solver.settings = settings
            found += solver.path(alphas.tolist())
        return found

    fitted = search.fitted(paths)
    models = [
        models_of(np.array([s.coef for s in found]), np.array([s.intercept for s in found]))
        for found in fitted
    ]
    sums = squared_sums(search, models, 0.0)
    errors = np.reshape(
        [part.mean_errors for part in sums], (len(sums), len(candidates.alphas), -1)
    )
    by_candidate = np.moveaxis(errors, 0, 1)  # candidates, folds, alphas
    model.mse_path_ = np.squeeze(np.moveaxis(by_candidate, 2, 1))
    supports = np.reshape([[np.count_nonzero(s.coef) for s in f] for f in fitted], errors.shape)
    model.support_path_ = np.squeeze(np.moveaxis(supports, 0, 2))
    choices = [best_of_folds(part, model.select_alpha == "1se") for part in by_candidate]
    chosen = int(np.argmin([error for _, error in choices]))
    return [s for found in fitted for s in found], chosen, choices[chosen][0]


def _by_criterion(
    model: Any, whole: PlacedElasticNet, candidates: Candidates
) -> tuple[list[Solution], int, int]:
    """Compare AIC or BIC along the paths of all rows; return the solutions and the choice."""
    values, solutions = [], []
    for settings, alphas in candidates.pairs():
        whole.settings = settings
        path = whole.path(alphas.tolist())
        values.append(_criterion(whole, path, alphas, model.select_alpha))
        solutions += path
    model.criterion_ = np.squeeze(values)
    chosen = int(np.argmin([value.min() for value in values]))
    return solutions, chosen, int(np.argmin(values[chosen]))


def _criterion(whole: PlacedElasticNet, path: list[Solution], alphas: Floats, rule: str) -> Floats:
    """Return n log(RSS / n) + c df as :func:`information_criterion` does, from what loops know.

    The residual's square is the objective without its penalty; the Gram matrix of the support is a
    part of the pool's.
    """
    loop, n, settings = whole.loop, whole.place.shape[0], whole.settings
    rate = 2.0 if rule == "aic" else np.log(n)
    out = np.full(len(path), np.inf)
    for k, (solution, alpha) in enumerate(zip(path, alphas.tolist(), strict=True)):
        l1, l2 = settings.penalties(alpha)
        support = np.flatnonzero(solution.coef)
        penalty = loop.columns.at(l1, l2).value(support, solution.coef[support])
        rss = 2.0 * n * (solution.certificate.primal - penalty)
        df = float(len(support))
        if l2 > 0.0 and len(support):
            at = np.flatnonzero(np.isin(loop.pool.columns, support))
            spectrum = np.maximum(eigvalsh(loop.pool.gram[np.ix_(at, at)]), 0.0)
            df = float(np.sum(spectrum / (spectrum + loop.total * l2)))
        df += settings.fit_intercept
        if df < n - 1 and rss > 0.0:
            out[k] = n * np.log(rss / n) + rate * df
    if np.isinf(out).all():
        raise ValueError(
            f"{rule} is not defined: every model on the path has as many degrees of freedom as "
            "samples; use larger alphas or cross-validation (select_alpha='min')."
        )
    return out


def _refit(
    model: Any, whole: PlacedElasticNet, candidates: Candidates, choice: list[int]
) -> list[FitCertificate]:
    """Fit all rows at the chosen penalty and keep the model, with its path if asked for."""
    settings, alphas = candidates.pairs()[choice[0]]
    position = choice[1]
    whole.settings = settings
    model.alpha_ = alphas[position]
    if hasattr(model, "l1_ratio"):
        model.l1_ratio_ = np.float64(settings.l1_ratio)
    if model.store_path:
        path = whole.path(alphas.tolist())
        model.alpha_path_ = alphas
        model.coef_path_ = np.asfortranarray(np.array([s.coef for s in path]).T)
        model.intercept_path_ = np.array([s.intercept for s in path])
    solution = whole.solve(model.alpha_)
    model._keep_solutions([solution], squeeze=True, array=False)
    return [solution.certificate]
