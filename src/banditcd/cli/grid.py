"""A grid search that says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.model_selection import GridSearchCV, ParameterGrid

from banditcd.estimators.backends.progress import tracked


class FollowedGrid(GridSearchCV):  # type: ignore[misc]
    """scikit-learn's search, one candidate after another; folds may run side by side."""

    def _run_search(self, evaluate_candidates: Callable[[Any], Any]) -> None:
        candidates = list(ParameterGrid(self.param_grid))
        for candidate in tracked(candidates, len(candidates), "Candidates", False):
            evaluate_candidates([candidate])
