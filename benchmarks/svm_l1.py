"""The benchmark of linear support vector machines with an L1 penalty and the squared hinge loss.

Run ``python -m benchmarks.svm_l1`` (or ``make bench-svm-l1``) from the root of the project.
"""

from __future__ import annotations

import sys

from benchmarks.benchmark import Benchmark, Kind
from benchmarks.classes import DATA, FAMILIES, TARGETS
from benchmarks.gap import largest_svm_l1_penalty, svm_l1_gap
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.run import main

DIVISORS = (10, 100, 1000)


def tasks(problem: Problem, _book: Book) -> list[Task]:
    """Return the tasks of a data set."""
    X, y = problem.X, problem.y
    largest = largest_svm_l1_penalty(X, y)

    def task(divisor: int) -> Task:
        penalty = largest / divisor
        return Task(
            kind="svm_l1",
            setting=f"1/{divisor}",
            arguments={"penalty": penalty},
            judge=lambda fit: svm_l1_gap(X, y, fit.coef, penalty),
            targets=TARGETS,
            small=lambda X, y: {"penalty": largest_svm_l1_penalty(X, y) / 10},
        )

    return [task(divisor) for divisor in DIVISORS]


BENCHMARK = Benchmark(
    name="svm_l1",
    title="Linear SVM with an L1 penalty: time to a certified accuracy",
    judged=(
        "Gap: duality gap of the coefficients by one independent function, divided by the "
        "objective at zero. Our own certificate is in the rows as `claimed`."
    ),
    data=DATA,
    task="binary",
    tasks=tasks,
    kinds=(Kind("l1", "svm_l1", "L1 penalty, λmax/10 to λmax/1000", 1.0, 3.0),),
    solvers=(
        ("banditcd", "banditcd, loosest"),
        ("banditcd", "banditcd"),
        ("liblinear", "liblinear"),
        ("scikit_learn", "scikit-learn liblinear"),
    ),
    ours=("banditcd, loosest", "banditcd"),
    families=FAMILIES,
    growing=(("svm_l1", "1/10"), ("svm_l1", "1/100")),
    quick_settings=("1/10", "1/100"),
    quick_targets=(1e-2, 1e-4),
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
