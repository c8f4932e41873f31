"""The rows of a matrix, wherever they live: held once, for several responses and weights."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from banditcd.places.kinds import check_matrix, kind_of, matrix_of, of_cupy, on_host, vector_of
from banditcd.places.place import Job, Place, Rows, check_length, check_total
from banditcd.places.shares import RowShare


@contextmanager
def opened(X: Any) -> Generator[Rows, None, None]:
    """Hold the rows of a matrix; what was persisted on a cluster is released at the end."""
    check_matrix(X)
    rows: Rows
    kind, X = kind_of(X), matrix_of(X)
    if kind == "dask":
        from banditcd.places.cluster import DaskRows

        rows = DaskRows(X)
    elif kind in ("cupy", "torch"):
        rows = CardRows(X)
    elif kind == "file":
        rows = MappedRows(X)
    else:
        rows = LocalRows(X)
    try:
        yield rows
    except BaseException:
        rows.release(failed=True)
        raise
    rows.release()


class LocalRows:
    """X in the memory of this process; other places of this process differ in a few words."""

    def __init__(self, X: Any) -> None:
        self.X = X
        self.shape: tuple[int, int] = X.shape

    def vector(self, values: Any, name: str) -> Any:
        """Return one checked number per row."""
        values = vector_of(values, name)
        if np.ndim(values) == 0:
            values = np.full(self.shape[0], float(values))
        check_length(values, self.shape[0], name)
        if name == "sample_weight":
            if (values < 0.0).any():
                raise ValueError("sample_weight has negative values; weights must be at least 0.")
            check_total(float(values.sum()))
        return values

    def share(self, weight: Any, share: RowShare) -> Any:
        """Return row weights, multiplied by how often every row counts."""
        counts = share.weights(self.shape[0])
        return counts if weight is None else counts * on_host(weight)

    def place(self, y: Any, weight: Any = None) -> Place:
        """Return the rows with responses and weights."""
        from banditcd.places.blocks import ArrayPlace

        return ArrayPlace(self.X, y, weight)

    def run(self, requests: Sequence[tuple[Any, Job]]) -> list[tuple[Any, ...]]:
        """Return the sums of jobs on several places from one reading."""
        from banditcd.places.blocks import run_together

        return run_together(requests)

    def release(self, failed: bool = False) -> None:
        """Nothing is held."""


class CardRows(LocalRows):
    """X on a GPU."""

    def vector(self, values: Any, name: str) -> Any:
        """Return one checked number per row; arrays of another card are refused."""
        found = of_cupy(super().vector(values, name))  # tensors and arrays name devices differently
        check_device(self.X, found)
        return found

    def place(self, y: Any, weight: Any = None) -> Place:
        """Return the rows with responses and weights."""
        from banditcd.places.card import CardPlace

        return CardPlace(self.X, y, weight)

    def run(self, requests: Sequence[tuple[Any, Job]]) -> list[tuple[Any, ...]]:
        """Return the sums of jobs on several places, one after another."""
        return [place.sum(job)[0] for place, job in requests]


class MappedRows(LocalRows):
    """X in a file: jobs that are asked for together share a reading."""

    def __init__(self, X: Any) -> None:
        from banditcd.places.disk import FileMatrix

        super().__init__(X)
        self._matrix = FileMatrix(X)

    def place(self, y: Any, weight: Any = None) -> Place:
        """Return the rows with responses and weights."""
        from banditcd.places.disk import FilePlace

        return FilePlace(self._matrix, y, weight)

    def run(self, requests: Sequence[tuple[Any, Job]]) -> list[tuple[Any, ...]]:
        """Return the sums of jobs on several places from one reading."""
        return self._matrix.run(requests)

    def release(self, failed: bool = False) -> None:
        """Close the file."""
        self._matrix.file.close()


def check_device(X: Any, *others: Any) -> None:
    """Refuse arrays that live on another card than X."""
    home = X.data.device if hasattr(X, "indptr") else X.device
    for other in others:
        device = getattr(other, "device", None)
        if device is not None and hasattr(other, "__cuda_array_interface__") and device != home:
            raise ValueError(
                f"X is on {home} and y or sample_weight on {device}; move them to one device."
            )
