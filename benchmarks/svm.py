"""The benchmark of linear support vector machines.

Run ``python -m benchmarks.svm`` (or ``make bench-svm``) from the root of the project.
"""

from __future__ import annotations

import sys

from benchmarks.benchmark import Benchmark, Kind
from benchmarks.classes import DATA, FAMILIES, l2_tasks
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.run import main


def tasks(problem: Problem, book: Book) -> list[Task]:
    """Return the tasks of a data set."""
    kinds = ("svm_hinge", "svm_squared_hinge")
    return [task for kind in kinds for task in l2_tasks(problem, kind, book)]


BENCHMARK = Benchmark(
    name="svm",
    title="Linear SVM: time to a certified accuracy",
    judged=(
        "Gap: P(w) − D, where P is computed from the coefficients by one independent function and "
        "D is a dual value certified to 1e-10, divided by P(0) = C n. Our own certificate is "
        "P(w) − D(ours), in the rows as `claimed`."
    ),
    data=DATA,
    task="binary",
    tasks=tasks,
    kinds=(
        Kind("hinge", "svm_hinge", "Hinge loss", 1.0, 3.0),
        Kind("squared_hinge", "svm_squared_hinge", "Squared hinge loss", 1.0, 3.0),
    ),
    solvers=(
        ("banditcd", "banditcd, loosest"),
        ("banditcd", "banditcd"),
        ("liblinear", "liblinear dual"),
        ("liblinear", "liblinear"),
        ("scikit_learn", "scikit-learn liblinear dual"),
        ("scikit_learn", "scikit-learn liblinear"),
        ("snapml", "Snap ML dual"),
        ("lightning", "lightning"),
    ),
    ours=("banditcd, loosest", "banditcd"),
    families=FAMILIES,
    growing=(("svm_hinge", "C=1"), ("svm_squared_hinge", "C=1")),
    quick_settings=("C=1",),
    quick_targets=(1e-2, 1e-4),
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
