"""Readings of the paper: the problems they give, and verdicts that depend on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from banditcd import minimize
from banditcd.experiments.paper.claims import (
    DEPENDS,
    EPOCHS_ONLY,
    FAILED,
    HELD,
    NOT_TESTABLE,
    Case,
    Cell,
    Claim,
)
from banditcd.experiments.paper.configuration import Configuration, built_in, parse
from banditcd.experiments.paper.html import reasons
from banditcd.experiments.paper.judgement import Finding, Judgement, combined, dependence
from banditcd.experiments.paper.ledger import Cited, Ledger
from banditcd.experiments.paper.measure import Evidence
from banditcd.experiments.paper.printed import NotInClassError, PrintedLogistic
from banditcd.experiments.paper.readings import (
    MEDIANS,
    OWN,
    PAPER,
    PRINTED,
    RANGES,
    RAW,
    UNIT,
    Reading,
    as_read,
    own_reading,
    readings,
    unprinted,
    variants,
)
from banditcd.experiments.paper.rules import NAMES
from banditcd.experiments.paper.tasks import is_known, methods_of
from banditcd.experiments.paper.verdicts import Rows, judge_all
from banditcd.problems import LogisticL1
from banditcd.theory.as_printed import FixedCurvature


def test_every_problem_is_read_in_every_way() -> None:
    full = built_in("full")
    assert len(readings(full, "Lasso")) == len(readings(full, "RidgeDual")) == 6
    assert len(readings(full, "LogisticL1")) == 9
    assert readings(full, "RidgeDual")[0] == Reading(PAPER, RAW, OWN)  # as the figures show it
    assert len(list(variants(full))) == 4 * 5 + 2 * 8  # stand-ins as configured only
    keys = [spec.key for spec in variants(full)]
    assert len(set(keys)) == len(keys)
    for spec in variants(full):
        reading = own_reading(spec)
        assert as_read(full, full.problem(spec.id), reading).key == spec.key
        scaled = [step for step in spec.steps if step.startswith("unit_")]
        expected = "unit_rows" if spec.cost == "RidgeDual" else "unit_columns"
        assert scaled == ([expected] if reading.scaling == UNIT else [])


def test_the_reading_of_the_figures_is_the_problem_itself(
    tiny_configuration: Configuration,
) -> None:
    for spec in tiny_configuration.problems:
        assert as_read(tiny_configuration, spec, own_reading(spec)) is spec
    lasso = tiny_configuration.problem("lasso")
    printed = Reading(PAPER, RAW, PRINTED)
    assert as_read(tiny_configuration, lasso, printed).update == ""  # it is about logistic
    logistic = as_read(tiny_configuration, tiny_configuration.problem("logistic"), printed)
    assert logistic.key == "logistic@paper raw printed"
    own = unprinted(tiny_configuration, logistic)
    assert own is not None
    assert own.key == "logistic@paper raw"
    assert unprinted(tiny_configuration, lasso) is None


def test_the_printed_step_is_the_printed_step() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-1.0, 1.0, (30, 6)), np.sign(rng.standard_normal(30))
    printed, own = PrintedLogistic(X, y, alpha=0.01), LogisticL1(X, y, alpha=0.01)
    options = {"tol": 1e-15, "max_epochs": 3, "trace": None}
    expected = minimize(own, "cyclic", FixedCurvature(0.25), **options)
    for engine in ("compiled", "reference"):
        found = minimize(printed, "cyclic", engine=engine, **options)
        np.testing.assert_allclose(found.x, expected.x, atol=1e-12)
    with pytest.raises(NotInClassError, match="too long here"):
        PrintedLogistic(3.0 * X, y, alpha=0.01).h.sum()


# -- verdicts -----------------------------------------------------------------------------------


def _finding(verdict: str, strict: str = "", **changes: str) -> Finding:
    reading = replace(Reading(PAPER, UNIT, OWN, MEDIANS), **changes)
    holds = {HELD: True, FAILED: False}.get(verdict)
    case = Case(f"set [{reading.label}]", (Cell("epoch", Cited("n1", "1×"), holds),))
    return Finding(reading, Claim("id", "where", "says", "judged", (case,), verdict, strict))


def test_one_verdict_under_every_reading_stands() -> None:
    both = (_finding(HELD), _finding(HELD, scaling=RAW))
    assert combined(both, "verdict") == HELD
    assert dependence(both, "verdict") == ""
    assert combined((*both, _finding(NOT_TESTABLE, penalty="1/30")), "verdict") == HELD
    assert combined((_finding(NOT_TESTABLE),), "verdict") == NOT_TESTABLE
    assert combined((), "verdict") == NOT_TESTABLE
    assert combined(both, "strict") == ""


@pytest.mark.parametrize(
    ("factor", "level", "text"),
    [
        ("penalty", "1/30", "the penalty (the paper's words: failed; reference / 30: held)"),
        ("scaling", RAW, "the scaling (unit columns: failed; raw data: held)"),
        ("update", PRINTED, ("the logistic update (step from the column's own curvature: failed; "
                            "the printed step 4: held)")),
        ("noise", RANGES, ("what counts as noise (medians alone: failed; ranges of the seeds "
                          "apart: held)")),
    ],
)  # fmt: skip
def test_a_verdict_that_changes_says_with_what(factor: str, level: str, text: str) -> None:
    findings = (_finding(FAILED), _finding(HELD, **{factor: level}))
    assert combined(findings, "verdict") == DEPENDS
    assert dependence(findings, "verdict") == text


def test_a_claim_that_medians_alone_decide_depends_on_the_noise() -> None:
    findings = (_finding(FAILED), _finding(NOT_TESTABLE, noise=RANGES))
    assert combined(findings, "verdict") == DEPENDS
    assert dependence(findings, "verdict") == (
        "what counts as noise (medians alone: failed; ranges of the seeds apart: cannot tell)"
    )
    told = (*findings, _finding(FAILED, noise=RANGES, scaling=RAW))
    assert combined(told, "verdict") == FAILED  # one reading tells with ranges apart


def test_a_choice_that_changes_nothing_is_not_named() -> None:
    findings = tuple(
        _finding(HELD if penalty == "1/30" else FAILED, penalty=penalty, scaling=scaling)
        for penalty in (PAPER, "1/30")
        for scaling in (UNIT, RAW)
    )
    assert dependence(findings, "verdict").startswith("the penalty (")
    assert "scaling" not in dependence(findings, "verdict")
    crossed = (_finding(HELD), _finding(FAILED, penalty="1/30", scaling=RAW))
    assert dependence(crossed, "verdict") == "several choices at once"


def test_the_sets_that_speak_against_a_claim_are_named() -> None:
    findings = (_finding(FAILED), _finding(FAILED, scaling=RAW))
    judgement = Judgement("id", "where", "says", "judged", findings, (_finding(HELD),))
    assert judgement.fails_on == ["set"]
    assert judgement.stand_ins == HELD
    assert judgement.verdict == FAILED
    assert judgement.undecided == []
    opened = Judgement("id", "where", "says", "judged", (_finding(NOT_TESTABLE),), ())
    assert [title.partition(" [")[0] for title, _ in opened.undecided] == ["set"]
    assert opened.stand_ins == ""


def test_stand_ins_never_decide(rows: Any, tiny_configuration: Configuration) -> None:
    """Held on the real set, lost on a stand-in: the verdict is that of the real set."""
    for key, kind, b_max_r in (("lasso", "real", 1.0), ("lasso@paper raw", "stand-in", 9.0)):
        rows.problem(key, kind=kind)
        for method in ("uniform", "gap_per_epoch", "approx"):
            rows.runs(key, method, (5.0, 5.0, 5.0))
        rows.runs(key, "b_max_r", (b_max_r, b_max_r, b_max_r))
    judged = judge_all(tiny_configuration, Rows(Evidence(rows.store), [], []), Ledger())
    claim = next(j for j in judged if j.id == "lasso-bandit")
    assert claim.verdict == HELD
    assert claim.stand_ins == FAILED


def test_readings_that_disagree_give_depends(rows: Any, tiny_configuration: Configuration) -> None:
    for key, b_max_r in (("lasso", 9.0), ("lasso@1/20 unit", 1.0)):
        rows.problem(key)
        for method in ("uniform", "gap_per_epoch", "approx"):
            rows.runs(key, method, (5.0, 5.0, 5.0), kind="curve" if key == "lasso" else "reading")
        rows.runs(key, "b_max_r", (b_max_r, b_max_r, b_max_r))
    judged = judge_all(tiny_configuration, Rows(Evidence(rows.store), [], []), Ledger())
    claim = next(j for j in judged if j.id == "lasso-bandit")
    assert claim.verdict == DEPENDS
    assert claim.depends == "the penalty (the paper's words: failed; reference / 20: held)"


# -- the rules ----------------------------------------------------------------------------------


def test_rules_have_a_version_a_reason_and_a_history() -> None:
    rules = built_in("full").rules
    assert {rule.name for rule in rules.rules} == set(NAMES)
    assert all(len(rule.reason) > 20 for rule in rules.rules)
    assert [change.version for change in rules.history] == list(range(1, rules.version + 1))
    assert "after they had been seen" in rules.history[1].text
    assert built_in("quick").rules == rules


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("version = 1\nvalue = []\nhistory = []", "value must be tables"),
        (
            (
                'version = 1\n[[rules.value]]\nname = "noise"\nvalue = 1.1\nreason = "x"\n'
                '[[rules.history]]\nversion = 1\ntext = "x"'
            ),
            "the rules must be same_rate",
        ),
    ],
)
def test_mistakes_in_the_rules_are_told(tiny: str, text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse(f"{tiny}\n[rules]\n{text}\n", "tiny.toml")


def test_readings_that_differ_in_work_alone_hold_in_epochs() -> None:
    findings = (_finding(HELD), _finding(EPOCHS_ONLY, scaling=RAW))
    assert combined(findings, "verdict") == EPOCHS_ONLY
    text = dependence(findings, "verdict")
    assert text == "the scaling (unit columns: held; raw data: held in epochs only)"
    judgement = Judgement("id", "where", "says", "judged", findings, ())
    assert reasons(judgement) == f"in work and seconds: {text}"


# -- max_r by Gram columns ----------------------------------------------------------------------


def test_max_r_by_gram_columns_runs_where_it_exists(tiny: str) -> None:
    known = parse(tiny.replace("max_r(gram='auto')", "b_max_r(epsilon=0.1)"), "tiny.toml")
    missing = parse(tiny.replace("max_r(gram='auto')", "max_r(gramm='auto')"), "tiny.toml")
    for cost, there in (("lasso", True), ("ridge", True), ("logistic", False)):
        spec = known.problem(cost)
        assert ("b_max_r(epsilon=0.1)" in methods_of(known, spec)) is there
        assert not [name for name in methods_of(missing, spec) if "gramm" in name]
    assert is_known(known.gram)
    assert not is_known(missing.gram)
