"""The protocol of a place: blocks of rows, and sums over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from banditcd._typing import Floats
from banditcd.places.rowwise import RowMaths
from banditcd.places.shares import RowShare


class Block(Protocol):
    """Some rows of X with their responses and weights; arrays may live on another device.

    Sums accumulate in float64 whatever X is stored in. ``columns`` are indices on the host; None
    means all of them.
    """

    y: Any
    weight: Any  #: None means ones
    maths: RowMaths  #: functions of rows

    @property
    def rows(self) -> int:
        """The number of rows."""

    def times(self, columns: Any, coef: Floats) -> Any:
        """Return X[:, columns] @ coef, one value per row, where the rows live.

        ``coef`` may have two dimensions: a column for every model.
        """

    def transposed_times(self, v: Any) -> Any:
        """Return X.T @ v for all columns; v may have two dimensions."""

    def transposed_pair(self, v: Any, w: Any) -> tuple[Any, Any]:
        """Return X.T @ v and X.T @ w from one reading; w is at least 0."""

    def survey(self, v: Any) -> tuple[Any, Any, Any]:
        """Return X.T @ v, and the weighted sums and squares of all columns, from one reading."""

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Any:
        """Return (X - shift)[:, columns].T @ diag(weight) @ (X - shift)[:, more]."""

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Any, Sequence[Any]]:
        """Return the Gram matrix of some columns, and v @ (X - shift)[:, columns] for vectors v.

        The columns are gathered once; weights are at least 0.
        """


class WholeBlock(Block, Protocol):
    """All rows of X."""

    def placed(self, values: Floats) -> Any:
        """Return numbers of the host where the rows live; products take them as well."""


Task = Callable[..., tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Job:
    """A task of one block, and the arguments that all blocks get."""

    task: Task
    arguments: tuple[Any, ...] = ()


@dataclass(slots=True)
class Traffic:
    """What the loop asked of a place.

    Attributes
    ----------
    rounds : int
        Sums asked for; on a cluster, trips to the workers and back.
    passes : float
        Readings of all of X.
    bytes_moved : int
        Bytes of arguments and sums that crossed the boundary.
    """

    rounds: int = 0
    passes: float = 0.0
    bytes_moved: int = 0


class Place(Protocol):
    """Rows of X in blocks, with responses and weights.

    Attributes
    ----------
    gathers : bool
        Whether columns of the pool are kept apart: work on them then needs no reading of X.
    whole : bool
        Whether there is one block, of all rows: linear systems may be solved beside it.
    readings : float
        Readings of X that X'(D (X v)) takes: 1 where the rows of a block stay at hand in between.
    """

    gathers: bool
    whole: bool
    readings: float
    shape: tuple[int, int]
    traffic: Traffic

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return, for every job, the sum of what its task returns over all blocks, on the host.

        Jobs that are given together share one reading of X.
        """


class Rows(Protocol):
    """The rows of X, held once; several responses and row weights make a place each."""

    shape: tuple[int, int]

    def vector(self, values: Any, name: str) -> Any:
        """Return one checked number per row, beside the rows; ``name``: y or sample_weight."""

    def share(self, weight: Any, share: RowShare) -> Any:
        """Return row weights, multiplied by how often every row counts."""

    def place(self, y: Any, weight: Any = None) -> Place:
        """Return the rows with responses and weights, which :meth:`vector` or :meth:`share` made.

        The weights are used as they are.
        """

    def run(self, requests: Sequence[tuple[Place, Job]]) -> list[tuple[Any, ...]]:
        """Return the sums of jobs on several places of these rows, from one reading of X."""

    def release(self, failed: bool = False) -> None:
        """Let go of what is held; after an exception (``failed``) also of what it interrupted."""


def one(place: Place, task: Task, *arguments: Any) -> tuple[Any, ...]:
    """Return the sums of a single task."""
    return place.sum(Job(task, arguments))[0]


def class_readings(place: Place, classes: int, with_scores: Any) -> float:
    """Return the readings of X for the pulls of all classes, and for their scores if need be.

    A card reads X for every class.
    """
    once = place.readings if with_scores else 1.0
    return classes * once if place.whole else once


def by_columns(product: Callable[[Any], Any], matrix: Any) -> Any:
    """Return the products with the columns of a matrix, as columns, where they live."""
    return np.stack([product(row) for row in matrix.T.copy()], axis=1)


def require_finite(*values: Any) -> None:
    """Refuse sums that values which are not finite, or whose squares overflow, have spoiled."""
    if not all(np.isfinite(value).all() for value in values):
        raise ValueError("X, y or sample_weight has values that are not finite, or too large.")


def check_length(values: Any, rows: int, name: str) -> None:
    """Refuse responses or weights of another number of rows than X has."""
    if values.shape[0] != rows:
        raise ValueError(f"X has {rows} rows and {name} has {values.shape[0]}.")


def check_total(weight: float) -> None:
    """Refuse row weights that are all zero."""
    if weight == 0.0:
        raise ValueError("Sample weights must contain at least one non-zero number.")


def added(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the sum of what a task returned for each block, in the order of the blocks."""
    total = parts[0]
    for part in parts[1:]:
        total = tuple(a + b for a, b in zip(total, part, strict=True))
    return total


def summed(
    requests: Sequence[tuple[Any, Job]], parts: Sequence[list[tuple[Any, ...]]]
) -> list[tuple[Any, ...]]:
    """Return the sums of jobs on several places from their parts; one round for every place."""
    out = [added(part) for part in parts]
    for place in {id(place): place for place, _ in requests}.values():
        place.traffic.rounds += 1
    for (place, _), sums in zip(requests, out, strict=True):
        place.traffic.bytes_moved += size_of(sums)
    return out


def size_of(values: Any) -> int:
    """Return the bytes of the arrays and numbers in nested tuples."""
    if isinstance(values, (tuple, list)):
        return sum(size_of(value) for value in values)
    return int(np.asarray(values).nbytes) if values is not None else 0
