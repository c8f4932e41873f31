"""Benchmarks on many cores: the order of the parts, their rows, and sets made from a hash."""

from __future__ import annotations

import csv
from pathlib import Path

from benchmarks.benchmark import UNSEEN
from benchmarks.many import Part, merge, parts
from benchmarks.ridge import BENCHMARK as RIDGE
from benchmarks.run import RESULTS


def test_sets_of_a_hash_come_first_because_nobody_knows_how_long_they_take(tmp_path: Path):
    found = parts("ridge", "0123456789", tmp_path, RESULTS)
    assert len(found) == len(RIDGE.data) + UNSEEN
    unseen = [part for part in found if part.data.startswith("01234567 ")]
    assert len(unseen) == UNSEEN
    usps = next(part for part in found if part.data == "usps")
    assert min(part.expected for part in unseen) > usps.expected > 0.0
    assert len({part.folder for part in found}) == len(found)


def test_sets_of_a_hash_are_those_of_the_task():
    specs = RIDGE.with_unseen("abc").data
    assert specs == RIDGE.with_unseen("abc").data
    sources = {spec.source for spec in specs.values() if spec.group == "unseen"}
    others = {spec.source for spec in RIDGE.with_unseen("abd").data.values()}
    assert len(sources) == UNSEEN
    assert not sources & others
    assert all("task='regression'" in source for source in sources)


def test_rows_are_replaced_and_tolerances_are_added(tmp_path: Path):
    out, folder = tmp_path / "out", tmp_path / "part"
    for place, kind, line in (
        (out, "rows", "old"),
        (out, "tolerances", "known"),
        (folder, "rows", "new"),
        (folder, "tolerances", "found"),
    ):
        place.mkdir(exist_ok=True)
        (place / f"ridge-{kind}.csv").write_text(f"name\n{line}\n", "utf-8")
    merge("ridge", [Part("ridge", "usps", folder, 1.0)], out)

    def lines(kind: str) -> list[list[str]]:
        with (out / f"ridge-{kind}.csv").open(newline="", encoding="utf-8") as stream:
            return list(csv.reader(stream))

    assert lines("rows") == [["name"], ["new"]]
    assert lines("tolerances") == [["name"], ["known"], ["found"]]
