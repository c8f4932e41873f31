"""The certificates of a path, made one by one when somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from banditcd.estimators.certificate import FitCertificate
from banditcd.estimators.record_backend import STATUS
from banditcd.record import RecordPath


class RecordProofs(Sequence[FitCertificate]):
    """Certificates of a native path, without a Python object for each until it is asked for."""

    def __init__(self, path: RecordPath) -> None:
        self._path = path

    def __len__(self) -> int:
        return len(self._path.table)

    @overload
    def __getitem__(self, k: int) -> FitCertificate: ...
    @overload
    def __getitem__(self, k: slice) -> list[FitCertificate]: ...
    def __getitem__(self, k: int | slice) -> FitCertificate | list[FitCertificate]:
        if isinstance(k, slice):
            return [self[position] for position in range(*k.indices(len(self)))]
        path = self._path
        primal, gap = float(path.primal[k]), float(path.gap[k])
        status = path.status[k]
        return FitCertificate(
            primal=primal,
            dual=primal - gap,
            gap=gap,
            target=float(path.target[k]),
            status=STATUS.get(status, status),
            regime=path.regime[k],
            passes=float(path.passes[k]),
            seconds=float(path.seconds[k]),
            n_iter=max(int(path.bins[k]), 1),
        )

    @property
    def gaps(self) -> NDArray[np.float64]:
        """The duality gaps."""
        return self._path.gap

    @property
    def missed(self) -> list[FitCertificate]:
        """Those that did not reach their target."""
        converged = self._path.converged
        if converged.all():
            return []
        return [self[int(k)] for k in np.flatnonzero(~converged)]


def missed(proofs: Sequence[FitCertificate]) -> list[FitCertificate]:
    """Return the certificates that did not reach their target."""
    if isinstance(proofs, RecordProofs):
        return proofs.missed
    return [proof for proof in proofs if not proof.converged]


def gaps(proofs: Sequence[FitCertificate]) -> NDArray[np.float64]:
    """Return the duality gaps."""
    if isinstance(proofs, RecordProofs):
        return proofs.gaps
    return np.array([proof.gap for proof in proofs])
