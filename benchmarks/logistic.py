"""The benchmark of logistic regression, with an L1 or an L2 penalty.

Run ``python -m benchmarks.logistic`` (or ``make bench-logistic``) from the root of the project.
"""

from __future__ import annotations

import sys

from benchmarks.benchmark import Benchmark, Kind
from benchmarks.classes import DATA, FAMILIES, l2_tasks
from benchmarks.gap import largest_logistic_penalty, logistic_l1_gap
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.run import main

TARGETS = (1e-4, 1e-6, 1e-10)
DIVISORS = (10, 50, 100, 1000)


def tasks(problem: Problem, book: Book) -> list[Task]:
    """Return the tasks of a data set."""
    return [*_l1_tasks(problem), *l2_tasks(problem, "logistic_l2", book)]


def _l1_tasks(problem: Problem) -> list[Task]:
    X, y = problem.X, problem.y
    largest = largest_logistic_penalty(X, y)

    def task(divisor: int) -> Task:
        penalty = largest / divisor
        return Task(
            kind="logistic_l1",
            setting=f"1/{divisor}",
            arguments={"penalty": penalty},
            judge=lambda fit: logistic_l1_gap(X, y, fit.coef, penalty),
            targets=TARGETS,
            small=lambda X, y: {"penalty": largest_logistic_penalty(X, y) / 10},
        )

    return [task(divisor) for divisor in DIVISORS]


BENCHMARK = Benchmark(
    name="logistic",
    title="Logistic regression: time to a certified accuracy",
    judged=(
        "L1: duality gap of the coefficients by one independent function; L2: P(w) − D, D a dual "
        "value certified to 1e-10. Both divided by the objective at zero."
    ),
    data=DATA,
    task="binary",
    tasks=tasks,
    kinds=(
        Kind("l1", "logistic_l1", "L1 penalty, λmax/10 to λmax/1000", 1.0, 3.0),
        Kind("l2", "logistic_l2", "L2 penalty, C of scikit-learn", 0.9, 1.5),
    ),
    solvers=(
        ("banditcd", "banditcd, loosest"),
        ("banditcd", "banditcd"),
        ("blitz", "Blitz"),
        ("snapml", "Snap ML"),
        ("snapml", "Snap ML dual"),
        ("adelie", "adelie"),
        ("glmnet", "glmnet"),
        ("liblinear", "liblinear"),
        ("liblinear", "liblinear dual"),
        ("scikit_learn", "scikit-learn liblinear"),
        ("scikit_learn", "scikit-learn liblinear dual"),
        ("scikit_learn", "scikit-learn lbfgs"),
        ("scikit_learn", "scikit-learn newton-cholesky"),
        ("scikit_learn", "scikit-learn newton-cg"),
        ("skglm", "skglm"),
        ("celer", "celer"),
        ("cyanure", "cyanure"),
        ("lightning", "lightning"),
        ("scikit_learn", "scikit-learn saga"),
        ("scikit_learn", "scikit-learn sag"),
    ),
    ours=("banditcd, loosest", "banditcd"),
    families=FAMILIES,
    growing=(("logistic_l1", "1/10"), ("logistic_l1", "1/100"), ("logistic_l2", "C=1")),
    quick_settings=("1/10", "C=1"),
    quick_targets=(1e-4, 1e-6),
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
