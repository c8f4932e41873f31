"""LAPACK under a thread limit."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


@cache
def controller() -> Any:
    """Return the thread pools of the libraries of this process."""
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Inside, BLAS and LAPACK use one thread, so that results and times do not depend on others."""
    limit: AbstractContextManager[Any] = controller().limit(limits=1, user_api="blas")
    return limit
