"""The promise of ``focus``: matrix entries to any accuracy, against the full passes alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.theory.passes import pass_bound
from banditcd.theory.rates import Assumption, Bound
from banditcd.theory.trajectory import Trajectory


@dataclass(frozen=True)
class Cycle:
    """A full pass and what follows until the next one.

    Attributes
    ----------
    start, full, stop : int
        Steps at which it begins, at which its full pass is over, and at which it ends.
    gain, work : float, int
        Decrease of F and matrix entries of the full pass.
    cycle_gain, cycle_work : float, int
        The same of the whole cycle.
    counted, cycle_counted : float
        The gains as focus counts them, the sums of (h_i + mu_i) delta_i^2 / 2.
    """

    start: int
    full: int
    stop: int
    gain: float
    work: int
    cycle_gain: float
    cycle_work: int
    counted: float
    cycle_counted: float

    @property
    def factor(self) -> float:
        """Gain per entry of the cycle over that of its full pass; 1 where rounding ate either."""
        if min(self.gain, self.cycle_gain) <= 0.0:
            return 1.0
        return (self.cycle_gain / self.cycle_work) / (self.gain / self.work)

    @property
    def unpaid(self) -> float:
        """Entries beyond those that the gain counted pays for at the rate of the full pass."""
        if self.counted <= 0.0:
            return float(self.cycle_work - self.work)
        return max(0.0, self.cycle_work - self.cycle_counted * self.work / self.counted)


def focus_cycles(run: Trajectory) -> list[Cycle]:
    """Return the cycles of a run of ``focus`` (or of ``shuffled``) whose full pass is complete.

    The last one may be cut short by the end of the run.
    """
    d, whole = run.problem.d, np.flatnonzero(run.levels == 0)
    moves = np.diff(run.x, axis=0)
    counted = np.sum(0.5 * (run.problem.h + run.problem.mu) * moves**2, axis=1)
    starts = [int(t) for t in whole[::d]]
    found = []
    for k, start in enumerate(starts):
        full = start + d
        stop = starts[k + 1] if k + 1 < len(starts) else run.steps
        if full > run.steps:
            break
        f, entries = run.objective, run.entries
        found.append(
            Cycle(
                start,
                full,
                stop,
                float(f[start] - f[full]),
                int(entries[full] - entries[start]),
                float(f[start] - f[stop]),
                int(entries[stop] - entries[start]),
                float(counted[start:full].sum()),
                float(counted[start:stop].sum()),
            )
        )
    return found


def entries_until(run: Trajectory) -> npt.NDArray[np.int64]:
    """Return, for t = 0..T, the matrix entries touched when F(x^t) was first reached.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    """
    first = np.searchsorted(-np.minimum.accumulate(run.objective), -run.objective, side="left")
    return run.entries[first]


def focus_bound(run: Trajectory, f_star: float, measured: bool = False) -> Bound:
    """Bound the matrix entries until eps(x^t), for every t of a run of ``focus``.

    W (1 + (1 + patience) I(t)), I(t) the integral of d eps / psi(eps) from eps(x^t) to eps(x^0),
    W the entries of the longest full pass (at most 2 nnz(A) for rules that read a column once)
    and psi the least gain of a full pass (:func:`pass_bound`). The full passes alone need
    W (1 + I(t)) by the same psi.

    With ``measured=True`` the cycles that are over count with their own factors s_k instead:
    W (1 + sum_k I_k / s_k + I of the present cycle), I_k the part of the integral in cycle k.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    measured : bool
        See above.
    """
    bound, eps = pass_bound(run), run.suboptimality(f_star)
    integral = bound.passes(float(eps[0]), eps) - 1.0
    cycles = focus_cycles(run)
    price = 1.0 + float(getattr(run.selector, "patience", 0.0))
    passes = 1.0 + (_by_their_factors(cycles, integral) if measured else price * integral)
    focused = Assumption(
        "the run is one of focus: cycles that begin with a full pass", _is_focus(run)
    )
    return Bound("Promise of focus", _width(run, cycles) * passes, (*bound.assumptions, focused))


def _width(run: Trajectory, cycles: list[Cycle]) -> int:
    """W; a full pass that the end of the run cut short may be the longest."""
    stop = cycles[-1].stop if cycles else 0
    cut = int(run.entries[-1] - run.entries[stop])
    return max([cut, 2 * run.problem.A.nnz, *(cycle.work for cycle in cycles)])


def _by_their_factors(cycles: list[Cycle], integral: Floats) -> Floats:
    """The integral with that of every finished cycle divided by its factor; inf where it is."""
    spent, saved = integral.copy(), 0.0
    for cycle in cycles:
        spent[cycle.start + 1 : cycle.stop + 1] -= saved
        own = float(integral[cycle.stop] - integral[cycle.start])
        if not np.isfinite(own):  # the optimum, to rounding
            break
        saved += own - own / cycle.factor
    spent[cycles[-1].stop + 1 if cycles else 0 :] -= saved
    return spent


def _is_focus(run: Trajectory) -> bool:
    d = run.problem.d
    whole = np.flatnonzero(run.levels == 0)
    complete = whole[: len(whole) - len(whole) % d].reshape(-1, d)
    orders = np.sort(run.indices[complete], axis=1)
    contiguous = bool(np.all(np.diff(complete, axis=1) == 1)) if complete.size else True
    return contiguous and bool(np.all(orders == np.arange(d)))
