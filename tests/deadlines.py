"""Deadlines that tell a hang from slow work, longer where a sanitizer slows everything down."""

from __future__ import annotations

import os

#: What a sanitized build with debug checks takes, as a multiple: the preloaded library shows it.
SLOWDOWN = 10.0 if "san.so" in os.environ.get("LD_PRELOAD", "") else 1.0


def deadline(seconds: float) -> float:
    """Return the seconds after which work counts as hung that must end within ``seconds``."""
    return SLOWDOWN * seconds
