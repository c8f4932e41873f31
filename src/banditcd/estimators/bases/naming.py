"""Errors about the arguments of a call name the class that was called, not the base that has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


def raise_named(error: TypeError, method: Callable[..., Any], estimator: Any) -> NoReturn:
    """Raise a TypeError again; one about the arguments of ``method``, with the public name."""
    private, text = f"{method.__qualname__}()", str(error)
    public = f"{type(estimator).__name__}.{method.__name__}()"
    if private == public or not text.startswith(private):
        raise error
    raise TypeError(public + text.removeprefix(private)) from None
