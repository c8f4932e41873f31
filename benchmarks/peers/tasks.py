"""What is to be solved: a data set, a task on it, and the limits of patience."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.peers.client import Fit


@dataclass(frozen=True)
class Problem:
    """A data set as everybody gets it: Fortran order or CSC, no intercept to fit."""

    name: str
    group: str
    X: Any
    y: Any

    @property
    def nonzeros(self) -> int:
        """Stored entries."""
        return int(self.X.nnz) if hasattr(self.X, "nnz") else int(self.X.size)

    @property
    def has_classes(self) -> bool:
        """Whether the response consists of the labels -1 and +1."""
        return bool(np.all(np.abs(self.y) == 1.0))


def _nothing() -> None:
    """The judge needs nothing but the fit."""


@dataclass(frozen=True)
class Task:
    """One thing to solve on a data set, at one or several accuracies.

    Attributes
    ----------
    kind : str
        Name of the method of a variant.
    setting : str
        Printed name, such as "1/10".
    arguments : dict
        Arguments of the method.
    judge : callable
        Returns the relative gap of a fit.
    targets : tuple of float
        Gaps to reach.
    small : callable
        Returns the arguments of the same kind for a small problem, for the warm-up.
    patience : float
        Factor on the time limits.
    ready : callable
        Called before the first fit; finds what the judge needs.
    """

    kind: str
    setting: str
    arguments: dict[str, Any]
    judge: Callable[[Fit], float]
    targets: tuple[float, ...]
    small: Callable[[Any, Any], dict[str, Any]]
    patience: float = 1.0
    ready: Callable[[], object] = _nothing

    def at(self, targets: Sequence[float]) -> Task:
        """Return the task with these targets instead of its own."""
        return replace(self, targets=tuple(targets))


@dataclass(frozen=True)
class Limits:
    """Seconds for fits, and rounds of timing.

    A fit has ``fit`` seconds; once a peer has reached the target, the others have ``hopeless``
    times its time, but at least ``least`` seconds. A search of a tolerance has three times that.
    Without rounds nothing is timed: only the tolerances are found.
    """

    fit: float = 20.0
    least: float = 0.1
    hopeless: float = 20.0
    rounds: int = 5
    slow: float = 2.0
    threads: int = 1

    def beside(self, fastest: float) -> float:
        """Return the limit of a fit when the fastest peer so far took this long."""
        return min(self.fit, max(self.least, self.hopeless * fastest))


def small_problem(is_sparse: bool, has_classes: bool) -> tuple[Any, Any]:
    """Return data on which the first, compiling call of a library is quick."""
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((60, 20)))
    y = X[:, 0] - X[:, 1] + 0.1 * rng.standard_normal(60)
    y = np.where(y > 0.0, 1.0, -1.0) if has_classes else y
    return (sparse.csc_matrix(np.where(X > 0.0, X, 0.0)) if is_sparse else X), y
