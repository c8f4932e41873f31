"""The quick modules of scikit-learn's own tests: all but the judged failures pass with ours."""

from __future__ import annotations

import pytest
from sklearn import linear_model

import banditcd
from tests.suites import expected, report


def test_the_short_suites_are_as_judged(capsys):
    status = report.main(["--short"])
    assert status == 0, capsys.readouterr().out


def test_entries_have_a_class_and_a_reason():
    for entry in expected.read():
        assert entry.kind != expected.UNJUDGED, entry
        assert entry.module in report.MODULES + report.PEERS, entry


@pytest.mark.parametrize(
    ("outcome", "named", "holds"),
    [
        ("failed", True, True),
        ("failed", False, False),
        ("passed", True, False),
        ("passed", False, True),
    ],
)
def test_news_and_expected_failures_that_pass_fail_a_run(outcome, named, holds):
    entry = expected.Entry("a.py", ["test_x[*]" if named else "test_z"], "words", "why")
    seen = report.Outcome("a.py::test_x[1]", outcome, ours=True, error="", seconds=0.0)
    if named and outcome == "failed":
        entry.hits.add(seen.id)
    news = [seen] if outcome == "failed" and not named else []
    assert report.Judgement([entry], [seen], news).holds == holds


def test_renewing_drops_what_passes_and_adds_news(tmp_path):
    entries = [expected.Entry("a.py", ["test_x", "test_y"], "words", "why")]
    passing = report.Outcome("a.py::test_x", "passed", ours=True, error="", seconds=0.0)
    failing = report.Outcome("a.py::test_n", "failed", ours=True, error="E: 1", seconds=0.0)
    judgement = report.Judgement(entries, [passing, failing], [failing])
    path = tmp_path / "expected.toml"
    expected.write(report.renewed(judgement, entries), path)
    again = {test: entry.kind for entry in expected.read(path) for test in entry.tests}
    assert again == {"test_y": "words", "test_n": expected.UNJUDGED}


def test_every_public_class_of_the_same_name_is_replaced():
    names = {"Lasso", "ElasticNet", "Ridge", "LogisticRegression", "lasso_path"}
    assert names <= set(banditcd.__all__) & set(linear_model.__all__)
