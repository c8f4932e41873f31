"""Array types that every room uses."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: A float64 array.
Floats: TypeAlias = NDArray[np.float64]
