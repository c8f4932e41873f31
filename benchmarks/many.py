"""Several benchmarks on a machine of many cores: one data set and kind of task on each core.

    python -m benchmarks.many --jobs 15 --unseen HASH --commit HASH --seconds 560 --work FOLDER

Every kind of task on every data set is a process of its own, pinned to one core with all its peers,
so that nobody shares one. Sets that the hash generates go first, the benchmarks in turn, then what
took longest last time. The tolerances that are known are kept. What has not ended in time keeps the
cells that have, and is named. Rows of what was run replace those that were there; others stay as
they are, with the commit that they are of, but for sets generated from another hash, which go.
With few cores, ``--whole`` keeps everybody's processes for all kinds of a set. ``--merge`` alone
reads the folder of a run that was cut short. Tables and pictures are drawn by the benchmarks
(``--draw``).
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
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path

from benchmarks.benchmark import Benchmark, DataSpec, Kind
from benchmarks.peers.rows import Row, Table
from benchmarks.run import RESULTS

NAMES = ("lasso", "logistic", "svm", "svr", "ridge", "svm_l1", "ridge_classifier")
UNKNOWN = 1e3  # seconds, for a set that a hash generates: first of all
NAMED = ("option", "method")  # of a kind: on the command line, and in the rows
KEPT = ("tolerances", "optima")  # files that a part starts with


@dataclass(frozen=True)
class Part:
    """Kinds of tasks on a data set of a benchmark, with the folder of their files.

    ``kinds`` are their names on the command line, ``methods`` those in the rows.
    """

    benchmark: str
    data: str
    kinds: tuple[str, ...]
    methods: tuple[str, ...]
    folder: Path
    expected: float

    @property
    def rows(self) -> Path:
        """The file of its rows."""
        return self.folder / f"{self.benchmark}-rows.csv"


def parts(name: str, seed: str, folder: Path, out: Path, whole: bool = False) -> list[Part]:
    """Return the parts of a benchmark with the seconds that their rows took last time."""
    benchmark: Benchmark = import_module(f"benchmarks.{name}").BENCHMARK
    spent: dict[tuple[str, str], float] = {}
    for row in Table(out / f"{name}-rows.csv", Row).rows.values():
        seconds = (row.wall or 0.0) * (row.rounds or 0)
        spent[row.data, row.kind] = spent.get((row.data, row.kind), 0.0) + seconds
    data = (benchmark.with_unseen(seed) if seed else benchmark).data
    groups = [benchmark.kinds] if whole else [(kind,) for kind in benchmark.kinds]

    def part(k: int, key: str, spec: DataSpec, kinds: tuple[Kind, ...]) -> Part:
        options, methods = (tuple(getattr(kind, at) for kind in kinds) for at in NAMED)
        expected = sum(spent.get((key, method), 0.0) for method in methods)
        place = folder / "-".join([name, str(k), *options])
        return Part(
            name, key, options, methods, place, UNKNOWN if spec.group == "unseen" else expected
        )

    return [
        part(k, key, spec, kinds) for k, (key, spec) in enumerate(data.items()) for kinds in groups
    ]


def in_turn(groups: list[list[Part]]) -> list[Part]:
    """Return all parts in the order of their start: the unknown ones of all groups in turn."""
    ordered = [sorted(group, key=lambda part: -part.expected) for group in groups]
    mixed = [part for part in chain(*zip_longest(*ordered)) if part is not None]
    return sorted(mixed, key=lambda part: -part.expected)


def run_parts(found: list[Part], options: argparse.Namespace, extra: list[str]) -> list[Part]:
    """Run all parts in their order; return those that did not end in time."""
    waiting: queue.SimpleQueue[Part] = queue.SimpleQueue()
    for part in found:
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
    command += ["--kinds", *part.kinds]
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


def merge(name: str, found: list[Part], seed: str, out: Path) -> None:
    """Write the rows of all parts that have some, and what they add to tolerances and optima."""
    mine = [part for part in found if part.benchmark == name]
    ran = {(part.data, method) for part in mine if part.rows.exists() for method in part.methods}
    for kind in ("rows", *KEPT):
        lines: dict[tuple[str, ...], None] = {}
        header: list[str] = []
        before = out / f"{name}-{kind}.csv"
        for file in (before, *(part.folder / f"{name}-{kind}.csv" for part in mine)):
            if not file.exists():
                continue
            with file.open(newline="", encoding="utf-8") as stream:
                header, *others = csv.reader(stream)
            if kind == "rows" and file == before:
                others = [
                    line
                    for line in others
                    if stays(dict(zip(header, line, strict=True)), ran, seed)
                ]
            lines.update(dict.fromkeys(tuple(line) for line in others))
        if lines:
            with before.open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerows([header, *lines])


def stays(row: dict[str, str], ran: set[tuple[str, str]], seed: str) -> bool:
    """Whether a row of before is kept: nobody ran it again, and no other hash generated its set."""
    if seed and row["group"] == "unseen" and not row["data"].startswith(f"{seed[:8]} "):
        return False
    return (row["data"], row["kind"]) not in ran


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
    parser.add_argument("--work", type=Path, required=True, help="folder of the parts, kept")
    parser.add_argument("--whole", action="store_true", help="all kinds of a set are one part")
    parser.add_argument("--merge", action="store_true", help="only what the folder has")
    options, extra = parser.parse_known_args(arguments)
    groups = [
        parts(name, options.unseen, options.work, options.out, options.whole)
        for name in options.benchmarks
    ]
    found = in_turn(groups)
    late = [] if options.merge else run_parts(found, options, extra)
    for name in options.benchmarks:
        merge(name, found, options.unseen, options.out)
    for part in late:
        print(f"{part.benchmark} {part.data}: not ended in time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
