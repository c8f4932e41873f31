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


def threads_of_blas(count: int) -> AbstractContextManager[Any]:
    """Inside, BLAS and LAPACK use ``count`` threads, so that results depend on nothing else."""
    limit: AbstractContextManager[Any] = controller().limit(limits=count, user_api="blas")
    return limit


def one_thread() -> AbstractContextManager[Any]:
    """Inside, BLAS and LAPACK use one thread."""
    return threads_of_blas(1)
