"""Bandits of other papers: reducing the variance, and finding the steepest coordinate."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.data import check_number
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State, draw
from banditcd.selectors.rng import RandomSource


class BanditVariance(Selector):
    """Learn p to reduce the variance of the gradient estimate (Namkoong et al., ICML 2017).

    The variance is sum_i g_i^2 / p_i; its derivative in p_i, -g_i^2 / p_i^2, is observed for the
    played arm only and weighted by 1/p_i. p moves by multiplicative weights,

        weight_i <- weight_i exp(eta_t (g_i^2 / p_i^2) / (M p_i)),

    M the largest g^2/p^2 so far, eta_t = p_min sqrt(log d / (d t)), p_min = epsilon / d. The
    floor p_min is kept by mixing with the uniform distribution. g_i^2 is 2 h_i times the decrease
    of the update, which equals the squared gradient on smooth quadratic costs.

    Cost: O(log d) per step, no refresh per epoch.

    Parameters
    ----------
    epsilon : float in (0, 1]
        Share of the uniform distribution in p.
    """

    name: ClassVar[str] = "bandit_variance"
    LARGE: ClassVar[float] = 2.0**300

    def __init__(self, epsilon: float = 0.3) -> None:
        self.epsilon = check_number(epsilon, "epsilon", minimum=0.0, maximum=1.0, strict=True)

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """All arms start equal."""
        self._rng, self._h, self._d = rng, problem.h, problem.d
        self._weights = np.ones(problem.d)
        self._largest, self._round = 0.0, 0

    def next(self, state: State) -> int:
        """Draw from the mixture."""
        if self._rng.uniform() < self.epsilon:
            return self._rng.integer(self._d)
        return draw(self._weights, self._rng)

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Raise the weight of an arm with a large gradient."""
        self._round += 1
        total = float(np.sum(self._weights))
        floor = self.epsilon / self._d
        p = (1.0 - self.epsilon) * self._weights[i] / total + floor
        slope = 2.0 * self._h[i] * max(decrease, 0.0) / (p * p)
        self._largest = max(self._largest, slope)
        if self._largest == 0.0:
            return
        eta = floor * math.sqrt(math.log(max(self._d, 2)) / (self._d * self._round))
        self._weights[i] *= math.exp(eta * slope / (self._largest * p))
        if self._weights[i] > self.LARGE:
            self._weights /= self.LARGE  # only ratios matter

    def native(self) -> dict[str, float]:
        """Epsilon."""
        return {"epsilon": self.epsilon}


class BanditGS(Selector):
    """Find the steepest coordinate by best-arm identification (Rakotomamonjy et al., 2017).

    Every step solves a fresh bandit problem: an arm is a coordinate, a pull reads a few more
    stored entries of its column and refines the estimate of u_i (scaled up to the whole column);
    sequential halving keeps the better half by estimated violation until one is left. Nothing is
    remembered between steps. An arm that noisier ones always outbid would never be played, so a
    share of the steps is uniform (an addition of ours, without which the rule need not converge).

    Cost: ``budget`` of a pass over A per step, ``budget`` d passes per epoch.

    Parameters
    ----------
    budget : float in (0, 1]
        Matrix entries read per step, as a fraction of nnz(A).
    epsilon : float in [0, 1]
        Probability of a uniform draw instead.
    """

    name: ClassVar[str] = "bandit_gs"

    def __init__(self, budget: float = 0.1, epsilon: float = 0.1) -> None:
        self.budget = check_number(budget, "budget", minimum=0.0, maximum=1.0, strict=True)
        self.epsilon = check_number(epsilon, "epsilon", minimum=0.0, maximum=1.0)

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Spread the budget evenly over the rounds of halving."""
        self._rng, self._problem = rng, problem
        self._entries = np.array([problem.A.entries(i) for i in range(problem.d)])
        self._rounds = max(1, math.ceil(math.log2(max(problem.d, 2))))
        self._per_round = max(1.0, self.budget * problem.A.nnz / self._rounds)

    def next(self, state: State) -> int:
        """Halve the field until one arm is left, or explore."""
        if self._rng.uniform() < self.epsilon:
            return self._rng.integer(self._problem.d)
        arms = np.arange(self._problem.d)
        start = np.array([self._rng.integer(int(n)) for n in self._entries])
        pulled = np.zeros(len(arms), dtype=np.int64)
        total = np.zeros(len(arms))
        score = np.zeros(len(arms))
        while True:
            pulls = max(1, int(self._per_round / len(arms)))
            for i in arms:
                count = min(pulls, int(self._entries[i] - pulled[i]))
                if count > 0:
                    first = int((start[i] + pulled[i]) % self._entries[i])
                    total[i] += state.partial_correlation(int(i), first, count)
                    pulled[i] += count
            score[arms] = self._violations(state.x, arms, total, pulled)
            if len(arms) == 1:
                break
            arms = np.sort(arms[np.argsort(-score[arms], kind="stable")[: (len(arms) + 1) // 2]])
        best = int(arms[0])
        return best if score[best] > 0.0 else self._rng.integer(self._problem.d)

    def _violations(
        self,
        x: Floats,
        arms: np.ndarray[tuple[int], np.dtype[np.intp]],
        total: Floats,
        pulled: np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> Floats:
        estimate = total[arms] * (self._entries[arms] / pulled[arms])
        return np.asarray(self._problem.penalty.violation(x[arms], estimate, arms))

    def native(self) -> dict[str, float]:
        """Budget and exploration."""
        return {"budget": self.budget, "epsilon": self.epsilon}
