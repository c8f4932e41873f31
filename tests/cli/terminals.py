"""A command whose standard error is a terminal, interrupted as by Ctrl-C."""

import errno
import os
import signal
import subprocess
import sys

import pytest

from tests.deadlines import HUNG


def interrupted(words: list[str], sign: str) -> tuple[int, str, str]:
    """Run a command until its terminal shows ``sign``, interrupt it once.

    The command must be one that does not end by itself soon after the sign. Return its status, what
    it printed, and what the terminal was told.
    """
    pty = pytest.importorskip("pty", reason="no terminals here")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "banditcd", *words]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    told = b""
    try:
        while sign.encode() not in told and (news := _news(ours)):
            told += news
        run.send_signal(signal.SIGINT)
        printed, _ = run.communicate(timeout=HUNG)
        while news := _news(ours):
            told += news
    finally:
        run.kill()
        run.wait()
        os.close(ours)
    return run.returncode, printed.decode(), told.decode(errors="replace")


def _news(terminal: int) -> bytes:
    """Return what a terminal was told since; nothing once nobody can write to it any more."""
    try:
        return os.read(terminal, 65536)
    except OSError as error:
        if error.errno == errno.EIO:  # how Linux says that the other end is closed
            return b""
        raise
