"""Results from Dask's schedulers, without waiting forever for workers that are gone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any, TypeVar

Answer = TypeVar("Answer")

#: Seconds without any worker after which a fit ends with an error, unless Dask's configuration has
#: another number for ``banditcd.no-worker-seconds``.
NO_WORKER_SECONDS = 60.0

CLOSED = (
    "The Dask scheduler or its client was closed during the fit; start a cluster and fit again."
)


def load_dask() -> Any:
    """Return the module, or say which extra brings it."""
    try:
        import dask
    except ImportError as error:
        raise ImportError(
            "Dask collections need the package's dask extra: pip install 'banditcd[dask]'"
        ) from error
    return dask


def current_client() -> Any:
    """Return the client of the cluster that Dask uses now, None for a scheduler of this process."""
    client = getattr(load_dask().base.get_scheduler(), "__self__", None)
    return client if hasattr(client, "nthreads") else None


def compute(value: Any, client: Any = None) -> Any:
    """Return the result of a delayed value; whatever ends the wait cancels what was submitted.

    ``client`` is that of the cluster which holds what the value needs, by default the current one.
    """
    client = current_client() if client is None else client
    if client is None:
        return value.compute()
    try:
        future = client.compute(value)
    except Exception as error:
        if client.status == "running":
            raise
        raise RuntimeError(CLOSED) from error
    try:
        return _awaited(future, client, load_dask().config.get)
    except CancelledError as error:
        raise RuntimeError(CLOSED) from error
    finally:
        future.release()  # the scheduler cancels tasks that nobody waits for


def asked(client: Any, question: Callable[..., Answer], *arguments: Any) -> Answer:
    """Return what a cluster answers to a question about itself."""
    try:
        return question(client, *arguments)
    except Exception as error:
        if client.status == "running":
            raise
        raise RuntimeError(CLOSED) from error


def _awaited(future: Any, client: Any, setting: Any) -> Any:
    """Return the result of a future; while it is not there, look whether workers are."""
    patience = float(setting("banditcd.no-worker-seconds", NO_WORKER_SECONDS))
    pause, alone_since = 1.0, None
    while True:
        try:
            return future.result(timeout=pause)
        except TimeoutError:
            if future.status == "error":  # the task itself raised a TimeoutError
                raise
        if asked(client, lambda cluster: cluster.nthreads()):
            pause, alone_since = 2.0 * pause, None  # longer, because a large result takes its time
            continue
        pause, alone_since = 1.0, alone_since or time.monotonic()
        if time.monotonic() - alone_since >= patience:
            raise RuntimeError(
                f"The Dask cluster has had no worker for {patience:g} seconds; start workers and "
                "fit again, or let Dask's setting banditcd.no-worker-seconds allow for more time."
            )


def release(values: list[Any]) -> None:
    """Let the workers forget persisted values now, even if a traceback still refers to them."""
    if "distributed" in sys.modules:
        for future in sys.modules["distributed"].futures_of(values):
            future.release()


def forget(client: Any, token: str) -> None:
    """Cancel what a client still holds of names with this token.

    A signal may come while Dask submits a graph: its futures then live in the frames of the
    traceback, for as long as somebody keeps that. The client's own thread looks for them: releases
    that are on their way come first there, and a future that is made of a released name would ask
    for it again.
    """

    async def cancel() -> None:
        future_of = sys.modules["distributed"].Future
        left = [future_of(key, client) for key in list(client.futures) if token in str(key)]
        if left:
            await client.cancel(left, asynchronous=True, force=True)

    client.sync(cancel)
