"""Ctrl-C at a chosen moment of a call, and what must be true after it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

import pytest

from benchmarks.interrupts import lag
from tests.deadlines import deadline

#: Seconds that tell a hang from a busy machine; the true lag is measured by benchmarks.interrupts.
PATIENCE = deadline(5.0)
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
    threads = threading.active_count()
    waited = lag(prepare(), after)
    while waited is None and after > 1e-4:
        after /= 2.0
        waited = lag(prepare(), after)
    assert waited is not None, "the call had ended before any signal"
    assert waited <= PATIENCE
    assert threading.active_count() == threads
