"""The Lasso benchmark: every solver that builds here, on every data set, judged by one gap.

Run ``python -m benchmarks.lasso`` (or ``make bench-lasso``) from the root of the project. Rows are
appended to CSV files below ``--out``; a run that was interrupted goes on where it stopped, and
cells whose rows are there are not run again (``--fresh`` runs them again, ``--rescan`` forgets the
tolerances found, too). The table and the pictures are redrawn from the rows at the end, or alone
with ``--draw``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from threadpoolctl import threadpool_limits

from banditcd.data.download import DownloadError
from benchmarks.lasso_cells import DATA, SOLVERS, read, tasks
from benchmarks.lasso_report import draw
from benchmarks.lasso_scaling import measure_scaling
from benchmarks.peers.harness import Arena, Store
from benchmarks.peers.machine import commit, describe
from benchmarks.peers.rows import Row, Table, TrialRow
from benchmarks.peers.tasks import Limits, Problem

RESULTS = Path(__file__).parent / "results"
KINDS = {"single": "lasso", "path": "lasso_path", "cv": "lasso_cv"}
QUICK_SETTINGS, QUICK_TARGETS = ("1/10",), (1e-4, 1e-6)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line; names that do not exist are errors that list those that do."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lasso", description=__doc__)
    names = [variant for _, variant in SOLVERS]
    parser.add_argument("--data", nargs="+", choices=DATA, metavar="SET", help=", ".join(DATA))
    parser.add_argument("--solvers", nargs="+", choices=names, metavar="SOLVER", help=str(names))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--settings", nargs="+", metavar="1/10", help="single penalties only")
    parser.add_argument("--targets", nargs="+", type=float, metavar="1e-6")
    parser.add_argument("--quick", action="store_true", help="two small sets, one penalty")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for one fit")
    parser.add_argument("--fresh", action="store_true", help="forget the rows")
    parser.add_argument("--rescan", action="store_true", help="forget rows and tolerances")
    parser.add_argument("--draw", action="store_true", help="only redraw table and pictures")
    parser.add_argument("--no-scaling", action="store_true", help="leave out the scaling study")
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    if options.quick:
        options.kinds, options.settings, options.targets = ["single"], QUICK_SETTINGS, QUICK_TARGETS
        options.data = options.data or [spec.name for spec in DATA.values() if spec.quick]
    return options


def run_set(problem: Problem, options: argparse.Namespace, store: Store) -> None:
    """Run the cells of one data set."""
    chosen = [pair for pair in SOLVERS if not options.solvers or pair[1] in options.solvers]
    limits = Limits(fit=options.limit, rounds=options.rounds)
    kinds = tuple(KINDS[name] for name in options.kinds)
    with Arena(problem, chosen, limits, store) as arena:
        for task in tasks(problem, kinds):
            if task.kind == "lasso" and options.settings and task.setting not in options.settings:
                continue
            targets = options.targets or task.targets
            arena.run(task.at([target for target in task.targets if target in targets]))


def main(arguments: list[str]) -> int:
    """Run what is asked for, then draw."""
    options = parse(arguments)
    threadpool_limits(1)  # the judge must leave the other cores alone
    rows, trials = options.out / "lasso-rows.csv", options.out / "lasso-tolerances.csv"
    if options.fresh or options.rescan:
        rows.unlink(missing_ok=True)
    if options.rescan:
        trials.unlink(missing_ok=True)
    if not options.draw:
        store = Store(Table(rows, Row), Table(trials, TrialRow), commit(), describe())
        for name in options.data or DATA:
            try:
                problem = read(DATA[name])
            except (OSError, ValueError, DownloadError) as error:
                print(f"{name}: left out, its data could not be read: {error}", file=sys.stderr)
                continue
            run_set(problem, options, store)
        if not (options.no_scaling or options.quick):
            measure_scaling(options.out)
    draw(options.out, options.clock)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
