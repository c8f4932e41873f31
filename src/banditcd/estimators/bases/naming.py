"""Errors about the arguments of a call name the class that was called, not the base that has it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NoReturn


def named(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let errors about the arguments of a method name the class that was called."""

    @functools.wraps(method)
    def call(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(estimator, *args, **kwargs)
        except TypeError as error:
            raise_named(error, method, estimator)

    return call


def raise_named(
    error: TypeError, method: Callable[..., Any], estimator: Any, name: str | None = None
) -> NoReturn:
    """Raise a TypeError again; one about the arguments of ``method``, with the public name.

    ``name``: that of the public method, if ``method`` works behind it.
    """
    private, text = f"{method.__qualname__}()", str(error)
    public = f"{type(estimator).__name__}.{name or method.__name__}()"
    if private == public or not text.startswith(private):
        raise error
    raise TypeError(public + text.removeprefix(private)) from None
