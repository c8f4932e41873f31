"""The cells of the study: a data set, a cost, a penalty strength."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from banditcd.data import Dataset, load, locate
from banditcd.experiments.contest import Choices, Contest, pose
from benchmarks.unseen import Design, unseen_shapes

SETS = (
    "a7a",
    "a8a",
    "a9a",
    "abalone",
    "cadata",
    "colon-cancer",
    "covtype.binary",
    "cpusmall",
    "gisette",
    "leukemia",
    "madelon",
    "mushrooms",
    "news20",
    "phishing",
    "protein.val",
    "real-sim",
    "usps",
    "usps-unsmoothed",
    "w8a",
)
"""Sets of the catalog; those whose file is at hand take part."""

RATIOS = (0.1, 0.01)  # alpha / alpha_max
STRENGTHS = (0.01, 1.0, 100.0)  # C = 1 / (n alpha)
COSTS: dict[str, tuple[float, ...]] = {
    "Lasso": RATIOS,
    "ElasticNet": RATIOS,
    "LogisticL1": RATIOS,
    "Ridge": STRENGTHS,
    "RidgeDual": STRENGTHS,
    "HingeDual": STRENGTHS,
    "SquaredHingeDual": STRENGTHS,
    "LogisticDual": STRENGTHS,
    "ElasticNetDual": RATIOS,
}
CLASSIFIES = frozenset({"LogisticL1", "HingeDual", "SquaredHingeDual", "LogisticDual"})
SHAPES = 12
DESIGNS = (
    Design("tall", (400, 40), (4000, 300), "rho", (0.0, 0.95)),
    Design("wide", (60, 400), (400, 4000), "rho", (0.0, 0.9)),
    Design("gene", (40, 500), (200, 4000), "pathways", (5, 60), ".0f"),
    Design("text", (300, 600), (4000, 6000), "words", (10.0, 80.0), ".0f"),
)
MOST_ENTRIES = 1_000_000  # larger sets give as many of their rows as that


@dataclass(frozen=True)
class Cell:
    """A data set (as ``banditcd.data.load`` reads it), a cost and a strength of its penalty.

    ``strength`` is alpha / alpha_max for costs with an L1 term and C = 1 / (n alpha) for the
    others. ``shape_seed`` says from which text the set was generated; it is empty for real sets.
    """

    data: str
    cost: str
    strength: float
    shape_seed: str = ""

    @property
    def words(self) -> str:
        """The strength as printed."""
        if COSTS[self.cost] is RATIOS:
            return f"alpha_max/{round(1.0 / self.strength)}"
        return f"C = {self.strength:g}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it from other cells."""
        return self.data, self.cost, self.words, self.shape_seed


def cells(data: list[str], costs: list[str], shape_seed: str = "") -> Iterator[Cell]:
    """Return the cells of these sets; a regression has no cost that classifies."""
    for name in data:
        regression = dataset(name).task == "regression"
        for cost in costs:
            if regression and cost in CLASSIFIES:
                continue
            for strength in COSTS[cost]:
                yield Cell(name, cost, strength, shape_seed)


def sets_at_hand() -> list[str]:
    """Return the sets whose file is on this machine."""
    return [name for name in SETS if locate(name) is not None]


def shapes_from(seed: str) -> list[str]:
    """Return the generated sets that follow from a text; every third one is a regression."""
    return unseen_shapes(seed, DESIGNS, ("binary", "binary", "regression"), SHAPES)


@lru_cache(maxsize=2)
def dataset(name: str) -> Dataset:
    """Load a set; of a large one, a seeded part of its rows."""
    whole = load(name)
    if whole.nonzeros <= MOST_ENTRIES:
        return whole
    count = int(whole.rows * MOST_ENTRIES / whole.nonzeros)
    kept = np.sort(np.random.default_rng(0).permutation(whole.rows)[:count])
    return replace(whole, X=whole.X[kept], y=whole.y[kept], partial=True)


def contest(cell: Cell) -> Contest:
    """Pose the problem of a cell: unit or standardized columns (primal), unit rows (dual)."""
    raw = dataset(cell.data)
    if COSTS[cell.cost] is RATIOS:
        return pose(raw, Choices(cost=cell.cost, alpha_ratio=cell.strength))
    return pose(raw, Choices(cost=cell.cost, alpha=1.0 / (raw.rows * cell.strength)))
