"""Warnings that point to the line of the user, however deep they are found."""

from __future__ import annotations

import inspect
import os
import warnings
from pathlib import Path

import sklearn

#: Ours, and that of the wrapper by which scikit-learn calls a fit that callbacks watch.
HOMES = (
    str(Path(__file__).parents[2]) + os.sep,
    str(Path(sklearn.__file__).parent / "callback") + os.sep,
)


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line, from here upwards, that belongs to the user."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(HOMES):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=max(2, level))
