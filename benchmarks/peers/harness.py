"""Run cells: find everybody's tolerance, then time everybody in interleaved rounds."""

from __future__ import annotations

import math
import os
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.client import LATE, Fit, FitError, Peer, TimeLimitError, write_problem
from benchmarks.peers.environments import DoesNotBuildError
from benchmarks.peers.rows import Row, Table, TrialRow
from benchmarks.peers.scan import Found, Trial, loosest_step, rounds_for, step_of, tolerance
from benchmarks.peers.tasks import Limits, Problem, Task, small_problem

UNSTEADY = "not reached: unsteady from run to run"
RETRIES = 4  # half-decades by which the tolerance of an unsteady peer is tightened


@dataclass
class Store:
    """The files that rows go to, and what every row says about its run."""

    rows: Table[Row]
    trials: Table[TrialRow]
    commit: str
    machine: str


class Arena:
    """One data set with the solvers that are to meet on it; their processes outlive it."""

    def __init__(
        self, problem: Problem, solvers: Sequence[Peer], limits: Limits, store: Store
    ) -> None:
        self.problem, self.limits, self.store = problem, limits, store
        self.solvers = solvers
        self.absent: dict[str, str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="banditcd-bench-")
        self._loaded = False
        self._fastest = math.inf  # among the peers that reached the target of the current cell

    def __enter__(self) -> Arena:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def run(self, task: Task) -> None:
        """Run all cells of a task whose rows are not all there."""
        for target in task.targets:
            blank = self._blank(task, target)
            names = [solver.name for solver in self.solvers]
            if all(replace(blank, solver=name).key in self.store.rows.rows for name in names):
                continue
            task.ready()
            self._load(task)
            self._cell(task, blank)

    def _blank(self, task: Task, target: float) -> Row:
        X = self.problem.X
        return Row(
            data=self.problem.name,
            group=self.problem.group,
            n=X.shape[0],
            d=X.shape[1],
            nonzeros=self.problem.nonzeros,
            kind=task.kind,
            setting=task.setting,
            target=target,
            solver="",
            status="",
            commit=self.store.commit,
            machine=self.store.machine,
            date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ"),
        )

    def _load(self, task: Task) -> None:
        """Give everybody the data, once, and the small problem of the warm-up."""
        here = Path(self._folder.name)
        is_sparse = hasattr(self.problem.X, "nnz")
        X, y = small_problem(is_sparse, self.problem.has_classes)
        small = here / ("sparse" if is_sparse else "dense")
        if not self._loaded:
            write_problem(here / "problem", self.problem.X, self.problem.y)
            write_problem(small, X, y)
        for solver in self.solvers:
            solver.warm_up_with(task.kind, small, task.small(X, y))
            if not self._loaded:
                try:
                    solver.load(here / "problem")
                except DoesNotBuildError as error:
                    self.absent[solver.name] = f"does not build here: {error}"
                except (FitError, TimeLimitError) as error:
                    self.absent[solver.name] = f"does not run here: {error}"
        self._loaded = True

    def _cell(self, task: Task, blank: Row) -> None:
        """Search, time, and write one row for each solver."""
        rows = {solver.name: replace(blank, solver=solver.name) for solver in self.solvers}
        entrants: list[tuple[Peer, int]] = []
        self._fastest = math.inf
        for solver in self._sought():
            found = self._search(solver, task, blank.target)
            version = str(solver.about.get("version", ""))
            rows[solver.name] = replace(rows[solver.name], status=found.reason, version=version)
            if found.step is not None:
                entrants.append((solver, found.step))
                if not solver.is_ours:
                    tried = self._seconds(solver, task, found.step)
                    self._fastest = min(self._fastest, tried)
        if not self.limits.rounds:
            return
        for name, timed in self._steady_rounds(entrants, task, blank.target).items():
            rows[name] = replace(rows[name], **timed)
        for row in rows.values():
            self.store.rows.add(row)
        print(summary(list(rows.values())), flush=True)

    def _sought(self) -> list[Peer]:
        """Return those whose tolerance is to be found: ours change, so they are not kept."""
        if self.limits.rounds:
            return self.solvers
        return [solver for solver in self.solvers if not solver.is_ours]

    def _search(self, solver: Peer, task: Task, target: float) -> Found:
        if solver.name in self.absent:
            return Found(None, self.absent[solver.name])
        if task.kind not in solver.about["kinds"]:
            return Found(None, "not offered")
        if refused := solver.about["refused"][task.kind]:
            return Found(None, f"not meant for this: {refused}")
        first, last = step_of(solver.about["loosest"]), step_of(solver.about["tightest"])
        if solver.about["target_is_tolerance"]:
            first = last = step_of(target)
        elif solver.about["exact"]:
            last = first
        elif solver.is_ours:  # a proof is never looser than what it proves
            last = step_of(target)
        found = loosest_step(lambda step: self._trial(solver, task, step), target, first, last)
        if found.step is None and not found.reason.startswith("failed"):
            return Found(None, f"not reached: {found.reason}")
        return found

    def _trial(self, solver: Peer, task: Task, step: int) -> Trial:
        """Return the stored trial, or run it and store it."""
        place = (self.problem.name, task.kind, task.setting, solver.name)
        version = str(solver.about["version"])
        stored = self.store.trials.rows
        key = (*place, version, step)
        limit = self.limits.beside(self._fastest) * task.patience
        if not solver.is_ours:  # ours change with every commit
            known = stored.get(key)
            if known is not None and not (known.problem.startswith(LATE) and known.seconds < limit):
                return Trial(known.gap, known.seconds, known.problem)
            others = [row for k, row in stored.items() if k[:5] == key[:5] and k != key]
            if sum(row.seconds for row in others) > 3.0 * limit:
                return Trial(math.inf, 0.0, f"search {LATE} of {3.0 * limit:.0f} s")
        run = solver.fit if solver.is_ours or solver.threads > 1 else solver.try_out
        try:
            fit = run(task.kind, task.arguments, tolerance(step), limit)
            trial = Trial(task.judge(fit), fit.cpu)
        except TimeLimitError as error:
            trial = Trial(math.inf, limit, str(error))
        except FitError as error:
            trial = Trial(math.inf, 0.0, f"failed: {error}")
        outcome = (trial.gap, trial.seconds, trial.problem)
        self.store.trials.add(TrialRow(*place, version, step, *outcome))
        return trial

    def _steady_rounds(
        self, entrants: list[tuple[Peer, int]], task: Task, target: float
    ) -> dict[str, dict[str, Any]]:
        """Time everybody; whoever draws at random and misses the target at times, tighter."""
        answers = self._rounds(entrants, task, target)
        for _ in range(RETRIES):
            entrants = [
                (solver, step + 1)
                for solver, step in entrants
                if answers[solver.name].get("status") == UNSTEADY
                and not (solver.about["target_is_tolerance"] or solver.about["exact"])
                and not self._trial(solver, task, step + 1).problem
            ]
            if not entrants:
                break
            answers.update(self._rounds(entrants, task, target))
        return answers

    def _rounds(
        self, entrants: list[tuple[Peer, int]], task: Task, target: float
    ) -> dict[str, dict[str, Any]]:
        """Time everybody in turn, starting with another one each round."""
        tried = {solver.name: self._seconds(solver, task, step) for solver, step in entrants}
        peers = [solver for solver, _ in entrants if not solver.is_ours]
        fastest = min((tried[solver.name] for solver in peers), default=math.inf)
        least, slow = self.limits.rounds, self.limits.slow
        wanted = {
            name: rounds_for(seconds, fastest, least=least, slow=slow)
            for name, seconds in tried.items()
        }
        fits: dict[str, list[tuple[Fit, float]]] = {name: [] for name in tried}
        errors: dict[str, str] = {}
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
        limit = 4.0 * self.limits.fit * task.patience  # it was within it when it was tried
        for number in range(max(wanted.values(), default=0)):
            first = number % len(entrants)
            for solver, step in entrants[first:] + entrants[:first]:
                if number >= wanted[solver.name] or solver.name in errors:
                    continue
                try:
                    fit = solver.fit(task.kind, task.arguments, tolerance(step), limit)
                    fits[solver.name].append((fit, task.judge(fit)))
                except (FitError, TimeLimitError) as error:
                    errors[solver.name] = f"failed: {error}"
        answers = {name: timed(pairs, target) for name, pairs in fits.items() if pairs}
        for solver, step in entrants:
            answers.setdefault(solver.name, {}).update(tol=tolerance(step), load=load)
        for name, reason in errors.items():
            answers[name]["status"] = reason
        return answers

    def _seconds(self, solver: Peer, task: Task, step: int) -> float:
        version = str(solver.about["version"])
        key = (self.problem.name, task.kind, task.setting, solver.name, version, step)
        return self.store.trials.rows[key].seconds


def timed(pairs: list[tuple[Fit, float]], target: float) -> dict[str, Any]:
    """Return the columns of a row that come from its timed fits and their gaps."""
    fits = [fit for fit, _ in pairs]
    worst = max(gap for _, gap in pairs)
    note = fits[-1].note
    others = {k: v for k, v in note.items() if k not in ("passes", "regime")}
    return {
        "status": "ok" if worst <= target else UNSTEADY,
        "gap": worst,
        "wall": statistics.median(fit.wall for fit in fits),
        "cpu": statistics.median(fit.cpu for fit in fits),
        "rounds": len(fits),
        "peak_mb": max(fit.peak_mb for fit in fits),
        "added_mb": max(fit.added_mb for fit in fits),
        "support": int(
            np.count_nonzero(fits[-1].coef.T[-1] if fits[-1].coef.ndim > 1 else fits[-1].coef)
        ),
        "passes": note.get("passes"),
        "regime": note.get("regime", ""),
        "note": " ".join(f"{name}={value:.6g}" for name, value in others.items()),
    }


def summary(rows: list[Row]) -> str:
    """Return one line about a cell, for those who watch."""
    done = sorted((row for row in rows if row.status == "ok"), key=lambda row: row.cpu or 0.0)
    times = ", ".join(f"{row.solver} {1e3 * (row.cpu or 0.0):.1f}" for row in done[:5])
    row = rows[0]
    return f"{row.data:<22} {row.kind:<10} {row.setting:<7} {row.target:.0e}  ms: {times}"
