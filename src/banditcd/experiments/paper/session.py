"""Where and when rows were made: a page of seconds must say it."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path


@dataclass(frozen=True)
class Crew:
    """Processes side by side, and the commit that runs if git cannot tell it."""

    jobs: int = 1
    commit: str = ""


@dataclass(frozen=True)
class Session:
    """One call of the command that made rows, from run ``first_run`` on."""

    first_run: int
    date: str
    commit: str
    machine: str
    jobs: int
    rules: int

    @property
    def sentence(self) -> str:
        """What a reader must know about the seconds."""
        side = "one run at a time" if self.jobs == 1 else f"{self.jobs} runs side by side"
        return (
            f"Runs from {self.first_run} on: {self.date}, commit {self.commit}, {self.machine}; "
            f"{side}; rules of judging at that time: version {self.rules}."
        )


def this_session(first_run: int, crew: Crew, rules: int) -> Session:
    """Return where and when this is."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Session(first_run, now, crew.commit or _commit(), _machine(), crew.jobs, rules)


def _machine() -> str:
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {system}"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Return the commit of the tree this code lies in, with a plus if it was changed since."""
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        name = subprocess.run(
            [*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no", "--", "."],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return f"of version {version('banditcd')}, not known"
    return name + ("+" if changed else "")
