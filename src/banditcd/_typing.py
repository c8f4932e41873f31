"""Array types that every room uses."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: A float64 array.
Floats: TypeAlias = NDArray[np.float64]

#: The types of numbers that fits take; compared with these four times as fast as with the classes.
FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
