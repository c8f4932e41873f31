"""Speed of the LIBSVM reader on one core, in MB/s of plain text, with scikit-learn's beside it."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_file

from banditcd.data.libsvm import read_libsvm


def real_values(rng: np.random.Generator, decimals: int) -> Callable[[int], str]:
    """Rows of 256 real numbers, all stored, as in usps."""

    def row(label: int) -> str:
        values = rng.uniform(-1.0, 1.0, 256).tolist()
        return f"{label} " + " ".join(f"{j}:{v:.{decimals}f}" for j, v in enumerate(values, 1))

    return row


def indicators(rng: np.random.Generator, columns: int) -> Callable[[int], str]:
    """Rows of about 80 indicators, as in text data."""

    def row(label: int) -> str:
        chosen = np.unique(rng.integers(1, columns, 80)).tolist()
        return f"{label} " + " ".join(f"{j}:1" for j in chosen)

    return row


def shortest(rng: np.random.Generator) -> Callable[[int], str]:
    """Rows of 100 numbers with as many digits as a double needs (about 17)."""

    def row(label: int) -> str:
        values = rng.standard_normal(100).tolist()
        return f"{label} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(values, 1))

    return row


def file_text(row: Callable[[int], str], megabytes: float) -> bytes:
    block = "".join(row(i % 10) + "\n" for i in range(500)).encode()
    return block * max(1, round(megabytes * 1e6 / len(block)))


def speed(read: Callable[[], Any], path: Path, repeats: int) -> float:
    """Megabytes per second of processor time, the fastest run: other programs do not count."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        read()
        seconds.append(time.process_time() - start)
    return path.stat().st_size / 1e6 / min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=60.0)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    kinds = {
        "256 real values, 6 decimals": real_values(rng, 6),
        "256 real values, 2 decimals": real_values(rng, 2),
        "80 indicators of 50,000": indicators(rng, 50_000),
        "100 values, shortest digits": shortest(rng),
    }
    print(f"{'a row holds':<30} {'banditcd':>12} {'scikit-learn':>12} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for kind, row in kinds.items():
            path = Path(folder) / "benchmark.svm"
            path.write_bytes(file_text(row, options.megabytes))
            ours = speed(lambda path=path: read_libsvm(path), path, options.repeats)
            theirs = speed(lambda path=path: load_svmlight_file(str(path)), path, 1)
            print(f"{kind:<30} {ours:>7.0f} MB/s {theirs:>7.0f} MB/s {ours / theirs:>5.0f}x")


if __name__ == "__main__":
    main()
