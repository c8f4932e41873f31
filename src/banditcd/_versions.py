"""Versions of what a report of a fault should name."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from banditcd import _core

#: Distributions that are told: what is required, then the extras.
PACKAGES = (
    *("banditcd", "numpy", "scipy", "scikit-learn", "joblib", "threadpoolctl"),
    *("matplotlib", "rich", "pooch", "pandas", "polars", "pyarrow", "dask", "distributed"),
    *("cupy-cuda12x", "cupy-cuda13x", "torch"),
)


def show_versions() -> None:
    """Print the versions of Python, this library and what it works with, and the machine."""
    lines = {
        "python": sys.version.replace("\n", " "),
        "executable": sys.executable,
        "machine": f"{platform.platform()}, {os.cpu_count()} cores",
        "kernels": _core.kernel_name(),
    }
    for name in PACKAGES:
        try:
            lines[name] = version(name)
        except PackageNotFoundError:
            lines[name] = "not installed"
    width = max(map(len, lines))
    sys.stdout.write("".join(f"{name:>{width}}: {text}\n" for name, text in lines.items()))
