"""Run several selectors on one problem, over several seeds, and keep every record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banditcd import updates
from banditcd.engine import Progress, minimize
from banditcd.engine.applicability import why_not_selector, why_not_update
from banditcd.experiments.contest import Contest
from banditcd.experiments.entrants import Entrant
from banditcd.experiments.rows import PYTHON_RULE, RaceInfo, RaceResult, RaceRun
from banditcd.results import Result, Status

FIRST_LOOK = 0.05  # of an epoch
LOOK_GROWTH = 1.05  # a target is noticed at most 5 % late, the same for every selector
PATIENCE = 4.0  # with the optimum: that many times the limits of a run
CERTIFY = 1e-13  # relative gap asked of the optimum that suboptimalities are measured from


@dataclass(frozen=True)
class Rules:
    """The same for everybody in a race.

    Attributes
    ----------
    tol : float
        A run ends at a gap of tol P0,
    epochs, seconds : float
        or after this many epochs or seconds of its own.
    seeds, first_seed : int
        Every selector runs once with each of ``first_seed, first_seed + 1, ...``.
    update : str or object
        Update rule; accelerated methods keep their own.
    engine : str
        See :func:`banditcd.minimize`.
    asked : tuple of str
        Labels of the selectors that were named; the summary is about them.
    """

    tol: float = 1e-8
    epochs: float = 2000.0
    seconds: float | None = None
    seeds: int = 3
    first_seed: int = 0
    update: Any = "auto"
    engine: str = "compiled"
    asked: tuple[str, ...] = ()


class Watcher:
    """Hears how a race goes; this one says nothing."""

    def begin(self, contest: Contest, entrants: list[Entrant], rules: Rules) -> None:
        """Start of a race."""

    def look(self, entrant: Entrant, seed: int, relative_gap: float) -> None:
        """Record of a run."""

    def finish(self, run: RaceRun, relative_gap: float) -> None:
        """End of a run."""

    def end(self) -> None:
        """End of a race."""


class RunError(Exception):
    """A selector raised an error in the middle of its run."""


def why_not(entrant: Entrant, contest: Contest, rules: Rules) -> str | None:
    """Return why an entrant cannot run a race, or None if it can."""
    reason = why_not_selector(entrant.make(), contest.problem)
    if reason is None and rules.update != "auto" and not entrant.is_accelerated:
        rule = updates.make(rules.update) if isinstance(rules.update, str) else rules.update
        unfit = why_not_update(rule, contest.problem)
        if unfit is not None:
            reason = f"the update {getattr(rule, 'name', rule)!r} does not apply: {unfit}"
    return reason


def run_race(
    contest: Contest, entrants: list[Entrant], rules: Rules, watcher: Watcher | None = None
) -> tuple[RaceResult, bool]:
    """Run a race; return it and whether it was interrupted from the keyboard.

    The seeds are the outer loop, so that a slow spell of the machine meets every selector.

    Parameters
    ----------
    contest : Contest
        The problem.
    entrants : list of Entrant
        The selectors.
    rules : Rules
        Seeds, limits and the gap to reach.
    watcher : Watcher, optional
        Told about every run as it goes on.
    """
    watcher = watcher or Watcher()
    runs: list[RaceRun] = []
    best: Result | None = None
    interrupted = False
    watcher.begin(contest, entrants, rules)
    try:
        for seed in range(rules.first_seed, rules.first_seed + rules.seeds):
            for entrant in entrants:
                result = _run(contest, entrant, seed, rules, watcher)
                if result.status is Status.INTERRUPTED:
                    raise KeyboardInterrupt
                runs.append(_record(entrant, seed, result))
                watcher.finish(runs[-1], result.gap / contest.problem.null_objective())
                best = result if best is None or result.objective < best.objective else best
        if best is not None:
            best = _polished(contest, best, rules)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        watcher.end()
    return RaceResult(_info(contest, rules, best, runs), runs), interrupted


def looks(d: int, epochs: float) -> npt.NDArray[np.int64]:
    """Return the steps at which runs are certified: a geometric grid from 1/20 of an epoch on."""
    last = max(int(np.ceil(epochs * d)), 1)
    first = max(FIRST_LOOK * d, 1.0)
    count = max(int(np.ceil(np.log(last / first) / np.log(LOOK_GROWTH))), 0) + 1
    grid = np.ceil(first * LOOK_GROWTH ** np.arange(count)).astype(np.int64)
    return np.unique(np.minimum(grid, last))


def _run(contest: Contest, entrant: Entrant, seed: int, rules: Rules, watcher: Watcher) -> Result:
    scale = contest.problem.null_objective()

    def show(progress: Progress) -> None:
        watcher.look(entrant, seed, progress.row.gap / scale)

    try:
        return minimize(
            contest.problem,
            entrant.make(),
            "auto" if entrant.is_accelerated else rules.update,
            tol=rules.tol,
            max_epochs=rules.epochs,
            max_seconds=rules.seconds,
            random_state=seed,
            callback=show,
            trace=looks(contest.problem.d, rules.epochs),
            engine=rules.engine,
        )
    except Exception as error:
        raise RunError(f"{entrant.label} failed on {contest.title}.") from error


def _record(entrant: Entrant, seed: int, result: Result) -> RaceRun:
    in_python = entrant.is_python
    return RaceRun(
        selector=entrant.label,
        seed=seed,
        update=result.update,
        engine=PYTHON_RULE if result.engine == "compiled" and in_python else result.engine,
        status=str(result.status),
        trace=result.trace,
    )


def _polished(contest: Contest, best: Result, rules: Rules) -> Result:
    """Go on from the best point to a certified optimum, within a few times the limits of a run."""
    polished = minimize(
        contest.problem,
        "acf",
        x0=best.x,
        tol=CERTIFY,
        max_epochs=PATIENCE * rules.epochs,
        max_seconds=None if rules.seconds is None else PATIENCE * rules.seconds,
        random_state=rules.first_seed,
        trace=None,
        engine=rules.engine,
    )
    return min(best, polished, key=lambda result: result.gap)  # objectives may differ by rounding


def _info(contest: Contest, rules: Rules, best: Result | None, runs: list[RaceRun]) -> RaceInfo:
    lowest = min((float(run.trace.objective.min()) for run in runs), default=np.nan)
    return RaceInfo(
        data=contest.dataset.title,
        cost=contest.problem.name,
        n=contest.dataset.rows,
        d=contest.problem.d,
        alpha=contest.alpha,
        alpha_note=contest.alpha_note,
        null_objective=contest.problem.null_objective(),
        tol=rules.tol,
        optimum=lowest if best is None else min(lowest, best.objective),
        optimum_gap=np.inf if best is None else best.gap,
        asked="; ".join(rules.asked),
    )
