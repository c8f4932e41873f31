"""A command whose standard error is a terminal, interrupted as by Ctrl-C."""

import os
import signal
import subprocess
import sys

import pytest


def interrupted(words: list[str], sign: str, limit: float = 30.0) -> tuple[int, str, str]:
    """Run a command until its terminal shows ``sign``, interrupt it once.

    Return its status, what it printed, and what the terminal was told.
    """
    pty = pytest.importorskip("pty", reason="no terminals here")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "banditcd", *words]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    told = b""
    try:
        while sign.encode() not in told:
            told += os.read(ours, 4096)
        run.send_signal(signal.SIGINT)
        printed, _ = run.communicate(timeout=limit)
        told += os.read(ours, 65536)
    finally:
        run.kill()
        run.wait()
        os.close(ours)
    return run.returncode, printed.decode(), told.decode(errors="replace")
