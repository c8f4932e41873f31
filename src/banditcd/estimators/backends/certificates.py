"""The certificates of a path, made one by one when somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate, certificate_of
from banditcd.solvers import Path


class PathCertificates(Sequence[FitCertificate]):
    """Certificates of a native path, without a Python object for each until it is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __len__(self) -> int:
        return len(self._path)

    @overload
    def __getitem__(self, k: int) -> FitCertificate: ...
    @overload
    def __getitem__(self, k: slice) -> list[FitCertificate]: ...
    def __getitem__(self, k: int | slice) -> FitCertificate | list[FitCertificate]:
        if isinstance(k, slice):
            return [self[position] for position in range(*k.indices(len(self)))]
        return certificate_of(self._path.result(k))

    @property
    def gaps(self) -> Floats:
        """The duality gaps."""
        return self._path.gap

    @property
    def missed(self) -> list[FitCertificate]:
        """Those that did not reach their target."""
        if self._path.reports.all_converged:
            return []
        short = [self[int(k)] for k in np.flatnonzero(~self._path.converged)]
        return [certificate for certificate in short if not certificate.converged]


def missed(certificates: Sequence[FitCertificate]) -> list[FitCertificate]:
    """Return the certificates that did not reach their target."""
    if isinstance(certificates, PathCertificates):
        return certificates.missed
    return [certificate for certificate in certificates if not certificate.converged]


def gaps(certificates: Sequence[FitCertificate]) -> Floats:
    """Return the duality gaps."""
    if isinstance(certificates, PathCertificates):
        return certificates.gaps
    return np.array([certificate.gap for certificate in certificates])
