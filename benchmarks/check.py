"""Does every solver solve the problem it is given? Each one, each kind, on two small problems.

Run ``python -m benchmarks.check lasso`` (or logistic, svm, svr, ridge) before a long run: a solver
with another scaling of the penalty, or one that does not run here, shows at once. Prints the
independent gap at a tight tolerance.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path

from benchmarks.benchmark import Benchmark
from benchmarks.peers.client import FitError, Peer, TimeLimitError, write_problem
from benchmarks.peers.environments import DoesNotBuildError
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task, small_problem

TOLERANCE = 1e-9
LIMIT = 120.0
NAMES = ("lasso", "logistic", "svm", "svm_l1", "svr", "ridge", "ridge_classifier")


def first_of_each_kind(benchmark: Benchmark, problem: Problem, book: Book) -> list[Task]:
    """Return one task for each kind, the one of the quick run if there is one."""
    found: dict[str, Task] = {}
    for task in benchmark.tasks(problem, book):
        if task.kind not in found or task.setting in benchmark.quick_settings:
            found[task.kind] = task
    return list(found.values())


def check(peer: Peer, tasks: list[Task]) -> list[str]:
    """Return one line for each kind that the solver offers."""
    lines = []
    for task in tasks:
        if task.kind not in peer.about["kinds"]:
            continue
        if reason := peer.about["refused"][task.kind]:
            lines.append(f"{task.kind}: {reason}")
            continue
        tol = max(TOLERANCE, peer.about["tightest"])
        try:
            fit = peer.fit(task.kind, task.arguments, tol, LIMIT)
            lines.append(f"{task.kind}: gap {task.judge(fit):.0e}, {1e3 * fit.cpu:.2g} ms")
        except (FitError, TimeLimitError) as error:
            lines.append(f"{task.kind}: {error}")
    return lines


def main(words: list[str]) -> int:
    """Check all solvers of a benchmark, or those named after it."""
    if not words or words[0] not in NAMES:
        print(f"Name a benchmark: {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    benchmark: Benchmark = import_module(f"benchmarks.{words[0]}").BENCHMARK
    with tempfile.TemporaryDirectory(prefix="banditcd-bench-") as folder:
        book = Book(Path(folder, "optima.csv"))
        for environment, variant in benchmark.solvers:
            if words[1:] and variant not in words[1:]:
                continue
            for storage in ("dense", "sparse"):
                data = small_problem(storage == "sparse", words[0] in ("logistic", "svm"))
                problem = Problem(storage, "small", *data)
                peer = Peer(environment, variant)
                try:
                    write_problem(Path(folder, storage), problem.X, problem.y)
                    peer.load(Path(folder, storage))
                    lines = check(peer, first_of_each_kind(benchmark, problem, book))
                except (DoesNotBuildError, FitError, TimeLimitError) as error:
                    lines = [f"{type(error).__name__}: {error}"]
                finally:
                    peer.close()
                print(f"{variant:<18} {storage:<7} {'; '.join(lines)}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
