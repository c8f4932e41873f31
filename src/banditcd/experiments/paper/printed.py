"""The logistic update with the constant that the paper prints."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from banditcd.problems import LogisticL1

CURVATURE = 0.25


class NotInClassError(ValueError):
    """An update is not in the class H on this data."""


class PrintedLogistic(LogisticL1):
    """L1-logistic regression with one curvature, 1/4, for every column.

    The proximal step then is the printed x <- s_{4 lambda}(x - 4 df/dx), and r_i, computed from
    the same constant, is what it guarantees: the update is in the class H wherever 1/4 bounds the
    curvature, that is, for ||a_i||^2 <= n, as with entries in [-1, 1].
    """

    @cached_property
    def h(self) -> npt.NDArray[np.float64]:
        """1/4 for every column that is not empty."""
        own = self.A.column_squares(np.broadcast_to(self.loss.bound, (self.m,)))
        if np.any(own > CURVATURE * (1.0 + 1e-12)):
            raise NotInClassError(
                "The printed step 4 is too long here: a column has ||a_i||^2 > n."
            )
        return np.where(own > 0.0, CURVATURE, 0.0)
