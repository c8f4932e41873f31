"""Configurations: those that ship are right, and every mistake is told in a sentence."""

import re

import pytest

from banditcd.experiments.paper.configuration import BUILT_IN, built_in, parse, reported


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_shipped_ones_follow_the_paper(name: str) -> None:
    configuration = built_in(name)
    assert configuration.seeds >= 5
    assert {spec.paper_set for spec in configuration.of_figure(2)} == {"usps", "aloi", "protein"}
    sets = {(spec.paper_set, spec.cost) for spec in configuration.of_figure(3)}
    assert sets == {
        ("w8a", "LogisticL1"), ("a9a", "LogisticL1"),
        ("usps", "RidgeDual"), ("protein", "RidgeDual"),
    }  # fmt: skip
    for methods in configuration.methods.values():
        assert set(methods.full) >= {"uniform", "ada_gap", "max_r"}
        assert set(methods.partial) >= {"uniform", "gap_per_epoch", "b_max_r"}
    assert "nuacdm" in configuration.methods["RidgeDual"].partial
    assert "shuffled" in configuration.added
    columns = [configuration.problem(name).paper_set for name in configuration.table1]
    assert columns == ["aloi", "a9a", "usps"]


def test_the_quick_one_needs_no_download() -> None:
    for spec in built_in("quick").problems:
        assert spec.data.startswith("synthetic:") or spec.data in ("digits", "breast_cancer")
        assert not spec.test


def test_reported_numbers_have_a_column_per_problem() -> None:
    table = reported()["table1"]["seconds"]
    assert all(len(values) == len(built_in("full").table1) for values in table.values())


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seeds = 2", "seeds = 0", "tiny.toml: seeds is 0; it must be a whole number from 1 on."),
        ("tol = 1e-6", "", "tiny.toml: tol is missing."),
        ("tol = 1e-6", "tol = 1e-6\ntoll = 1", "unknown key 'toll'|'toll'"),
        ("growth = 1.5", 'growth = "x"', "growth is 'x'; it must be a number above 0."),
        ('"shuffled"]\n\n[penalty]', '"shufled"]\n\n[penalty]', "added: .*shufled.*shuffled"),
        ('cost = "RidgeDual"', 'cost = "Ridge"', "tiny.toml, problem 3: .*Ridge"),
        ('["unit_columns"]', '["unit_colums"]', "tiny.toml, problem 1: .*unit_columns"),
        ("figure = 2", "figure = 7", "figure is 7; the figures with curves are 2 and 3."),
        ('id = "logistic"', 'id = "lasso"', "two problems have the id 'lasso'"),
        ("[methods.Lasso]", "[methods.Laso]", r"there is no \[methods.Lasso\]"),
        ('problem = "logistic"', 'problem = "logistics"', "logistics.*logistic"),
        ("bins = [0.5, 1.0]", 'bins = "all"', "bins is 'all'; it must be a list of numbers"),
        ("seeds = 2", "seeds = = 2", "tiny.toml is not TOML: .*line 3"),
    ],
)
def test_mistakes_are_told(tiny: str, old: str, new: str, sentence: str) -> None:
    assert old in tiny
    with pytest.raises(ValueError) as caught:
        parse(tiny.replace(old, new, 1), "tiny.toml")
    assert re.search(sentence, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)
