"""A score of NaN is never the best one, and is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import banditcd

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 12))
LABELS = (X[:, 0] + RNG.normal(size=80) > 0.0).astype(int)
GRID = [1e-3, 1e-2, 1e-1, 1.0, 10.0]
LOGISTIC: dict[str, Any] = {"Cs": GRID, "use_legacy_attributes": False, "l1_ratios": (0.0,)}


class Scorer:
    """The largest coefficient, NaN where it is above a limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit

    def __call__(self, model: Any, X: Any, y: Any) -> float:
        size = float(np.abs(model.coef_).max())
        return np.nan if size > self.limit else size


SEARCHES: list[tuple[Any, dict[str, Any], str]] = [
    (banditcd.LogisticRegressionCV, LOGISTIC, "C_"),
    (banditcd.LogisticRegressionCV, LOGISTIC | {"refit": False}, "C_"),
    (banditcd.GroupLogisticRegressionCV, {"Cs": GRID, "groups": 3}, "C_"),
    (banditcd.RidgeCV, {"alphas": [1.0 / C for C in GRID]}, "alpha_"),
    (banditcd.RidgeClassifierCV, {"alphas": [1.0 / C for C in GRID]}, "alpha_"),
]


@pytest.mark.parametrize(("kind", "options", "name"), SEARCHES)
def test_candidates_without_a_score_are_passed_over(
    kind: Any, options: dict[str, Any], name: str
) -> None:
    every = kind(cv=3, scoring=Scorer(np.inf), **options).fit(X, LABELS)
    weakest = max(GRID) if name == "C_" else 1.0 / max(GRID)
    assert getattr(every, name) == pytest.approx(weakest)
    limit = 0.5 * float(np.abs(np.asarray(every.coef_)).max())
    with pytest.warns(UserWarning, match=r"of 5 candidates have a score of NaN .* passed over"):
        some = kind(cv=3, scoring=Scorer(limit), **options).fit(X, LABELS)
    assert getattr(some, name) != pytest.approx(weakest)
    with pytest.warns(UserWarning, match="Every candidate has a score of NaN"):
        kind(cv=3, scoring=Scorer(-1.0), **options).fit(X, LABELS)


def test_the_rule_of_one_standard_error_refuses_missing_scores() -> None:
    search = banditcd.LogisticRegressionCV(cv=3, select_C="1se", scoring=Scorer(0.3), **LOGISTIC)
    with pytest.raises(ValueError, match="1se rule needs a score in every fold"):
        search.fit(X, LABELS)
