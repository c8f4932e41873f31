from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from banditcd.data import Dataset
from banditcd.experiments import Choices, make_contest
from banditcd.experiments.contest import STANDARD_RACES, bundled_for, find_cost, usual_steps
from banditcd.problems import REGISTRY


@pytest.mark.parametrize("cost", sorted(REGISTRY))
def test_every_cost_has_a_contest_without_download(cost: str) -> None:
    contest = make_contest(bundled_for(cost), Choices(cost=cost))
    assert contest.problem.name == cost
    assert contest.alpha > 0.0


def test_the_standard_races_are_scaled() -> None:
    for data, cost in STANDARD_RACES:
        problem = make_contest(data, Choices(cost=cost)).problem
        squares = problem.A.column_squares()
        np.testing.assert_allclose(squares[squares > 0.0], squares.max())


def test_the_cost_follows_the_labels(table_file: Path) -> None:
    assert make_contest(str(table_file), Choices()).problem.name == "Lasso"
    assert make_contest("breast_cancer", Choices()).problem.name == "LogisticL1"
    assert make_contest("digits", Choices()).problem.name == "RidgeDual"


def test_steps_depend_on_cost_and_labels(dataset: Callable[[str], Dataset]) -> None:
    assert usual_steps(dataset("multiclass"), find_cost("LogisticL1")) == (
        "standardize",
        "halved_classes",
    )
    assert usual_steps(dataset("binary"), find_cost("HingeDual")) == ("unit_rows",)
    assert usual_steps(dataset("multiclass"), find_cost("RidgeDual")) == (
        "unit_rows",
        "numeric_labels",
    )
    assert usual_steps(dataset("regression"), find_cost("Lasso")) == (
        "standardize",
        "center_labels",
    )


def test_penalties(table_file: Path) -> None:
    file = str(table_file)
    usual = make_contest(file, Choices(cost="Lasso"))
    tenth = make_contest(file, Choices(cost="Lasso", alpha_ratio=0.1))
    assert tenth.alpha == pytest.approx(2.0 * usual.alpha)
    assert usual.alpha_note == "alpha_max / 20"
    at_max = make_contest(file, Choices(cost="Lasso", alpha_ratio=1.0)).problem
    assert np.abs(at_max.correlations(np.zeros(at_max.d))).max() == pytest.approx(
        at_max.penalty.lam[0]
    )  # type: ignore[attr-defined]
    assert make_contest(file, Choices(cost="Lasso", alpha=0.3)).alpha == 0.3
    assert make_contest(file, Choices(cost="Ridge")).alpha == pytest.approx(1 / 60)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (Choices(cost="Laso"), "Did you mean 'Lasso'"),
        (Choices(cost="LassoDual"), "ElasticNetDual"),
        (Choices(cost="Ridge", alpha_ratio=0.1), "no alpha_max"),
        (Choices(alpha=1.0, alpha_ratio=0.1), "not both"),
        (Choices(cost="Lasso", alpha=-1.0), "alpha is -1"),
        (Choices(cost="Lasso", alpha_ratio=0.0), "alpha_ratio is 0"),
        (Choices(cost="LogisticL1"), "exactly two"),
        (Choices(steps=("unit_column",)), "Did you mean 'unit_columns'"),
    ],
)
def test_mistakes_are_explained(table_file: Path, choices: Choices, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_contest(str(table_file), choices)
