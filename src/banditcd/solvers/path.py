"""A path as arrays: the models of one native loop over penalties, with their reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.result import Result, result_of


@dataclass(frozen=True, slots=True)
class Path:
    """Models along a path of penalties, with their certificates.

    ``coefs`` has shape (d, n_penalties); the other fields of
    :class:`banditcd.solvers.Result` are arrays with one place per penalty.

    Parameters
    ----------
    coefs : ndarray of shape (d, n_penalties)
        The coefficients.
    reports : _core.Reports
        What the native solver reported for each penalty.
    n : int
        Number of rows, which scales the certificates.
    """

    coefs: Floats
    reports: _core.Reports
    n: int

    def __len__(self) -> int:
        return len(self.reports)

    def result(self, k: int) -> Result:
        """Return the k-th model as a solve of its own would have."""
        return result_of(self.reports[k], self.coefs[:, k], 1.0 / self.n)

    def _array(self, name: str) -> Floats:
        values: Floats = self.reports.column(name)
        return values

    @property
    def intercepts(self) -> Floats:
        """The intercepts; 0 without one."""
        return self._array("intercept")

    @property
    def primal(self) -> Floats:
        """The mean-scaled objective of every model."""
        return self._array("primal") / self.n

    @property
    def gap(self) -> Floats:
        """The duality gaps."""
        return self._array("gap") / self.n

    @property
    def target(self) -> Floats:
        """``tol`` times the objective of the null model."""
        return self._array("target") / self.n

    @property
    def status(self) -> list[str]:
        """The status of every solve."""
        return [self.reports[k].status for k in range(len(self))]

    @property
    def regime(self) -> list[str]:
        """The regime of every solve."""
        return [self.reports[k].regime for k in range(len(self))]

    @property
    def passes(self) -> Floats:
        """Entries of X read for each model, divided by the entries of X."""
        return self._array("passes")

    @property
    def n_iter(self) -> NDArray[np.intp]:
        """Inner solves of every solve."""
        return self._array("iterations").astype(np.intp)

    @property
    def seconds(self) -> Floats:
        """Wall-clock time in native code."""
        return self._array("seconds")

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Whether each certificate reached its target."""
        if self.reports.all_converged:
            return np.ones(len(self), dtype=bool)
        return np.array([status == "converged" for status in self.status])


def fill_path(
    shape: tuple[int, int], l1: Floats, l2: Floats, run: Callable[..., _core.Reports]
) -> Path:
    """Return the path that ``run(l1, l2, coef)`` fills, in sums instead of means."""
    n, d = shape
    coefs: Floats = np.empty((d, len(l1)), order="F")
    return Path(coefs, run(n * l1, n * l2, coefs), n)
