"""Several benchmarks on a machine of many cores: one data set on each core.

    python -m benchmarks.many --jobs 15 --unseen HASH --commit HASH --seconds 560

Every data set of every benchmark is a process of its own, pinned to one core with all its peers, so
that nobody shares one; what took longest last time goes first. The tolerances that are known are
kept. Rows of all sets replace those that were there; a set that has not ended in time keeps the
cells that have, and is named. Tables and pictures are drawn by the benchmarks (``--draw``).
"""

from __future__ import annotations

import argparse
import csv
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.benchmark import Benchmark
from benchmarks.peers.rows import Row, Table
from benchmarks.run import RESULTS

NAMES = ("lasso", "logistic", "svm", "ridge")
UNKNOWN = 1e3  # seconds, for a set without rows: first of all
KEPT = ("tolerances", "optima")  # files that a part starts with


@dataclass(frozen=True)
class Part:
    """A data set of a benchmark, with the folder of its files."""

    benchmark: str
    data: str
    folder: Path
    expected: float


def parts(name: str, seed: str, folder: Path, out: Path) -> list[Part]:
    """Return the parts of a benchmark with the seconds that their rows took last time."""
    benchmark: Benchmark = import_module(f"benchmarks.{name}").BENCHMARK
    spent: dict[str, float] = {}
    for row in Table(out / f"{name}-rows.csv", Row).rows.values():
        seconds = (row.wall or 0.0) * (row.rounds or 0)
        spent[row.data] = spent.get(row.data, 0.0) + seconds
    data = (benchmark.with_unseen(seed) if seed else benchmark).data
    return [
        Part(name, key, folder / f"{name}-{k}", spent.get(key, UNKNOWN))
        for k, key in enumerate(data)
    ]


def run_parts(found: list[Part], options: argparse.Namespace, extra: list[str]) -> list[Part]:
    """Run all parts, the longest first; return those that did not end in time."""
    waiting: queue.SimpleQueue[Part] = queue.SimpleQueue()
    for part in sorted(found, key=lambda part: -part.expected):
        waiting.put(part)
    late: list[Part] = []
    deadline = time.monotonic() + options.seconds
    cores = sorted(os.sched_getaffinity(0))[-options.jobs :]
    workers = [
        threading.Thread(target=_work, args=(core, waiting, late, deadline, options, extra))
        for core in cores
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return late


def _work(
    core: int,
    waiting: queue.SimpleQueue[Part],
    late: list[Part],
    deadline: float,
    options: argparse.Namespace,
    extra: list[str],
) -> None:
    """Run parts on one core until none is left."""
    while True:
        try:
            part = waiting.get_nowait()
        except queue.Empty:
            return
        if time.monotonic() >= deadline or not _run(part, core, deadline, options, extra):
            late.append(part)


def _run(
    part: Part, core: int, deadline: float, options: argparse.Namespace, extra: list[str]
) -> bool:
    """Run one part; false if it was ended at the deadline."""
    part.folder.mkdir(parents=True)
    for kind in KEPT:
        known = options.out / f"{part.benchmark}-{kind}.csv"
        if known.exists():
            shutil.copy(known, part.folder)
    command = [sys.executable, "-m", f"benchmarks.{part.benchmark}", "--data", part.data]
    command += ["--out", str(part.folder), "--no-scaling", "--no-draw", "--commit", options.commit]
    command += ["--unseen", options.unseen] if options.unseen else []
    with (part.folder / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, *extra],
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        os.sched_setaffinity(process.pid, {core})  # before it starts anybody
        try:
            process.wait(max(deadline - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return False
    if process.returncode:
        print(f"{part.benchmark} {part.data}: see {part.folder / 'log'}", file=sys.stderr)
    return True


def merge(name: str, found: list[Part], out: Path) -> None:
    """Write the rows of all parts, and what they add to tolerances and optima."""
    for kind in ("rows", *KEPT):
        lines: dict[tuple[str, ...], None] = {}
        header: list[str] = []
        files = [part.folder / f"{name}-{kind}.csv" for part in found if part.benchmark == name]
        for file in (out / f"{name}-{kind}.csv", *files) if kind in KEPT else files:
            if file.exists():
                with file.open(newline="", encoding="utf-8") as stream:
                    header, *others = csv.reader(stream)
                lines.update(dict.fromkeys(tuple(line) for line in others))
        if lines:
            with (out / f"{name}-{kind}.csv").open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerows([header, *lines])


def main(arguments: list[str]) -> int:
    """Run, merge, and name what is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.many",
        description=__doc__.partition("\n")[0],
        epilog="Other options are those of the benchmarks.",
    )
    parser.add_argument("--benchmarks", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--seconds", type=float, default=3600.0, help="until it is ended")
    parser.add_argument("--commit", required=True, help="hash of the sources")
    parser.add_argument("--unseen", metavar="HASH", default="")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options, extra = parser.parse_known_args(arguments)
    with tempfile.TemporaryDirectory(prefix="banditcd-many-") as folder:
        found = [
            part
            for name in options.benchmarks
            for part in parts(name, options.unseen, Path(folder), options.out)
        ]
        late = run_parts(found, options, extra)
        for name in options.benchmarks:
            merge(name, found, options.out)
    for part in late:
        print(f"{part.benchmark} {part.data}: not ended in time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
