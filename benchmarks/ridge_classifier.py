"""The benchmark of the ridge classifier: ridge regression on the labels -1 and +1.

Run ``python -m benchmarks.ridge_classifier`` (or ``make bench-ridge-classifier``) from the root of
the project.
"""

from __future__ import annotations

import sys

from benchmarks.benchmark import Benchmark, Kind
from benchmarks.classes import DATA, FAMILIES
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.ridge import ridge_tasks
from benchmarks.run import main


def tasks(problem: Problem, book: Book) -> list[Task]:
    """Return the tasks of a data set."""
    return ridge_tasks(problem, "ridge_classifier", book)


BENCHMARK = Benchmark(
    name="ridge_classifier",
    title="Ridge classifier: time to a certified accuracy",
    judged=(
        "Gap: P(w) − D, P(w) = ‖y − Xw‖² + α‖w‖² from the coefficients by one independent function "
        "and D a dual value certified to 1e-10, divided by ‖y‖². Our own certificate is in the "
        "rows as `claimed`."
    ),
    data=DATA,
    task="binary",
    tasks=tasks,
    kinds=(Kind("ridge", "ridge_classifier", "One penalty", 0.9, 1.5),),
    solvers=(
        ("banditcd", "banditcd, loosest"),
        ("banditcd", "banditcd"),
        ("scikit_learn", "scikit-learn cholesky"),
        ("scikit_learn", "scikit-learn sparse_cg"),
        ("scikit_learn", "scikit-learn lsqr"),
        ("scikit_learn", "scikit-learn svd"),
        ("scikit_learn", "scikit-learn saga"),
        ("scikit_learn", "scikit-learn sag"),
    ),
    ours=("banditcd, loosest", "banditcd"),
    families=FAMILIES,
    growing=(("ridge_classifier", "α=1"),),
    quick_settings=("α=1",),
    quick_targets=(1e-4, 1e-6),
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
