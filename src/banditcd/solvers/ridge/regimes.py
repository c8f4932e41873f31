"""The regimes as arms: what each is expected to cost, by the native price list."""

from __future__ import annotations

import math
from dataclasses import dataclass

from banditcd import _core
from banditcd.solvers.ridge.gram import Gram
from banditcd.solvers.ridge.rows import RidgeRows
from banditcd.solvers.ridge.ways import DENSE_ENTRIES, WAYS

REGIMES = (*WAYS, "cg")
#: Passes of conjugate gradients: some, more for each digit of the tolerance, and at least
#: HARSH_PASSES if the mean eigenvalue is more than MILD times the penalty.
FIRST_PASSES, DIGIT_PASSES, HARSH_PASSES, MILD = 10.0, 8.0, 60.0, 100.0
#: The same where there is hope: sparse rows fewer than columns; rows fewer than columns with no
#: direction that holds more than DOMINANCE mean eigenvalues, or a mild one and a loose tolerance.
SPARSE_PASSES, HOPEFUL_PASSES, DOMINANCE, LOOSE = 8.0, 13.0, 6.0, 3e-3
#: The variance over squared mean of the eigenvalues up to which they are even: then its root is
#: about what each step leaves. Where a factor costs no more passes than the second, nobody looks.
EVEN, LEAST_PASSES = 0.25, 5.0
#: The least tolerance that counts.
LEAST_TOLERANCE = 1e-16


@dataclass(slots=True)
class Plan:
    """One regime; or a direct one and conjugate gradients as arms, for each target and penalty.

    ``price`` is what the direct regime costs, ``expected`` what conjugate gradients may. ``even``
    eigenvalues need no preconditioner.
    """

    name: str
    price: float = 0.0
    expected: float = math.inf
    even: bool = False

    def arms(self) -> _core.Arms | None:
        """Conjugate gradients, whose turn it is, and the direct regime; None: it begins."""
        arms, kind = _core.Arms(1.0), _core.ArmKind
        first = arms.add(self.expected, kind.steady)
        arms.add(self.price, kind.known)
        arms.begin()
        return arms if arms.current == first else None


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
    """Return the arms that reach a tolerance.

    A factored Gram matrix costs its products and n³/6 or d³/6 multiplications once, whatever the
    targets: its price is known, and each target and penalty has its share. Conjugate gradients cost
    about ``10 + 8 log10(1/tol)`` passes for each of them, and many more, whatever the tolerance, if
    the penalty is far below the eigenvalues of X'X; fewer if there is hope, and as few as their
    spread tells if some rows show that they are even. That is a guess: what they achieve decides
    how long they go on (native/solve/arms.hpp).
    Without a penalty the answer is least squares as long as X may be made dense.
    """
    direct = exact_regime(rows, l2)
    if l2 == 0.0 or direct == "cg":
        return Plan(direct)
    one_pass = rows.native.costs[2]
    price = direct_price(rows, direct, solves) / (targets * solves)
    worth, single = price / max(one_pass, 1.0), targets * solves == 1
    even = not rows.is_sparse and worth > LEAST_PASSES and rows.spectrum.variance <= EVEN
    guess = _even_steps(rows, l2, tol) if even else _guess(rows, l2, tol, worth, single)
    return Plan(direct, price, guess * one_pass, even)


def direct_price(rows: RidgeRows, name: str, solves: int) -> float:
    """Nanoseconds of a Gram matrix and its factor, by the price list; 0: it has no price."""
    if name not in ("normal_equations", "dual_gram"):
        return 0.0
    wide = name == "dual_gram"
    rough = Gram(rows, wide=wide, solves=solves).single
    costs: tuple[float, ...] = rows.native.rough_costs if rough else rows.native.costs
    return costs[wide]


def _even_steps(rows: RidgeRows, l2: float, tol: float) -> float:
    r"""Steps of conjugate gradients where eigenvalues have mean m and the small variance v m².

    The passes for a start and a certificate are not counted: a direct regime takes them, too.
    The largest and the smallest are about :math:`m (1 \pm \sqrt v)^2`, so that each step leaves
    :math:`\sqrt v` of the residual (of m + lam instead of m, a little less). Rows fewer than
    columns end at a share of their system's residual; else the gradient, whose square over lam is
    the gap, must fall to that.
    """
    lam, tol = rows.shape[0] * l2, max(tol, LEAST_TOLERANCE)
    mean, variance = rows.spectrum.mean, rows.spectrum.variance
    left = 0.5 * math.log(variance) + math.log(mean) - math.log(mean + lam)
    share = 0.1 * tol
    if rows.shape[0] >= rows.shape[1]:
        share = min(0.5 * tol, math.sqrt(tol * lam / (mean + lam)))
    return max(1.0, math.ceil(math.log(max(share, LEAST_TOLERANCE)) / left))


def _guess(rows: RidgeRows, l2: float, tol: float, worth: float, single: bool) -> float:
    """Passes of conjugate gradients; more than ``worth`` need not be told apart."""
    digits = max(0.0, -math.log10(max(tol, LEAST_TOLERANCE)))
    passes, wide = FIRST_PASSES + DIGIT_PASSES * digits, rows.shape[0] < rows.shape[1]
    if single and wide and rows.is_sparse:
        return SPARSE_PASSES
    if single and wide and worth > HOPEFUL_PASSES and rows.spectrum.dominance() <= DOMINANCE:
        return HOPEFUL_PASSES
    loose = single and tol >= LOOSE and worth > HOPEFUL_PASSES
    if (loose or passes < worth) and _mild(rows, l2):
        return HOPEFUL_PASSES if loose else passes
    return max(passes, HARSH_PASSES)


def _mild(rows: RidgeRows, l2: float) -> bool:
    """Whether the penalty is not far below the eigenvalues of X'X."""
    return rows.spectrum.mean <= MILD * rows.shape[0] * l2
