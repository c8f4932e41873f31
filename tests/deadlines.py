"""Limits of tests that tell a hang from slow work, longer where a sanitizer slows it down.

Limits of what a fit or a run may do are in processor time, which other work on the machine does
not spend. Clocks of the wall only end tests that would wait for ever.
"""

from __future__ import annotations

import os

#: What a sanitized build with debug checks takes, as a multiple: the preloaded library shows it.
SLOWDOWN = 10.0 if "san.so" in os.environ.get("LD_PRELOAD", "") else 1.0


def deadline(seconds: float) -> float:
    """Return the seconds after which work counts as hung that must end within ``seconds``."""
    return SLOWDOWN * seconds


#: Seconds of processor time that an interrupted call may still take; the true lag is measured by
#: benchmarks.interrupts.
PATIENCE = deadline(5.0)
#: Seconds of the wall after which another process or thread counts as hung: minutes, because a
#: machine may be busy, or stand still for a while.
HUNG = deadline(300.0)
