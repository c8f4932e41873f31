"""Columns of the pool on a GPU: dense, in float64, and centered once."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places.card_calls import CardCalls
from banditcd.places.gathered import LastProducts


class CardColumns:
    """Copies of the columns that the pool holds, in the order they came.

    They are kept less the shifts that their first Gram block asked for, which are nearly always
    those of all later ones. So a Gram matrix of the pool as it stands needs no copy of it.

    Parameters
    ----------
    X : array or Lines
        The columns, as :meth:`~banditcd.places.card_calls.CardCalls.lines` returned them.
    shape : tuple of int
        Rows and columns of X.
    calls : CardCalls
        The calls of the array library.
    """

    def __init__(self, X: Any, shape: tuple[int, int], calls: CardCalls) -> None:
        self._X, self._rows, self._calls = X, shape[0], calls
        self._place_of = np.full(shape[1], -1, dtype=np.intp)
        self._shift = np.zeros(shape[1])
        self._values = calls.xp.empty((shape[0], 0), order="F")
        self._held = 0
        self._products = LastProducts()

    def times(self, columns: Any, coef: Floats) -> Any:
        """Return X[:, columns] @ coef, for coefficients of one model or in columns."""
        if coef.ndim > 1:
            return self._times(columns, coef)
        return self._products.of((columns, coef), lambda: self._times(columns, coef))

    def _times(self, columns: Any, coef: Floats) -> Any:
        self._gather(columns, None)
        spread = np.zeros((self._held, *coef.shape[1:]))
        spread[self._place_of[columns]] = coef
        product = self._values[:, : self._held] @ self._calls.placed(spread)
        moved = self._shift[columns] @ coef
        if np.any(moved):
            product += float(moved) if coef.ndim == 1 else self._calls.placed(moved)
        return product

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Any:
        """Return the weighted Gram matrix of two sets of columns."""
        left, right = self._part(columns, shift), self._part(more, shift)
        return left.T @ (right if weight is None else right * weight[:, None])

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Any, list[Any]]:
        """Return the weighted Gram matrix of some columns, and products of vectors with them."""
        part = self._part(columns, shift)
        return part.T @ (part * weight[:, None]), [vector @ part for vector in vectors]

    def _part(self, columns: Any, shift: Floats | None) -> Any:
        """Return (X - shift)[:, columns], without a copy if they lie side by side."""
        self._gather(columns, shift)
        at = self._place_of[columns]
        first, last = (int(at[0]), int(at[-1]) + 1) if len(at) else (0, 0)
        if last - first == len(at) and np.array_equal(at, np.arange(first, last)):
            part = self._values[:, first:last]
        else:
            part = self._values[:, self._calls.placed(at)]
        off = (0.0 if shift is None else shift[columns]) - self._shift[columns]
        return part - self._calls.placed(off) if np.any(off) else part

    def _gather(self, columns: Any, shift: Floats | None) -> None:
        missing = columns[self._place_of[columns] < 0]
        if len(missing) == 0:
            return
        size = self._held + len(missing)
        if size > self._values.shape[1]:
            room = max(size, 2 * self._values.shape[1])
            # The pool, and a copy of it with weights, while the old one is still there.
            self._calls.require(8 * self._rows * (room + size), "The columns that a model may use")
            grown = self._calls.xp.empty((self._rows, room), order="F")
            grown[:, : self._held] = self._values[:, : self._held]
            self._values = grown
        if shift is not None:
            self._shift[missing] = shift[missing]
        self._calls.gather(
            self._X, missing, self._shift[missing], self._values[:, self._held : size]
        )
        self._place_of[missing] = np.arange(self._held, size)
        self._held = size
