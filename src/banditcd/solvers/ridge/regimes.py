"""The choice of a regime by the native cost model."""

from __future__ import annotations

import math
from dataclasses import dataclass

from banditcd.solvers.ridge.rows import RidgeRows
from banditcd.solvers.ridge.ways import DENSE_ENTRIES, WAYS

REGIMES = (*WAYS, "cg")
#: A race of conjugate gradients with a direct way: its share, least passes, least tolerance, and
#: the largest ratio of the mean eigenvalue to the penalty, or of the largest eigenvalue of some
#: rows to their mean one, and the least passes on sparse rows.
RACE_SHARE, RACE_LEAST, RACE_TOLERANCE, RACE_CONDITION = 0.6, 8, 1e-3, 100.0
RACE_DOMINANCE, SPARSE_LEAST = 6.0, 5
#: Passes of conjugate gradients: some, more for each digit of the tolerance, and at least
#: HARSH_PASSES beyond that ratio.
FIRST_PASSES, DIGIT_PASSES, HARSH_PASSES = 10.0, 8.0, 60.0
#: The least tolerance that counts for it.
LEAST_TOLERANCE = 1e-16
#: A race whose speed is judged may take this share of the direct way.
RACE_STRETCH = 1.4


@dataclass(slots=True)
class Plan:
    """A regime, and the products that conjugate gradients may take before it; 0 is no race."""

    name: str
    race: int = 0
    judged: bool = False


def exact_regime(rows: RidgeRows, l2: float) -> str:
    """Return the cheapest direct regime; "cg" where none fits into memory."""
    n, d = rows.shape
    if l2 == 0.0:
        return "least_squares" if (n + d) * d <= DENSE_ENTRIES else "cg"
    normal, outer, _ = rows.native.costs
    costs = {"normal_equations": (normal, d), "dual_gram": (outer, n)}
    fitting = {name: cost for name, (cost, side) in costs.items() if rows.fits(side)}
    return min(fitting, key=fitting.__getitem__) if fitting else "cg"


def choose_regime(rows: RidgeRows, l2: float, *, tol: float, targets: int, solves: int) -> Plan:
    """Return the cheapest regime that reaches a tolerance.

    A factored Gram matrix costs its products and n³/6 or d³/6 multiplications once, whatever the
    targets; conjugate gradients cost about ``10 + 8 log10(1/tol)`` passes for each of them, and
    many more, whatever the tolerance, if the penalty is far below the eigenvalues of X'X. That is a
    guess: conjugate gradients give up at ``RACE_STRETCH`` times the price of the direct way, so
    that a wrong one costs at most that much. For one target and one penalty the two race, too, if
    the direct way is worth enough passes and there is hope: wide rows with no dominant direction,
    or a strong penalty and a loose tolerance.
    Without a penalty the answer is least squares as long as X may be made dense.
    """
    n = rows.shape[0]
    direct = exact_regime(rows, l2)
    if l2 == 0.0 or direct == "cg":
        return Plan(direct)
    normal, outer, one_pass = rows.native.costs
    price = normal if direct == "normal_equations" else outer
    digits = max(0.0, -math.log10(max(tol, LEAST_TOLERANCE)))
    passes = FIRST_PASSES + DIGIT_PASSES * digits
    iterative = passes * one_pass * targets * solves
    if iterative < price and rows.mean_eigenvalue() > RACE_CONDITION * n * l2:
        iterative *= max(1.0, HARSH_PASSES / passes)
    worth = price / max(one_pass, 1.0)
    if iterative < price:
        share = int(RACE_STRETCH * worth / (targets * solves))
        return Plan(direct, max(RACE_LEAST, share), judged=n < rows.shape[1])
    race = int(RACE_SHARE * worth)
    if targets * solves > 1:
        return Plan(direct)
    if direct == "dual_gram" and rows.is_sparse and race >= SPARSE_LEAST:
        return Plan(direct, int(RACE_STRETCH * worth), judged=True)
    if race < RACE_LEAST:
        return Plan(direct)
    if direct == "dual_gram" and not rows.is_sparse and rows.dominance() <= RACE_DOMINANCE:
        return Plan(direct, int(RACE_STRETCH * worth), judged=True)
    if tol >= RACE_TOLERANCE and rows.mean_eigenvalue() <= RACE_CONDITION * n * l2:
        return Plan(direct, race)
    return Plan(direct)
