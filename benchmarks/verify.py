"""Random fits judged by ``banditcd.verify``: ``make verify``, or ``python -m benchmarks.verify``.

Problem k of a seed is the same whatever was run before it: ``--only 26574,1153`` repeats some and
prints them. Parts of 50 problems run in ``--jobs`` processes and are logged as they end; the same
command again runs what the log lacks. Every fit of status "converged" is compared to the judge: a
certificate is false if its primal value is not the objective of the coefficients, or if a point is
known whose objective is below its lower bound, beyond rounding. A third of the problems are of
newer kinds, with numbers from ten million on.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import time
import warnings
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import banditcd
from banditcd.verification import losses
from banditcd.verification.blocks import BLOCK_READERS, BlockProblem
from banditcd.verification.models import one_value, problems_of
from banditcd.verification.multinomial import MultinomialProblem
from banditcd.verification.problem import Problem
from benchmarks.verify_newer import draw_newer
from benchmarks.verify_problems import Drawn, draw

HANG = 5.0  # seconds of processor time of one fit
PRIMAL = 1e-10  # of the objective
COARSE = 1e-6  # of the null model's objective: a rounding error above it decides nothing
NEWER = 10_000_000  # problems from here on are of the kinds in verify_newer.py
PART = 50  # problems of a part of a run
GIVEN_UP = 60.0  # seconds of processor time of one problem, its judgement included
BAD = ("FALSE", "hang", "error")
OUTCOMES = ("confirmed", "at target", "open", "unfinished", "refused", "hang", "error", "FALSE")

Table = dict[str, Counter[str]]
Part = tuple[Table, list[str]]


def certificate(model: Any) -> tuple[float, float, float, bool]:
    """Return primal value, gap, target (sums over classes) and whether all converged."""
    given = model.certificate_
    all_of = given if isinstance(given, list) else [given]
    sums = [sum(getattr(c, name) for c in all_of) for name in ("primal", "gap", "target")]
    return sums[0], sums[1], sums[2], all(c.converged for c in all_of)


def outcome(drawn: Drawn) -> tuple[str, str]:
    """Fit a drawn problem and return one of ``OUTCOMES`` with a remark."""
    started = time.process_time()
    try:
        drawn.fit(drawn.model)
    except ValueError as refusal:
        return "refused", str(refusal)
    seconds = time.process_time() - started
    if seconds > HANG:
        return "hang", f"{seconds:.1f} s"
    primal, gap, target, converged = certificate(drawn.model)
    if not converged:
        return "unfinished", ""
    return _compare(drawn, primal, gap, target)


def _compare(drawn: Drawn, primal: float, gap: float, target: float) -> tuple[str, str]:
    model = drawn.model
    if not (np.isfinite(model.coef_).all() and np.isfinite([primal, gap]).all()):
        return "FALSE", "converged with values that are not finite"
    seen = banditcd.verify(model, drawn.X, drawn.y, drawn.weight)
    null, float64 = target / model.tol, working_error(drawn)
    slack = seen.rounding + PRIMAL * abs(seen.objective) + float64
    if not abs(primal - seen.objective) <= slack:
        return "FALSE", f"primal {primal!r}, objective {seen.objective!r}"
    if seen.rounding > max(COARSE * null, float(np.finfo(float).tiny)):
        return "open", f"rounding {seen.rounding:.1e} of the judge, target {target:.1e}"
    if seen.gap <= gap + seen.rounding:
        return "confirmed", ""
    best = min(seen.objective, _tighter(drawn))
    if seen.objective - best > gap + 2.0 * seen.rounding + float64:
        return "FALSE", f"claimed gap {gap:.3e}, distance at least {seen.objective - best:.3e}"
    return ("at target" if seen.gap <= target + seen.rounding else "open"), seen.sentence


def working_error(drawn: Drawn) -> float:
    """Return how far sums of losses in plain float64 may be off at the fitted point.

    The judge does better; a solver evaluates its certificate in float64.
    """
    problems = problems_of(drawn.model, drawn.X, drawn.y, drawn.weight, BLOCK_READERS)
    return sum(_error(problem) for problem in problems)


def _error(problem: Any) -> float:
    if isinstance(problem, MultinomialProblem):
        return _multinomial_error(problem)
    return _block_error(problem) if isinstance(problem, BlockProblem) else _loss_error(problem)


def _loss_error(problem: Problem) -> float:
    """Return twice the change of the losses when every predictor moves by its rounding error."""
    reach = abs(problem.X) @ np.abs(problem.w) + np.abs(problem.y) + problem.epsilon
    moved = problem.scale * reach
    slope = np.abs(losses.slopes(problem.loss, problem.X @ problem.w, problem.y, problem.epsilon))
    kinked = problem.loss not in losses.SMOOTH
    return 2.0 * float(problem.c @ ((1.0 if kinked else slope + moved) * moved))


def _multinomial_error(problem: MultinomialProblem) -> float:
    """Return the same for all classes: the slopes of a sample's loss sum to at most 2."""
    at = problem.columns
    reach = (abs(at.X) @ np.abs(problem.W).T).max(axis=1)
    return 2.0 * float(at.c @ (2.0 * at.scale * reach))


def _block_error(problem: BlockProblem) -> float:
    """Return the same for groups and tasks, with the rounding of as many sums as a row is long."""
    shift = 0.0 if problem.intercept is None else np.abs(problem.intercept)
    reach = abs(problem.X) @ np.abs(problem.W) + np.abs(problem.Y) + shift
    moved = float(np.finfo(float).eps) * problem.X.shape[1] * reach
    return 2.0 * float(np.sum((np.abs(problem.pull()) + problem.c[:, None] * moved) * moved))


def _tighter(drawn: Drawn) -> float:
    """Return the objective of a fit to a much smaller tolerance."""
    model = _plain(drawn.model).set_params(tol=1e-12, max_iter=5000)
    drawn.fit(model)
    return banditcd.verify(model, drawn.X, drawn.y, drawn.weight).objective


def _plain(model: Any) -> Any:
    """Return an unfitted model of the same objective: without the search, if there was one."""
    from sklearn.base import clone

    name = type(model).__name__
    if not name.endswith("CV"):
        return clone(model)
    plain = getattr(banditcd, name.removesuffix("CV"))()
    shared = plain.get_params().keys() & model.get_params().keys()
    plain.set_params(**{key: getattr(model, key) for key in shared})
    found = plain.get_params().keys() & {"alpha", "C", "l1_ratio"}
    chosen = {k: getattr(model, f"{k}_") for k in found if hasattr(model, f"{k}_")}
    if "C" in chosen:  # a value for each class, all the same
        chosen = {k: one_value(model, k) for k in chosen}
    return plain.set_params(**chosen)


def _expired(*_: Any) -> None:
    raise TimeoutError


def run(seed: int, indices: Iterable[int], show: bool = False) -> Part:
    """Return the number of every outcome for every kind, and lines on what is not in order."""
    table: Table = {}
    lines: list[str] = []
    signal.signal(signal.SIGPROF, _expired)
    for index in indices:
        drawn = draw(seed, index) if index < NEWER else draw_newer(seed, index)
        signal.setitimer(signal.ITIMER_PROF, GIVEN_UP)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result, remark = outcome(drawn)
        except TimeoutError:
            result, remark = "hang", f"given up after {GIVEN_UP:.0f} s"
        except Exception as error:
            result, remark = "error", repr(error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        table.setdefault(drawn.kind, Counter())[result] += 1
        if show or result in BAD:
            storage = type(drawn.X).__name__ if sparse.issparse(drawn.X) else drawn.X.dtype.name
            lines.append(f"{index} {result}: {drawn.words} {storage} {drawn.X.shape}: {remark}")
            lines.append(f"    {drawn.model!r}".replace("\n", " "))
    return table, lines


def summary(table: Table) -> str:
    """Return the table of a run, in Markdown."""
    lines = ["| kind | " + " | ".join(OUTCOMES) + " |", "|---|" + "---:|" * len(OUTCOMES)]
    total: Counter[str] = Counter()
    for kind, counts in [*sorted(table.items()), ("all", total)]:
        lines.append(f"| {kind} | " + " | ".join(str(counts[name]) for name in OUTCOMES) + " |")
        total.update(counts if kind != "all" else {})
    return "\n".join(lines)


def merge(table: Table, part: dict[str, dict[str, int]]) -> None:
    """Add the counts of a part."""
    for kind, counts in part.items():
        table.setdefault(kind, Counter()).update(counts)


def known_parts(log: Path, seed: int, show: Table) -> set[int]:
    """Return the first problems of the parts that a log holds, and add their counts."""
    done = set()
    for line in log.read_text().splitlines() if log.exists() else []:
        try:
            part = json.loads(line)
        except ValueError:
            continue  # the last line of a run that was killed
        if part["seed"] == seed and part["size"] == PART:
            done.add(part["first"])
            merge(show, part["table"])
    return done


def all_parts(start: int, count: int) -> list[int]:
    """Return the first problems of the parts of a run: two thirds are of the older kinds."""
    newer = count // 3 // PART * PART if start < NEWER else 0
    older = range(start, start + count - newer, PART)
    return [*older, *range(NEWER + start, NEWER + start + newer, PART)]


def run_all(given: argparse.Namespace) -> Table:
    """Run the parts that the log lacks, several at a time, and log each as it ends."""
    table: Table = {}
    done = known_parts(given.log, given.seed, table)
    firsts = [k for k in all_parts(given.start, given.count) if k not in done]
    started, context = time.perf_counter(), multiprocessing.get_context("spawn")
    print(
        f"{len(done)} parts of {PART} problems are in {given.log}, {len(firsts)} to run", flush=True
    )
    given.log.parent.mkdir(parents=True, exist_ok=True)
    with given.log.open("a") as log, ProcessPoolExecutor(given.jobs, mp_context=context) as pool:
        jobs = {
            pool.submit(run, given.seed, range(first, first + PART), given.show): first
            for first in firsts
        }
        for number, job in enumerate(as_completed(jobs), start=1):
            part, lines = job.result()
            facts = {"seed": given.seed, "first": jobs[job], "size": PART, "table": part}
            log.write(json.dumps(facts | {"lines": lines}) + "\n")
            log.flush()
            merge(table, part)
            print(*lines, sep="\n", end="\n" if lines else "", flush=True)
            if number % 20 == 0:
                seconds = time.perf_counter() - started
                print(f"{number} of {len(firsts)} parts, {seconds:.0f} s", flush=True)
    return table


def main() -> int:
    """Run a range of problems and print the summary; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="first problem")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", help="these problems alone: numbers with commas between them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--log", type=Path, default=Path("build/verify.jsonl"), help="parts done")
    parser.add_argument("--show", action="store_true", help="print every problem")
    given = parser.parse_args()
    if given.only or given.count < PART:
        every = range(given.start, given.start + given.count)
        indices = [int(k) for k in given.only.split(",")] if given.only else every
        table, lines = run(given.seed, indices, given.show or bool(given.only))
        print(*lines, sep="\n")
    else:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BANDITCD_NUM_THREADS"):
            os.environ[name] = "1"  # of the processes: one thread each
        table = run_all(given)
    print(summary(table), flush=True)
    return 1 if sum(counts[name] for counts in table.values() for name in BAD) else 0


if __name__ == "__main__":
    raise SystemExit(main())
