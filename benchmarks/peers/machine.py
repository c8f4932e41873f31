"""What a table of times must say about where they come from."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def processor() -> str:
    """Return the processor's own name where the system tells it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def memory_gib() -> float | None:
    """Return the size of the memory where the system tells it."""
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return None
    return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30)


def describe() -> str:
    """Return one line: processor, cores, memory, system, Python."""
    gib = memory_gib()
    memory = f", {gib:.0f} GiB" if gib is not None else ""
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{processor()}, {os.cpu_count()} cores{memory}, {system}"


def commit() -> str:
    """Return the commit of this tree, with a plus if files differ from it; empty without git."""
    git = ["git", "-C", str(ROOT)]
    try:
        name = subprocess.run(
            [*git, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changes = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no", "--", "src", "native"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
    return name + ("+" if changes else "")
