"""A Lasso on a file that does not fit into the memory allowed.

    python -m benchmarks.disk [--rows 60000] [--columns 50000] [--folder DIR]

The problem of :mod:`benchmarks.gpu` (factor model, 200 true features, float32), written once in C
and once in Fortran order, is solved with an intercept to a relative gap of 1e-6 by a process whose
data segment is limited to 2 GB (RLIMIT_DATA). The file is dropped from the page cache before the
run and behind every read (posix_fadvise), so every byte comes from the disk; the bandwidth it is
compared with is a sequential read done the same way. The file is made and removed here.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.machine import commit, describe

LIMIT = 2 << 30
TOL = 1e-6
FACTORS, TRUE_FEATURES, SHARES = 16, 200, (10, 100)


def write(path: Path, n: int, d: int, order: str) -> None:
    """Write X, and y beside it, block after block."""
    rng = np.random.default_rng(0)
    loadings = rng.standard_normal((FACTORS, d), dtype=np.float32)
    factors = rng.standard_normal((n, FACTORS), dtype=np.float32)
    true = np.zeros(d, dtype=np.float32)
    true[rng.permutation(d)[:TRUE_FEATURES]] = rng.standard_normal(TRUE_FEATURES)
    out = np.lib.format.open_memmap(path, "w+", np.float32, (n, d), fortran_order=order == "F")
    y = np.zeros(n)
    long, wide = (n, d) if order == "C" else (d, n)
    step = max(1, (1 << 26) // (4 * wide))
    for first in range(0, long, step):
        last = min(first + step, long)
        if order == "C":
            part = rng.standard_normal((last - first, d), dtype=np.float32)
            part += 0.5 * factors[first:last] @ loadings
            out[first:last] = part
            y[first:last] = part @ true
        else:
            part = rng.standard_normal((last - first, n), dtype=np.float32)
            part += 0.5 * loadings[:, first:last].T @ factors.T
            out[:, first:last] = part.T
            y += true[first:last] @ part
    out.flush()
    y += 0.5 * y.std() * rng.standard_normal(n)
    np.save(path.with_suffix(".y.npy"), y)


def drop(path: Path) -> None:
    """Drop a file from the page cache."""
    number = os.open(path, os.O_RDONLY)
    os.fsync(number)
    os.posix_fadvise(number, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(number)


def bandwidth(path: Path) -> float:
    """Return the bytes per second of a sequential read, nothing cached."""
    drop(path)
    number, size, buffer = os.open(path, os.O_RDONLY), 0, bytearray(1 << 26)
    start = time.perf_counter()
    while got := os.preadv(number, [buffer], size):
        os.posix_fadvise(number, size, got, os.POSIX_FADV_DONTNEED)
        size += got
    os.close(number)
    return size / (time.perf_counter() - start)


def counted() -> int:
    """Return the bytes that this process caused to be read from storage."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("read_bytes")))


def anonymous() -> int:
    """Return the bytes of anonymous memory in use."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith("RssAnon")))


def solve(path: Path, share: int) -> None:
    """Solve under the memory limit; print a row."""
    resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
    from banditcd.places.disk import FilePlace
    from banditcd.places.elastic_net import ElasticNetLoop
    from banditcd.places.penalties import ColumnPenalties

    X, y = np.load(path, mmap_mode="r"), np.load(path.with_suffix(".y.npy"))
    before, start = counted(), time.perf_counter()
    place = FilePlace(X, y, drop_behind=True)
    loop = ElasticNetLoop(place, ColumnPenalties(X.shape[1]), fit_intercept=True)
    result = loop.solve(loop.largest_penalty() / share, 0.0, tol=TOL)
    spent = time.perf_counter() - start
    row = {
        "order": "C" if place.file.by_rows else "F",
        "share": share,
        "status": result.status,
        "gap / target": result.gap / result.target,
        "seconds": spent,
        "reads": place.reads,
        "bytes read": counted() - before,
        "bins": result.n_iter,
        "support": result.support,
        "pool": result.pool_size,
        "RssAnon": anonymous(),
    }
    print(json.dumps(row))


def measure(path: Path, share: int) -> dict[str, Any]:
    """Solve in a process of its own; return its row with the bandwidth beside it."""
    rate = bandwidth(path)
    drop(path)
    command = [sys.executable, "-m", "benchmarks.disk", "--solve", str(path), str(share)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    row: dict[str, Any] = json.loads(done.stdout)
    row["sequential"] = rate
    row["share of bandwidth"] = row["bytes read"] / row["seconds"] / rate
    print(json.dumps(row), flush=True)
    return row


def report(rows: list[dict[str, Any]], rows_columns: tuple[int, int]) -> str:
    """Return the page of the rows."""
    names = list(rows[0])
    table = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    for row in rows:
        cells = [f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()]
        table.append("| " + " | ".join(cells) + " |")
    n, d = rows_columns
    size = 4 * n * d
    head = (
        f"# A Lasso from a disk\n\nX {n} x {d} float32, {1e-9 * size:.1f} GB; the process may use "
        f"{LIMIT >> 30} GiB of memory of its own,\n"
        + (
            "less than X needs. "
            if size > LIMIT
            else "more than X needs at this size; see RssAnon. "
        )
        + f"{describe()}.\nCommit {commit()}, `python -m benchmarks.disk --rows {n} --columns {d}`."
    )
    return head + "\n\n" + "\n".join(table) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=60000)
    parser.add_argument("--columns", type=int, default=50000)
    parser.add_argument("--folder", type=Path, default=Path())
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--solve", nargs=2, metavar=("FILE", "SHARE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.solve:
        solve(Path(options.solve[0]), int(options.solve[1]))
        return
    rows = []
    for order in "CF":
        path = options.folder / f"banditcd-disk-{order}.npy"
        try:
            write(path, options.rows, options.columns, order)
            rows += [measure(path, share) for share in SHARES]
        finally:
            path.unlink(missing_ok=True)
            path.with_suffix(".y.npy").unlink(missing_ok=True)
    page = report(rows, (options.rows, options.columns))
    (options.out / "disk.md").write_text(page)


if __name__ == "__main__":
    main()
