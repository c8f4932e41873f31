"""Random fits judged by ``banditcd.verify``: ``make verify``, or ``python -m benchmarks.verify``.

Problem k of a seed is the same whatever was run before it, so ``--start`` resumes a run and
``--start k --count 1 --show`` repeats one problem. Every fit of status "converged" is compared to
the judge: a certificate is false if its primal value is not the objective of the coefficients, or
if a point is known whose objective is below its lower bound, beyond rounding.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse

import banditcd
from benchmarks.verify_problems import Drawn, draw

HANG = 5.0  # seconds of processor time of one fit
PRIMAL = 1e-10
COARSE = 1e-6  # of the null model's objective: a rounding error above it decides nothing
OUTCOMES = ("confirmed", "at target", "open", "unfinished", "refused", "hang", "FALSE")


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
    slack = seen.rounding + PRIMAL * abs(seen.objective)
    if not abs(primal - seen.objective) <= slack:
        return "FALSE", f"primal {primal!r}, objective {seen.objective!r}"
    if seen.rounding > COARSE * target / drawn.model.tol:
        return "open", f"rounding {seen.rounding:.1e} of the judge, target {target:.1e}"
    if seen.gap <= gap + seen.rounding:
        return "confirmed", ""
    best = min(seen.objective, _tighter(drawn))
    if seen.objective - best > gap + 2.0 * seen.rounding:
        return "FALSE", f"claimed gap {gap:.3e}, distance at least {seen.objective - best:.3e}"
    return ("at target" if seen.gap <= target + seen.rounding else "open"), seen.sentence


def _tighter(drawn: Drawn) -> float:
    """Return the objective of a fit to a much smaller tolerance."""
    from sklearn.base import clone

    model = clone(drawn.model).set_params(tol=1e-12, max_iter=5000)
    drawn.fit(model)
    return banditcd.verify(model, drawn.X, drawn.y, drawn.weight).objective


def run(seed: int, indices: Iterable[int], show: bool = False) -> dict[str, Counter[str]]:
    """Return the number of every outcome for every kind; print what is not in order."""
    table: dict[str, Counter[str]] = {}
    for index in indices:
        drawn = draw(seed, index)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result, remark = outcome(drawn)
        table.setdefault(drawn.kind, Counter())[result] += 1
        if show or result in ("FALSE", "hang"):
            storage = type(drawn.X).__name__ if sparse.issparse(drawn.X) else drawn.X.dtype.name
            print(
                f"{index} {result}: {drawn.words} {storage} {drawn.X.shape}: {remark}", flush=True
            )
            print(f"    {drawn.model!r}".replace("\n", " "), flush=True)
    return table


def summary(table: dict[str, Counter[str]]) -> str:
    """Return the table of a run, in Markdown."""
    lines = ["| kind | " + " | ".join(OUTCOMES) + " |", "|---|" + "---:|" * len(OUTCOMES)]
    total: Counter[str] = Counter()
    for kind, counts in [*sorted(table.items()), ("all", total)]:
        lines.append(f"| {kind} | " + " | ".join(str(counts[name]) for name in OUTCOMES) + " |")
        total.update(counts if kind != "all" else {})
    return "\n".join(lines)


def main() -> int:
    """Run a range of problems and print the summary; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="first problem; resumes a run")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--show", action="store_true", help="print every problem")
    given = parser.parse_args()
    started, step, stop = time.perf_counter(), 1000, given.start + given.count
    table: dict[str, Counter[str]] = {}
    for first in range(given.start, stop, step):
        part = run(given.seed, range(first, min(first + step, stop)), given.show)
        for kind, counts in part.items():
            table.setdefault(kind, Counter()).update(counts)
        done = min(first + step, stop)
        seconds = time.perf_counter() - started
        print(f"problems {given.start} to {done - 1}, {seconds:.0f} s; resume: --start {done}")
        print(summary(table), flush=True)
    bad = sum(counts["FALSE"] + counts["hang"] for counts in table.values())
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
