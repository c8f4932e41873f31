"""Picks of a run: the coordinate chosen at every step, and what that gained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats

POOL_SHARE = 0.8
"""The pool of a stretch of steps: the fewest coordinates that got this share of them."""


@dataclass(frozen=True)
class Frames:
    """A run cut into stretches of equal length, its coordinates into groups.

    Attributes
    ----------
    epoch : ndarray of shape (frames + 1,)
        Where the stretches begin and end.
    groups : ndarray of int
        The coordinates with a row of their own, that of the largest total gain first; if others
        are left, one more row stands for all of them.
    others : int
        Number of coordinates in that last row; 0 if there is none.
    rate : ndarray of shape (frames, rows)
        Picks of a coordinate in units of the average coordinate's: 1 is what uniform choice gives.
    gain : ndarray of shape (frames, rows)
        Decrease by a coordinate in the same unit: 1 is what the average coordinate gained.
    pool : ndarray of int
        Fewest coordinates that got 80 % of the steps of the frame.
    """

    epoch: Floats
    groups: npt.NDArray[np.intp]
    others: int
    rate: Floats
    gain: Floats
    pool: npt.NDArray[np.intp]


@dataclass(frozen=True)
class Picks:
    """Every step of a run: ``index`` is the coordinate, ``gain`` the decrease it was good for.

    ``d`` is the number of coordinates that could be chosen (empty columns are not among them).
    """

    d: int
    index: npt.NDArray[np.int32]
    gain: Floats

    def __len__(self) -> int:
        return len(self.index)

    def frames(self, most: int = 40, rows: int = 40) -> Frames:
        """Cut the run into at most ``most`` frames and the coordinates into at most ``rows``.

        A frame is a whole number of epochs (half of one in a short run): in fewer steps, even
        passes over all coordinates look concentrated.
        """
        if len(self) == 0:
            raise ValueError("There are no picks: the run ended before its first step.")
        epochs = -(-len(self) // (most * self.d))
        length = epochs * self.d if len(self) >= 4 * self.d else -(-self.d // 2)
        starts = np.arange(0, len(self), length)
        if len(starts) > 1 and len(self) - starts[-1] < length / 2:
            starts = starts[:-1]  # a short rest belongs to the frame before it
        ends = np.append(starts[1:], len(self))
        total = np.bincount(self.index, weights=self.gain, minlength=self.d)
        order = np.argsort(-total, kind="stable")
        own = order if self.d <= rows else order[: rows - 1]
        others = self.d - len(own)
        place = np.full(self.d, len(own), dtype=np.intp)
        place[own] = np.arange(len(own))
        size = np.ones(len(own) + (others > 0))
        size[len(own) :] = others
        rate, gain, pool = [], [], []
        for first, last in zip(starts, ends, strict=True):
            count = np.bincount(self.index[first:last], minlength=self.d)
            decrease = np.maximum(self.gain[first:last], 0.0)
            groups = place[self.index[first:last]]
            gains = np.bincount(groups, weights=decrease, minlength=len(size))
            rate.append(np.bincount(place, weights=count) / size * self.d / (last - first))
            gain.append(gains / size * self.d / max(float(gains.sum()), 1e-300))
            pool.append(_pool(count))
        epoch = np.append(starts, ends[-1]) / self.d
        return Frames(epoch, own, others, np.array(rate), np.array(gain), np.array(pool))


def _pool(count: npt.NDArray[np.intp]) -> int:
    """Return the fewest coordinates with the pool's share of the picks."""
    covered = np.cumsum(np.sort(count)[::-1])
    return int(np.searchsorted(covered, POOL_SHARE * covered[-1])) + 1
