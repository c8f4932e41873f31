"""Ctrl-C at a chosen moment of a call, and what must be true after it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from benchmarks.interrupts import lag
from tests.deadlines import PATIENCE

#: Seconds after the start of a call at which the signal is sent.
MOMENTS = (0.002, 0.03, 0.09)

#: For tests that send signals.
sends_signals = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="this system has no timer signals"
)


def assert_interrupted(prepare: Callable[[], Callable[[], object]], after: float) -> None:
    """The prepared call ends with KeyboardInterrupt within PATIENCE, and leaves nothing running.

    A call that is faster than the moment is prepared again and interrupted earlier.
    """
    threads = set(threading.enumerate())
    work = prepare()
    began = time.process_time()
    while lag(work, after) is None:
        assert after > 1e-5, "the call had ended before any signal"
        after /= 2.0
        work = prepare()
        began = time.process_time()
    assert time.process_time() - began <= PATIENCE
    assert set(threading.enumerate()) <= threads


def spent_after_ctrl_c(work: Callable[[], object], after: float = 0.15) -> float:
    """Return the processor time that work which never ends takes after Ctrl-C."""
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)

    def begin() -> None:
        timer.start()  # here, where the signal is expected: it may come before the work begins
        work()

    try:
        with pytest.raises(KeyboardInterrupt):
            begin()
        return time.process_time() - sent[0]
    finally:
        timer.cancel()
