"""One fold of a cross-validated logistic regression, and the shapes of what comes out."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.halved import solve_search_path
from banditcd.estimators.backends.logistic_path import LogisticPath
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.inputs import Training, take_rows
from banditcd.estimators.checks.labels import Labels
from banditcd.estimators.search.fold_errors import rows_of
from banditcd.estimators.search.logistic_search import has_ratios
from banditcd.estimators.search.scoring import knowing_classes, rows_of_arguments
from banditcd.estimators.search.selection import best_known, strongest_within_one_error
from banditcd.estimators.search.splits import Fold


@dataclass(frozen=True, slots=True)
class Search:
    """What every fold needs: data, weights of each problem, the grid, the scorer.

    ``judge`` is an unfitted classifier that shows a fold's models to the scorer.
    """

    estimator: Any
    judge: Any
    data: Training
    labels: Labels
    weights: list[Floats | None]
    Cs: Floats
    scorer: Any
    score_arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class FoldResult:
    """Scores and models of one fold for every C."""

    scores: Floats
    path: LogisticPath

    @property
    def certificates(self) -> list[FitCertificate]:
        """All certificates of the fold."""
        return self.path.all_certificates

    @property
    def n_iter(self) -> list[list[int]]:
        """Iterations at every C, of each problem: one, or one for each class against the rest."""
        return [[c.n_iter for c in row] for row in self.path.certificates]

    def with_intercepts(self, fit_intercept: bool) -> Floats:
        """Return the coefficients, with the intercept as the last column if there is one."""
        if not fit_intercept:
            return self.path.coefs
        return np.concatenate([self.path.coefs, self.path.intercepts[:, :, None]], axis=2)


def run_fold(search: Search, fold: Fold, settings: BinarySettings) -> FoldResult:
    """Fit the path of a fold and score it on the rest."""
    weights = [None if w is None else w[fold.train] for w in search.weights]
    problems = search.estimator._problems(
        rows_of(search.data, fold.train), search.labels.take(fold.train), weights, settings
    )
    path = solve_search_path(search.estimator, problems, settings, search.Cs)
    del problems  # a copy of the training rows, before one of the test rows
    X = take_rows(search.data.X, fold.test)
    y = search.labels.classes[search.labels.codes[fold.test]]
    n = search.data.X.shape[0]
    arguments = rows_of_arguments(search.score_arguments, fold.test, n)
    scorer = knowing_classes(search.scorer, search.labels.classes)
    scores = [
        scorer(_judge(search, coef, intercept), X, y, **arguments)
        for coef, intercept in zip(path.coefs, path.intercepts, strict=True)
    ]
    return FoldResult(np.array(scores, dtype=np.float64), path)


def _judge(search: Search, coef: Floats, intercept: Floats) -> Any:
    """Return a fitted classifier for a scorer."""
    judge = copy.copy(search.judge)
    judge.classes_, judge.coef_, judge.intercept_ = search.labels.classes, coef, intercept
    judge.n_features_in_ = coef.shape[1]
    return judge


def keep_folds(
    estimator: Any, results: list[FoldResult], Cs: Floats, choices: list[BinarySettings]
) -> None:
    """Keep scores and models of all folds (one after another, each for all l1_ratios)."""
    shape = (len(results) // len(choices), len(choices), len(Cs))
    estimator.Cs_ = Cs
    estimator.l1_ratios_ = np.array([settings.l1_ratio for settings in choices])
    estimator.scores_ = np.reshape([result.scores for result in results], shape)
    counts = np.array([result.n_iter for result in results], dtype=np.int32)
    estimator.n_iter_ = np.reshape(counts, (*shape, -1))
    paths = [result.with_intercepts(estimator.fit_intercept) for result in results]
    estimator.coefs_paths_ = np.reshape(paths, (*shape, *paths[0].shape[1:]))


def keep_choice(estimator: Any, results: list[FoldResult]) -> tuple[int, int] | None:
    """Keep the choice and return where it is; without a refit, keep the average and return None."""
    for name in ("certificate_", "dual_gap_", "C_path_", "coef_path_", "intercept_path_"):
        estimator.__dict__.pop(name, None)
    found = (estimator.scores_, estimator.Cs_, estimator.l1_ratios_)
    if not estimator.refit:
        averages = average_of_best(results, *found)
        estimator.coef_, estimator.intercept_, estimator.C_, estimator.l1_ratio_ = averages
        return None
    ratio, place = choice(*found[:2], estimator.select_C)
    estimator.C_, estimator.l1_ratio_ = float(found[1][place]), float(found[2][ratio])
    return ratio, place


def keep_path(estimator: Any, path: LogisticPath) -> list[FitCertificate]:
    """Keep the path of all samples over the sorted values of C; return its certificates."""
    estimator.C_path_ = np.sort(estimator.Cs_)
    coefs, intercepts = np.moveaxis(path.coefs, 0, 2), path.intercepts.T
    single = len(coefs) == 1
    estimator.coef_path_ = coefs[0] if single else coefs
    estimator.intercept_path_ = intercepts[0] if single else intercepts
    return path.all_certificates


def shape_results(estimator: Any, classes: NDArray[Any], *, older: bool) -> None:
    """Give the results of a search their shapes; ``older``: those of scikit-learn < 1.10."""
    if not older:
        estimator.n_iter_ = estimator.n_iter_.max(axis=-1)
        return
    rows = estimator.coefs_paths_.shape[3]
    names = classes[1:] if rows == 1 else classes
    paths = np.moveaxis(estimator.coefs_paths_, (3, 0, 1), (0, 1, 3))
    scores = np.moveaxis(estimator.scores_, 1, 2)
    counts = np.moveaxis(estimator.n_iter_, (3, 0, 1), (0, 1, 3))
    if not has_ratios(estimator.l1_ratios):
        paths, scores, counts = paths[:, :, :, 0], scores[:, :, 0], counts[:, :, :, 0]
    estimator.coefs_paths_ = dict(zip(names.tolist(), paths, strict=True))
    estimator.scores_ = dict.fromkeys(names.tolist(), scores)
    estimator.n_iter_ = counts
    estimator.C_ = np.full(rows, estimator.C_)
    estimator.l1_ratio_ = np.full(rows, estimator.l1_ratio_)


def choice(scores: Floats, Cs: Floats, rule: str) -> tuple[int, int]:
    """Return the positions of the chosen l1_ratio and C; scores are (folds, l1_ratios, Cs)."""
    mean = scores.mean(axis=0).T  # as in scikit-learn, ties go to the smaller C
    best = int(np.argmax(mean)) if rule == "1se" else best_known(mean)
    place, ratio = divmod(best, mean.shape[1])
    if rule == "1se":
        order = np.argsort(Cs, kind="stable")
        place = strongest_within_one_error(scores[:, ratio], place, order)
    return ratio, place


def average_start(models: Floats, fit_intercept: bool) -> list[tuple[Floats, float]]:
    """Return the mean over the folds (first axis), a good start: coefficients and intercepts."""
    mean = models.mean(axis=0)
    if fit_intercept:
        return [(row[:-1], float(row[-1])) for row in mean]
    return [(row, 0.0) for row in mean]


def average_of_best(
    results: list[FoldResult], scores: Floats, Cs: Floats, l1_ratios: Floats
) -> tuple[Floats, Floats, float, float]:
    """Average the best model of every fold: coefficients, intercepts, C and l1_ratio."""
    folds, models = len(scores), len(l1_ratios)
    flat = np.moveaxis(scores, 1, 2).reshape(folds, -1)  # Cs, then ratios
    places, ratios = np.unravel_index([best_known(each) for each in flat], scores.shape[:0:-1])
    best = [results[k * models + ratios[k]].path for k in range(folds)]
    coefs = [path.coefs[places[k]] for k, path in enumerate(best)]
    intercepts = [path.intercepts[places[k]] for k, path in enumerate(best)]
    C, ratio = float(np.mean(Cs[places])), float(np.mean(l1_ratios[ratios]))
    return np.mean(coefs, axis=0), np.mean(intercepts, axis=0), C, ratio
