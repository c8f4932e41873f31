"""Units of the targets: squares of residuals and gradients must not leave the range of float64."""

from __future__ import annotations

import numpy as np

from banditcd import _core
from banditcd._typing import Floats

#: Largest entries of a target between these are left as they are: with X anywhere from 1e-100 to
#: 1e100, squares of their products with X are in range.
PLAIN = 1e-20, 1e20


def in_units(targets: Floats) -> tuple[Floats, Floats | None]:
    """Return every row of targets divided by a power of two, and these powers; None if all are 1.

    Ridge coefficients are linear in the target, and a power of two rounds nothing.
    """
    if len(targets) == 1:  # its squares tell, without waking up NumPy's machinery
        square = _core.dot(targets[0], targets[0])
        if PLAIN[0] ** 2 * targets.shape[1] <= square <= PLAIN[1] ** 2:
            return targets, None
    largest = np.abs(targets).max(axis=1, initial=0.0)
    if all(value == 0.0 or PLAIN[0] <= value <= PLAIN[1] for value in largest.tolist()):
        return targets, None
    units = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    units[(largest == 0.0) | ~np.isfinite(largest)] = 1.0
    return targets / units[:, None], units
