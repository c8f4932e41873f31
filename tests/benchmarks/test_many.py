"""Benchmarks on many cores: the order of the parts, their rows, and sets made from a hash."""

from __future__ import annotations

import csv
from pathlib import Path

from benchmarks.benchmark import UNSEEN
from benchmarks.lasso import BENCHMARK as LASSO
from benchmarks.many import Part, in_turn, merge, parts
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


def test_every_kind_of_task_is_a_part_and_benchmarks_take_turns(tmp_path: Path):
    groups = [parts(name, "0123456789", tmp_path, RESULTS) for name in ("lasso", "ridge")]
    assert len(groups[0]) == len(LASSO.kinds) * (len(LASSO.data) + UNSEEN)
    whole = parts("lasso", "0123456789", tmp_path, RESULTS, whole=True)
    assert len(whole) == len(LASSO.data) + UNSEEN
    assert all(len(part.kinds) == len(LASSO.kinds) for part in whole)
    order = in_turn(groups)
    assert [part.benchmark for part in order[:4]] == ["lasso", "ridge", "lasso", "ridge"]
    assert all(part.data.startswith("01234567 ") for part in order[:4])
    assert sorted(order, key=lambda part: -part.expected) == order


def test_rows_are_replaced_by_set_and_kind_and_tolerances_are_added(tmp_path: Path):
    out, folder = tmp_path / "out", tmp_path / "part"
    header = "data,group,kind,commit\n"
    for place, kind, text in (
        (
            out,
            "rows",
            header + "usps,real,ridge,a\nusps,real,cv,a\nolder 1 tall,unseen,ridge,a\n",
        ),
        (out, "tolerances", "name\nknown\n"),
        (folder, "rows", header + "usps,real,ridge,b\n"),
        (folder, "tolerances", "name\nfound\n"),
    ):
        place.mkdir(exist_ok=True)
        (place / f"ridge-{kind}.csv").write_text(text, "utf-8")
    merge("ridge", [Part("ridge", "usps", ("ridge",), ("ridge",), folder, 1.0)], "newer", out)

    def lines(kind: str) -> list[list[str]]:
        with (out / f"ridge-{kind}.csv").open(newline="", encoding="utf-8") as stream:
            return list(csv.reader(stream))[1:]

    assert lines("rows") == [["usps", "real", "cv", "a"], ["usps", "real", "ridge", "b"]]
    assert lines("tolerances") == [["known"], ["found"]]


def test_without_a_new_hash_the_sets_of_the_last_one_stay(tmp_path: Path):
    file = tmp_path / "ridge-rows.csv"
    file.write_text("data,group,kind\nolder 1 tall,unseen,ridge\n", "utf-8")
    merge("ridge", [], "", tmp_path)
    assert "older" in file.read_text("utf-8")
