"""The runner of every benchmark.

Rows are appended to CSV files below ``--out``; a run that was interrupted goes on where it stopped,
and cells whose rows are there are not run again (``--fresh`` runs them again, ``--rescan`` forgets
the tolerances found, too). The table and the pictures are redrawn from the rows at the end, or
alone with ``--draw``.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from threadpoolctl import threadpool_limits

from banditcd.data.download import DownloadError
from benchmarks.benchmark import Benchmark
from benchmarks.peers.client import Peer
from benchmarks.peers.harness import Arena, Store
from benchmarks.peers.machine import commit, describe
from benchmarks.peers.references import Book, NoReferenceError
from benchmarks.peers.rows import Row, Table, TrialRow
from benchmarks.peers.tasks import Limits, Problem
from benchmarks.report import draw
from benchmarks.scaling import measure_scaling

RESULTS = Path(__file__).parent / "results"


def parse(benchmark: Benchmark, arguments: list[str]) -> argparse.Namespace:
    """Read the command line; names that do not exist are errors that list those that do."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{benchmark.name}", description=benchmark.title
    )
    add, data = parser.add_argument, benchmark.data
    names = [variant for _, variant in benchmark.solvers]
    kinds = [kind.option for kind in benchmark.kinds]
    add("--data", nargs="+", choices=data, metavar="SET", help=", ".join(data))
    add("--solvers", nargs="+", choices=names, metavar="SOLVER", help=", ".join(names))
    add("--kinds", nargs="+", choices=kinds, default=kinds)
    add("--settings", nargs="+", metavar="SETTING", help="such as 1/10 or C=1")
    add("--targets", nargs="+", type=float, metavar="1e-6")
    add("--quick", action="store_true", help="small sets, few settings, no scaling study")
    add("--rounds", type=int, default=5, help="0: only look for everybody's tolerances")
    add("--limit", type=float, default=20.0, help="seconds for one fit (default: %(default)g)")
    add("--hopeless", type=float, default=20.0, help="times the fastest peer, at least 1 s")
    add("--threads", type=int, default=1, help="for everybody; 2 or more: files of their own")
    add("--fresh", action="store_true", help="forget the rows")
    add("--rescan", action="store_true", help="forget rows and tolerances")
    add("--draw", action="store_true", help="only redraw table and pictures")
    add("--no-draw", action="store_true", help="leave out table and pictures")
    add("--no-scaling", action="store_true", help="leave out the scaling study")
    add("--scaling", action="store_true", help="only the scaling study")
    add("--commit", default=commit(), help="hash of the sources, if git is not here")
    add("--unseen", metavar="HASH", help="with sets generated from this text, such as the commit")
    add("--clock", choices=("cpu", "wall"), help="default: cpu, with several threads wall")
    add("--out", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    if options.quick:
        options.settings = options.settings or list(benchmark.quick_settings)
        options.targets = options.targets or list(benchmark.quick_targets)
        options.data = options.data or [spec.name for spec in data.values() if spec.quick]
    options.clock = options.clock or ("cpu" if options.threads == 1 else "wall")
    return options


def stem(benchmark: Benchmark, threads: int) -> str:
    """Return how the names of the files start."""
    return benchmark.name if threads == 1 else f"{benchmark.name}-{threads}threads"


def run_sets(benchmark: Benchmark, options: argparse.Namespace, store: Store) -> None:
    """Run all data sets with one process for each solver."""
    with ExitStack() as stack:
        solvers = []
        for environment, variant in benchmark.solvers:
            if not options.solvers or variant in options.solvers:
                solvers.append(Peer(environment, variant, threads=options.threads))
                stack.callback(solvers[-1].close)
        for name in options.data or benchmark.data:
            try:
                problem = benchmark.read(benchmark.data[name])
            except (OSError, ValueError, DownloadError) as error:
                print(f"{name}: left out, its data could not be read: {error}", file=sys.stderr)
                continue
            run_set(benchmark, problem, solvers, options, store)


def run_set(
    benchmark: Benchmark,
    problem: Problem,
    solvers: list[Peer],
    options: argparse.Namespace,
    store: Store,
) -> None:
    """Run the cells of one data set."""
    limits = Limits(
        fit=options.limit,
        hopeless=options.hopeless,
        rounds=options.rounds,
        threads=options.threads,
    )
    kinds = [kind.method for kind in benchmark.kinds if kind.option in options.kinds]
    book = Book(options.out / f"{benchmark.name}-optima.csv")
    with Arena(problem, solvers, limits, store) as arena:
        for task in benchmark.tasks(problem, book):
            if task.kind not in kinds or (
                options.settings and task.setting not in options.settings
            ):
                continue
            targets = options.targets or task.targets
            try:
                arena.run(task.at([target for target in task.targets if target in targets]))
            except NoReferenceError as error:
                print(f"Left out: {error}", file=sys.stderr)


def main(benchmark: Benchmark, arguments: list[str]) -> int:
    """Run what is asked for, then draw."""
    benchmark = _with_unseen(benchmark, arguments)
    options = parse(benchmark, arguments)
    threadpool_limits(1)  # the judge must leave the other cores alone
    start = stem(benchmark, options.threads)
    rows, trials = options.out / f"{start}-rows.csv", options.out / f"{start}-tolerances.csv"
    if options.fresh or options.rescan:
        rows.unlink(missing_ok=True)
    if options.rescan:
        trials.unlink(missing_ok=True)
    if not (options.draw or options.scaling):
        store = Store(Table(rows, Row), Table(trials, TrialRow), options.commit, describe())
        run_sets(benchmark, options, store)
    if options.scaling or not (options.draw or options.no_scaling or options.quick):
        measure_scaling(benchmark, options.out)
    if not options.no_draw:
        draw(benchmark, options.out, options.clock, start)
    return 0


def _with_unseen(benchmark: Benchmark, arguments: list[str]) -> Benchmark:
    """Add the sets of ``--unseen``, whose names ``--data`` may then have."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--unseen", default="")
    seed = parser.parse_known_args(arguments)[0].unseen
    return benchmark.with_unseen(seed) if seed else benchmark
