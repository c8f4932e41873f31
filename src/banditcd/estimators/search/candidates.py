"""What a search compares, what it chooses, and how its folds are run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.path_solver import Path, solve_path
from banditcd.estimators.backends.prepared import Prepared
from banditcd.estimators.backends.solution import Backend


@dataclasses.dataclass(slots=True)
class Candidate:
    """One l1_ratio: its data ready to be solved, its alphas, and its path once it is known."""

    prepared: Prepared
    backend: Backend
    alphas: Floats
    path: Path | None = None

    def whole_path(self) -> Path:
        """Return the path of all samples."""
        if self.path is None:
            self.path = solve_path(self.prepared, self.backend, self.alphas, len(self.alphas))
        return self.path


@dataclasses.dataclass(slots=True)
class Choice:
    """The chosen candidate and the position on its path, and how the solves went."""

    candidate: int
    position: int
    missed: list[FitCertificate]
    solves: int


def run(
    jobs: list[tuple[Callable[..., Any], tuple[Any, ...]]], n_jobs: int | None
) -> Iterable[Any]:
    """Run the jobs in their order, several at a time in threads if ``n_jobs`` says so."""
    if effective_n_jobs(n_jobs) == 1:
        return (work(*arguments) for work, arguments in jobs)
    pool = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    results: Iterable[Any] = pool(delayed(work)(*arguments) for work, arguments in jobs)
    return results
