"""The search of LogisticRegressionCV over data that live elsewhere; folds are row weights.

The loops of all folds and all classes run in step, so that a reading of X serves all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.elsewhere import (
    checked_classes,
    need_penalty,
    note_columns,
    one_model,
    path_of,
    refuse,
    responses_of,
)
from banditcd.estimators.backends.logistic_path import LogisticPath
from banditcd.estimators.backends.placed import PlacedBinary, PlacedMultinomial
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import ColumnOptions, check_columns
from banditcd.estimators.search.logistic_folds import (
    FoldResult,
    keep_choice,
    keep_folds,
    keep_path,
)
from banditcd.estimators.search.logistic_search import scoring_word
from banditcd.estimators.search.placed_folds import PlacedSearch, placed_folds
from banditcd.estimators.search.routing import routed
from banditcd.places.kinds import codes_of, on_host
from banditcd.places.place import Job, Place, Rows
from banditcd.places.rows import opened
from banditcd.places.scores import class_scores, models_of

MEASURES = ("accuracy", "neg_log_loss")


class PlacedLogisticSearch:
    """Rows, labels and folds, ready to be fitted and scored."""

    def __init__(
        self,
        model: Any,
        rows: Rows,
        data: tuple[Any, Any, Any],
        compared: tuple[Floats, list[BinarySettings]],
        params: dict[str, Any],
    ) -> None:
        (X, y, sample_weight), (Cs, choices) = data, compared
        self.measure = _measure(model)
        refuse(model, "selector", "class_weight", "standardize")
        note_columns(model, X)
        self.columns: ColumnOptions = check_columns(model, model.n_features_in_)
        y, self.classes = checked_classes(y)
        model._check_classes_elsewhere(self.classes)
        need_penalty(Cs)
        self.joint = all(one_model(self.classes, settings) for settings in choices)
        arguments, _ = routed(model, sample_weight, params)
        labels = np.searchsorted(self.classes, on_host(y))
        weight = None if sample_weight is None else rows.vector(sample_weight, "sample_weight")
        codes = rows.vector(codes_of(y, self.classes), "y")
        folds = placed_folds(rows, model.cv, arguments, labels=self.classes[labels])
        self.search = PlacedSearch(rows, codes, weight, folds, model.verbose)
        responses = responses_of(y, self.classes, self.joint)
        self.responses = [rows.vector(values, "y") for values in responses]

    def run(self, choices: list[BinarySettings], Cs: Floats) -> list[FoldResult]:
        """Return the results of every fold for every l1_ratio, fold by fold."""
        order = np.argsort(Cs, kind="stable")

        def paths(_: int, place: Place) -> list[list[Solution]]:
            out = []
            for settings in choices:
                solver = self.solver(place, settings)
                found = {int(k): solver.solve(float(Cs[k])) for k in order}
                out.append([found[k] for k in range(len(Cs))])
            return out

        problems = self.search.fitted(paths, self.responses)
        rows = len(self.responses)
        by_fold = [problems[k : k + rows] for k in range(0, len(problems), rows)]
        results = [
            [path_of([problem[ratio] for problem in fold]) for fold in by_fold]
            for ratio in range(len(choices))
        ]
        scored = [self._scores(of_ratio) for of_ratio in results]
        return [
            FoldResult(scored[ratio][fold], results[ratio][fold])
            for fold in range(len(by_fold))
            for ratio in range(len(choices))
        ]

    def solver(self, place: Place, settings: BinarySettings, verbose: Any = 0) -> Any:
        """Return the solver of one model of all classes, or of one problem of two."""
        if self.joint:
            return PlacedMultinomial(
                place, self.columns, settings, verbose, classes=len(self.classes)
            )
        return PlacedBinary(place, self.columns, settings, verbose)

    def refit(self, settings: BinarySettings, Cs: Floats) -> list[list[Solution]]:
        """Fit all rows of every problem for values of C, from small to large."""
        places = [self.search.place(y=values) for values in self.responses]
        told = self.search.verbose
        solvers = [self.solver(place, settings, told) for place in places]
        return [[solver.solve(float(C)) for C in Cs] for solver in solvers]

    def _scores(self, paths: list[LogisticPath]) -> list[Floats]:
        """Return the score of every model of every fold on its test rows."""
        jobs = []
        for path in paths:
            models = [
                models_of(path.coefs[:, row], path.intercepts[:, row])
                for row in range(path.coefs.shape[1])
            ]
            jobs.append(Job(class_scores, (models, self.measure, self.joint)))
        out = []
        for sums in self.search.measured(jobs):
            *gains, total = (float(value) for value in sums)
            if total == 0.0:
                raise ValueError(
                    "A fold has no test sample (with a positive weight); choose another cv."
                )
            out.append(np.array(gains) / total)
        return out


def search_elsewhere(
    model: Any,
    data: tuple[Any, Any, Any],
    compared: tuple[Floats, list[BinarySettings]],
    params: dict[str, Any],
) -> list[FitCertificate]:
    """Choose C and l1_ratio, fit all rows and keep the model; return all certificates."""
    Cs, choices = compared
    with opened(data[0]) as rows:
        search = PlacedLogisticSearch(model, rows, data, compared, params)
        model.classes_ = search.classes
        results = search.run(choices, Cs)
        keep_folds(model, results, Cs, choices)
        certificates = [c for result in results for c in result.certificates]
        chosen = keep_choice(model, results)
        if chosen is None:
            return certificates
        ratio, place = chosen
        counts, settings = model.n_iter_, choices[ratio]
        final = search.refit(settings, Cs[place : place + 1])
        model._keep([problem[0] for problem in final])
        model.n_iter_ = counts
        certificates += [problem[0].certificate for problem in final]
        if model.store_path:
            certificates += keep_path(model, path_of(search.refit(settings, np.sort(Cs))))
        return certificates


def _measure(model: Any) -> str:
    word = scoring_word(model.scoring)
    if isinstance(word, str) and word in MEASURES:
        return word
    raise ValueError(
        f"scoring={model.scoring!r} is for data in memory; data that live elsewhere are scored by "
        f"{' or '.join(MEASURES)}."
    )
