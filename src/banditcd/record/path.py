"""A path as arrays: what the native loop over its penalties fills."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from banditcd import _core

Floats = NDArray[np.float64]

#: Columns of the native table of a path.
COLUMNS = 9
_STATUS = [status.name for status in _core.RecordStatus]
_REGIME = [regime.name for regime in _core.RecordRegime]


@dataclass(frozen=True, slots=True)
class RecordPath:
    """Models along a path of penalties, with their certificates.

    The fields are those of :class:`banditcd.record.RecordResult`, one place per penalty;
    ``coefs`` has shape (d, n_penalties).
    """

    coefs: Floats
    table: Floats
    n: int

    @property
    def intercepts(self) -> Floats:
        """The intercepts; 0 without one."""
        return np.ascontiguousarray(self.table[:, 0])

    @property
    def primal(self) -> Floats:
        """The mean-scaled objective of every model."""
        return np.asarray(self.table[:, 1] / self.n)

    @property
    def gap(self) -> Floats:
        """The duality gaps."""
        return np.asarray(self.table[:, 2] / self.n)

    @property
    def target(self) -> Floats:
        """``tol`` times the objective of the null model."""
        return np.asarray(self.table[:, 3] / self.n)

    @property
    def status(self) -> list[str]:
        """Why every solve stopped."""
        codes = self.table[:, 4].astype(np.intp).tolist()
        finite = np.isfinite(self.table[:, 2]).tolist()
        names = [_STATUS[code] for code in codes]
        return [
            "uncertified" if name == "stalled" and not known else name
            for name, known in zip(names, finite, strict=True)
        ]

    @property
    def regime(self) -> list[str]:
        """How every model was found."""
        return [_REGIME[code] for code in self.table[:, 5].astype(np.intp).tolist()]

    @property
    def passes(self) -> Floats:
        """Entries of X read for each model, divided by the entries of X."""
        return self.table[:, 6]

    @property
    def bins(self) -> NDArray[np.intp]:
        """How often the pool problem was solved."""
        return self.table[:, 7].astype(np.intp)

    @property
    def seconds(self) -> Floats:
        """Wall-clock time in native code."""
        return self.table[:, 8]

    @property
    def converged(self) -> NDArray[np.bool_]:
        """Which certificates reached their target."""
        return np.asarray(self.table[:, 4] == _STATUS.index("converged"))


def empty_path(n: int, d: int, count: int) -> RecordPath:
    """Return the places a native path fills."""
    return RecordPath(np.empty((d, count), order="F"), np.zeros((count, COLUMNS)), n)
