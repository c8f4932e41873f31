"""Types of constructor parameters, so that editors complete and check them.

A constructor keeps what it is given (``get_params`` and ``clone`` rely on it); ``fit`` checks it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from banditcd.selectors.base import Selector

    #: A rule by its name, one of ours, or an object with its methods.
    SelectorLike: TypeAlias = str | Selector | Any

RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
#: Bounds and weights of columns: one value for all, or one for each.
PerColumn: TypeAlias = float | ArrayLike | None
Precompute: TypeAlias = bool | Literal["auto"] | ArrayLike
Selection: TypeAlias = Literal["cyclic", "random"]
SolverWord: TypeAlias = Literal["auto", "fast", "engine"]
