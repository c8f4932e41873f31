"""Staleness c(E, epsilon), of the paper's Proposition 2, along real runs of B_max_r."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd.experiments.paper.configuration import HeatMap, ProblemSpec
from banditcd.experiments.paper.posing import ProblemRow, build
from banditcd.selectors import BMaxR
from banditcd.theory.bandit import staleness
from banditcd.theory.trajectory import record

Key = tuple[str, float, float, int]
"""Problem, epsilon, E / d and seed."""


@dataclass(frozen=True)
class StaleRow:
    """max_i r_i / r_(argmax of the estimates) over the steps of one run.

    ``median`` is over the steps where it is finite; ``lost`` is the share of steps at which the
    coordinate that looked best had nothing left to give, so that the ratio is infinite.
    """

    problem: str
    epsilon: float
    bins: float
    seed: int
    steps: int
    median: float
    lost: float

    @property
    def key(self) -> Key:
        """What tells the rows apart."""
        return (self.problem, self.epsilon, self.bins, self.seed)


def wanted_keys(heat: HeatMap, problem: str, seeds: int) -> list[Key]:
    """Return the key of every row; with epsilon = 1 nobody looks at estimates."""
    return [
        (problem, epsilon, bins, seed)
        for epsilon in heat.clock_epsilons
        if epsilon < 1.0
        for bins in heat.bins
        for seed in range(seeds)
    ]


def stale_task(spec: ProblemSpec, row: ProblemRow, key: Key, epochs: float) -> StaleRow:
    """Write down a run step by step and measure how stale its estimates are."""
    _, epsilon, bins, seed = key
    problem = build(spec, row.alpha)
    steps = max(int(np.ceil(epochs * problem.d)), 1)
    run = record(problem, BMaxR(epsilon, float(bins)), steps=steps, random_state=seed)
    ratios = staleness(run)
    finite = ratios[np.isfinite(ratios)]
    middle = float(np.median(finite)) if finite.size else np.inf
    return StaleRow(spec.key, epsilon, bins, seed, steps, middle, 1.0 - finite.size / steps)
