"""Columns of the pool, gathered beside the rows they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditcd._typing import Floats


class LastProducts:
    """The last two products with X: the model's and a step's, which are asked for again and again.

    Products are read-only for those who get them.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[bytes, ...], Any]] = []

    def of(self, arrays: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Return the product that belongs to some arrays of the host, made if it is not kept."""
        asked = tuple(array.tobytes() for array in arrays)
        kept = [pair for pair in self._kept if pair[0] != asked]
        known = [value for key, value in self._kept if key == asked]
        value = known[0] if known else make()
        self._kept = [(asked, value), *kept[:1]]
        return value


class GatheredColumns:
    """Dense float64 copies of the columns that the pool holds, in the order they came.

    Products with a sparse model and Gram blocks need these columns only, so X itself is read for
    newcomers and for looks at all columns, and for nothing else.

    Parameters
    ----------
    shape : tuple of int
        Rows here, and columns of X.
    read : callable
        Fills a float64 array in Fortran order with some columns.
    """

    def __init__(self, shape: tuple[int, int], read: Callable[[Any, Any], None]) -> None:
        self._rows, self._read = shape[0], read
        self._place_of = np.full(shape[1], -1, dtype=np.intp)
        self._values: Any = np.empty((shape[0], 0), order="F")
        self._held = 0
        self._products = LastProducts()

    def holds(self, columns: Any) -> bool:
        """Whether none of the columns has to be read."""
        return not np.any(self._place_of[columns] < 0)

    def times(self, columns: Any, coef: Floats) -> Any:
        """Return X[:, columns] @ coef, for coefficients of one model or in columns."""
        if coef.ndim > 1:
            return self._times(columns, coef)
        return self._products.of((columns, coef), lambda: self._times(columns, coef))

    def _times(self, columns: Any, coef: Floats) -> Any:
        self._gather(columns)
        spread = np.zeros((self._held, *coef.shape[1:]))
        spread[self._place_of[columns]] = coef
        return self._values[:, : self._held] @ spread

    def part(self, columns: Any, shift: Floats | None) -> Any:
        """Return (X - shift)[:, columns]."""
        self._gather(columns)
        part = self._values[:, self._place_of[columns]]
        if shift is not None:
            part -= shift[columns]
        return part

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Any:
        """Return the weighted Gram matrix of two sets of columns."""
        left = self.part(columns, shift)
        if np.array_equal(columns[len(columns) - len(more) :], more):  # newcomers are the last ones
            right = left[:, len(columns) - len(more) :]
        else:
            right = self.part(more, shift)
        if weight is not None:
            right = right * weight[:, None]
        return left.T @ right

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Any, list[Any]]:
        """Return the weighted Gram matrix of some columns, and products of vectors with them."""
        part = self.part(columns, shift)
        return part.T @ (part * weight[:, None]), [vector @ part for vector in vectors]

    def _gather(self, columns: Any) -> None:
        missing = columns[self._place_of[columns] < 0]
        if len(missing) == 0:
            return
        size = self._held + len(missing)
        if size > self._values.shape[1]:
            room = max(size, 2 * self._values.shape[1])
            grown = np.empty((self._rows, room), order="F")
            grown[:, : self._held] = self._values[:, : self._held]
            self._values = grown
        self._read(missing, self._values[:, self._held : size])
        self._place_of[missing] = np.arange(self._held, size)
        self._held = size
