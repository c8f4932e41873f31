"""A contest: a prepared data set, a cost, and how its penalty strength was chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from banditcd import problems
from banditcd.data import check_number, unknown_name
from banditcd.data.dataset import Dataset
from banditcd.data.loading import load
from banditcd.data.preprocess import apply
from banditcd.experiments.user_code import is_file_reference, load_from_file
from banditcd.problems import Problem

ALPHA_RATIO = 1.0 / 20.0
"""Default penalty of the costs with an L1 term, relative to alpha_max."""

STANDARD_RACES = (("breast_cancer", "LogisticL1"), ("diabetes", "Lasso"), ("digits", "RidgeDual"))
"""The races that need no download: data that comes with scikit-learn."""

_CLASSIFIES = frozenset(
    {"LogisticL1", "LogisticElasticNet", "HingeDual", "SquaredHingeDual", "LogisticDual"}
)
_USUAL_COST = {"binary": "LogisticL1", "regression": "Lasso", "multiclass": "RidgeDual"}


@dataclass(frozen=True)
class Choices:
    """Choices about a contest; None is the usual one.

    cost: by the labels, LogisticL1, Lasso or RidgeDual; or ``file.py:Name``.
    steps: see :func:`usual_steps`.
    alpha: alpha_max / 20 for costs with an L1 term, 1/n for the others.

    Attributes
    ----------
    cost, alpha, steps
        See above.
    alpha_ratio : float or None
        ``alpha`` as a share of the largest one that leaves anything in.
    """

    cost: str | None = None
    alpha: float | None = None
    alpha_ratio: float | None = None
    steps: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Contest:
    """A problem with the story of its making.

    Attributes
    ----------
    dataset : Dataset
        Where it comes from.
    problem : Problem
        The cost.
    alpha : float
        Its penalty.
    alpha_note : str
        How that was chosen.
    """

    dataset: Dataset
    problem: Problem
    alpha: float
    alpha_note: str

    @property
    def title(self) -> str:
        """Data and cost."""
        return f"{self.dataset.title} · {self.problem.name}"


@dataclass(frozen=True)
class Cost:
    """A cost that can be posed: built in, or from a user's file.

    ``make(X, y, alpha=...)`` returns the problem; ``kind`` is "primal" or "dual"; ``classifies``
    says whether the labels are classes, None that it depends on the data.
    """

    name: str
    make: Callable[..., Any]
    kind: str
    classifies: bool | None


def find_cost(name: str) -> Cost:
    """Return a cost by name, or by ``file.py:Name``: anything that makes problems of (X, y)."""
    if is_file_reference(name):
        found = load_from_file(name)
        if not callable(found):
            raise TypeError(
                f"{name} is {found!r}; it must be a class or function of (X, y, alpha)."
            )
        kind = str(getattr(found, "kind", "primal"))
        return Cost(name, partial(_posed, name, found), kind, None)
    if name not in problems.REGISTRY:
        if name == "LassoDual":
            problems.LassoDual()
        raise unknown_name("cost", name, problems.REGISTRY)
    make = partial(problems.make, name)
    return Cost(name, make, problems.REGISTRY[name].kind, name in _CLASSIFIES)


def _posed(name: str, make: Callable[..., Any], X: Any, y: Any, alpha: float) -> Problem:
    """Call a user's cost, and see that it is one."""
    problem = make(X, y, alpha=alpha)
    if not isinstance(problem, Problem):
        raise TypeError(
            f"{name} returned {type(problem).__name__}; it must return a banditcd.problems.Problem."
        )
    return problem


def make_contest(data: str, choices: Choices) -> Contest:
    """Load, prepare and pose a problem; every mistake in the choices is found here.

    Parameters
    ----------
    data : str
        A name of the catalog or a file.
    choices : Choices
        What is not left to the usual.
    """
    if choices.cost is not None:
        find_cost(choices.cost)  # an unknown name is an error before the data are loaded
    if choices.alpha is not None and choices.alpha_ratio is not None:
        raise ValueError("Give alpha or alpha_ratio, not both.")
    return pose(load(data), choices)


def pose(raw: Dataset, choices: Choices) -> Contest:
    """Prepare a data set that is loaded and pose a problem on it."""
    cost = find_cost(choices.cost or _USUAL_COST[raw.task])
    steps = usual_steps(raw, cost) if choices.steps is None else choices.steps
    dataset = apply(raw, steps)
    alpha, note = _penalty(cost, dataset, choices)
    problem = cost.make(dataset.X, dataset.y, alpha=alpha)
    return Contest(dataset, problem, alpha, note)


def bundled_for(cost: str) -> str:
    """Return the set that comes with scikit-learn on which a cost is raced if none is named."""
    if cost in _CLASSIFIES:
        return "breast_cancer"
    return "digits" if cost.endswith("Dual") else "diabetes"


def usual_steps(dataset: Dataset, cost: Cost) -> tuple[str, ...]:
    """Return the preparation of a data set for a cost.

    Primal costs: standardized columns (sparse matrices: unit columns, to stay sparse) and, for
    squared losses, centered targets, which stands in for an intercept. Dual costs: unit rows.
    Classes are numbers to a regression; a classification splits more than two in halves. A user's
    cost gets two classes as they are and every other set as numbers.
    """
    dual = cost.kind == "dual"
    scaling = "unit_rows" if dual else ("unit_columns" if dataset.is_sparse else "standardize")
    if cost.classifies or (cost.classifies is None and dataset.task == "binary"):
        return (scaling, "halved_classes") if dataset.task == "multiclass" else (scaling,)
    if not dual:
        return (scaling, "center_labels")
    return (scaling,) if dataset.task == "regression" else (scaling, "numeric_labels")


def _penalty(cost: Cost, dataset: Dataset, choices: Choices) -> tuple[float, str]:
    if choices.alpha is not None:
        return check_number(choices.alpha, "alpha", minimum=0.0), "given"
    primal = find_cost("ElasticNet") if cost.name == "ElasticNetDual" else cost
    probe: Any = primal.make(dataset.X, dataset.y, alpha=1.0)
    if not hasattr(probe, "alpha_max"):
        if choices.alpha_ratio is not None:
            raise ValueError(
                f"{cost.name} has no alpha_max, so --alpha-ratio has no meaning; use --alpha."
            )
        return 1.0 / dataset.rows, "1/n"
    ratio = ALPHA_RATIO if choices.alpha_ratio is None else choices.alpha_ratio
    check_number(ratio, "alpha_ratio", minimum=0.0, strict=True)
    largest = float(probe.alpha_max)
    if largest == 0.0:
        raise ValueError(
            f"Every penalty strength gives the zero model of {cost.name} on {dataset.title}: "
            "no column is correlated with the labels."
        )
    return ratio * largest, f"alpha_max {_times(ratio)}"


def _times(ratio: float) -> str:
    inverse = 1.0 / ratio
    if abs(inverse - round(inverse)) < 1e-9 * inverse:
        return f"/ {round(inverse)}"
    return f"× {ratio:.3g}"
