"""Candidates of a search, and its choice among them."""

from __future__ import annotations

import dataclasses

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
