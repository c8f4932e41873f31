"""Run the tests of scikit-learn, celer and skglm with our classes and judge what fails.

    python -m tests.suites.report              all modules, as nox -s suites and make test-suites do
    python -m tests.suites.report --short      the quick ones, as make test does
    python -m tests.suites.report --write      renew expected.toml
    python -m tests.suites.report test_ridge   modules by name

The run fails on a failure that expected.toml does not name, on one it names that passes, on one
that nobody has judged, and if more than 5 % of the tests are not applicable. Tests that fail with
their own classes too, and tests that never touch a class of ours, do not count. celer and skglm
run where they are installed, as nox -s suites does with the newest scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import scipy
import sklearn
from sklearn.utils.fixes import parse_version

from tests.suites import expected
from tests.suites.expected import Entry

ROOT = Path(__file__).parents[2]
HOME = Path(sklearn.__file__).parent
SHORT = (
    "linear_model/tests/test_coordinate_descent.py",
    "linear_model/tests/test_sparse_coordinate_descent.py",
    "svm/tests/test_bounds.py",
    "svm/tests/test_sparse.py",
)
MODULES = (
    *SHORT,
    "linear_model/tests/test_logistic.py",
    "linear_model/tests/test_ridge.py",
    "linear_model/tests/test_common.py",
    "svm/tests/test_svm.py",
    # Modules that use these estimators inside others.
    "ensemble/tests/test_bagging.py",
    "ensemble/tests/test_stacking.py",
    "ensemble/tests/test_voting.py",
    "feature_selection/tests/test_from_model.py",
    "feature_selection/tests/test_rfe.py",
    "inspection/tests/test_partial_dependence.py",
    "inspection/tests/test_permutation_importance.py",
    "model_selection/tests/test_search.py",
    "model_selection/tests/test_validation.py",
    "tests/test_calibration.py",
    "tests/test_metaestimators.py",
    "tests/test_metaestimators_metadata_routing.py",
    "tests/test_multiclass.py",
    "tests/test_multioutput.py",
    "tests/test_pipeline.py",
)
#: The estimator tests that come with other distributions: in celer and skglm, where installed.
PEERS = (
    "celer/tests/test_lasso.py",
    "celer/tests/test_enet.py",
    "celer/tests/test_logreg.py",
    "celer/tests/test_mtl.py",
    "skglm/tests/test_estimators.py",
)
#: Tests of models that we do not have, by words in their names; skglm compiles each for minutes.
ABSENT = {"skglm": ("Cox", "cox", "MCP", "SLOPE", "inverse_link", "estimator_predict")}
MOST_NOT_APPLICABLE = 0.05
PYTEST = ("-q", "--tb=short", "-p", "no:cacheprovider", "-p", "tests.suites.plugin")


@dataclass
class Outcome:
    """What became of one test."""

    id: str
    outcome: str
    ours: bool
    error: str
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether it neither passed nor was skipped."""
        return self.outcome == "failed"


@dataclass
class Judgement:
    """Outcomes held against the entries of expected.toml."""

    entries: list[Entry]
    outcomes: list[Outcome]
    failures: list[Outcome]

    @property
    def passing(self) -> list[str]:
        """Expected failures that pass."""
        ran = [o for o in self.outcomes if o.outcome == "passed"]
        return [o.id for o in ran if any(e.matches(o.id) for e in self.entries)]

    @property
    def unjudged(self) -> list[str]:
        """Failures noted with the error alone."""
        return sorted(i for e in self.entries if e.kind == expected.UNJUDGED for i in e.hits)

    def rows(self) -> list[tuple[str, Counter[str]]]:
        """Return what was counted in every module, and in all."""
        counts: dict[str, Counter[str]] = {}
        strange = {outcome.id for outcome in self.failures}
        for outcome in self.outcomes:
            row = counts.setdefault(outcome.id.partition("::")[0], Counter())
            entry = next((e for e in self.entries if outcome.id in e.hits), None)
            if entry is not None:
                row["expected" if entry.counts else "not applicable"] += 1
            elif outcome.id in strange:
                row["failed"] += 1
            elif outcome.outcome == "passed" and outcome.ours:
                row["passed"] += 1
        return [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]

    @property
    def share_not_applicable(self) -> float:
        """Share of the tests that are not applicable."""
        total = self.rows()[-1][1]
        return total["not applicable"] / max(1, sum(total.values()))

    @property
    def holds(self) -> bool:
        """Whether everything is as judged."""
        enough = self.share_not_applicable <= MOST_NOT_APPLICABLE
        return enough and not (self.failures or self.passing or self.unjudged)


def distribution(module: str) -> str:
    """Return whose module it is."""
    return module.partition("/")[0] if module.startswith(("celer/", "skglm/")) else "sklearn"


def place(module: str) -> Path:
    """Return where an installed module is."""
    return (HOME if distribution(module) == "sklearn" else HOME.parent) / module


def run(modules: tuple[str, ...], jobs: str, originals: bool = False) -> list[Outcome]:
    """Run test modules, or single tests, and return their outcomes."""
    outcomes = []
    for name in ("sklearn", "celer", "skglm"):
        if chosen := [module for module in modules if distribution(module) == name]:
            outcomes += run_distribution("originals" if originals else name, chosen, jobs)
    return outcomes


def run_distribution(replaced: str, modules: list[str], jobs: str) -> list[Outcome]:
    """Run modules of one distribution with its classes ``replaced``, or none."""
    environment = os.environ | {"BANDITCD_SUITES": replaced}
    environment.setdefault("SKLEARN_SEED", "0")  # theirs is another one in every run
    environment.setdefault("OMP_WAIT_POLICY", "passive")  # idle threads spin on a busy machine
    if parse_version(scipy.__version__) >= parse_version("1.14"):
        environment.setdefault("SCIPY_ARRAY_API", "1")  # tests of arrays of other libraries need it
    environment.pop("PYTEST_ADDOPTS", None)
    root = HOME if distribution(modules[0]) == "sklearn" else HOME.parent
    with tempfile.TemporaryDirectory() as folder:
        record, settings = Path(folder) / "record.jsonl", Path(folder) / "pytest.ini"
        settings.write_text("[pytest]\n")  # ours would turn their warnings into errors
        command = [sys.executable, "-m", "pytest", "-c", str(settings), f"--rootdir={root}"]
        command += [*PYTEST, f"--suites-record={record}", *([] if jobs == "0" else ["-n", jobs])]
        command += [str(place(module)) for module in modules]
        if words := ABSENT.get(distribution(modules[0])):
            command += ["-k", f"not ({' or '.join(words)})"]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        if not record.exists() or done.returncode not in (0, 1):
            raise RuntimeError(f"pytest could not run the suites:\n{done.stdout}\n{done.stderr}")
        return [Outcome(**json.loads(line)) for line in record.read_text().splitlines()]


def judge(outcomes: list[Outcome], entries: list[Entry], jobs: str) -> Judgement:
    """Hold outcomes against the entries; failures that are news are tried with the originals."""
    entries = [entry for entry in entries if entry.applies]
    news = []
    for outcome in (o for o in outcomes if o.failed):
        entry = next((e for e in entries if e.matches(outcome.id)), None)
        if entry is None:
            news.append(outcome)
        else:
            entry.hits.add(outcome.id)
    if news:
        again = run(tuple(sorted({o.id.partition("[")[0] for o in news})), jobs, originals=True)
        fine = {o.id for o in again if o.outcome == "passed"}
        news = [outcome for outcome in news if outcome.id in fine]
    return Judgement(entries, outcomes, news)


def renewed(judgement: Judgement, entries: list[Entry]) -> list[Entry]:
    """Return the entries with news added and what passes dropped."""
    passing = set(judgement.passing)
    for entry in (e for e in entries if e.applies):
        lost = {test for test in entry.tests if f"{entry.module}::{test}" in passing}
        if any(entry.matches(i) and i.partition("::")[2] not in entry.tests for i in passing):
            lost |= {test for test in entry.tests if test.endswith("[*]")}
            entry.tests += [i.partition("::")[2] for i in entry.hits]
        entry.tests = sorted(set(entry.tests) - lost)
    for outcome in judgement.failures:
        module, _, test = outcome.id.partition("::")
        entries.append(Entry(module, [test], expected.UNJUDGED, outcome.error or "no message"))
    return [entry for entry in entries if entry.tests]


def show(judgement: Judgement) -> None:
    """Print the table, then what is not as judged."""
    heads = ("passed", "expected", "not applicable", "failed")
    print(f"Tests of scikit-learn {sklearn.__version__} and others with the classes of banditcd\n")
    print(f"| module | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for name, row in judgement.rows():
        print(f"| {name} | {' | '.join(str(row[head]) for head in heads)} |")
    total = judgement.rows()[-1][1]
    rest = total["passed"] + total["expected"] + total["failed"]
    print(f"\n{total['passed'] / max(1, rest):.1%} of the applicable tests pass.")
    reasons = Counter[str]()
    for entry in judgement.entries:
        reasons[entry.kind] += len(entry.hits)
    about = expected.CLASSES | expected.NOT_APPLICABLE
    for kind, number in reasons.most_common():
        if number:
            print(f"  {number:4d} {kind}: {about.get(kind, 'a reason is missing')}")
    for outcome in judgement.failures:
        print(f"FAILED {outcome.id}\n       {outcome.error}")
    for identifier in judgement.passing:
        print(f"PASSES although expected.toml has it: {identifier}")
    for identifier in judgement.unjudged:
        print(f"NOT JUDGED {identifier}")


def arguments(given: list[str] | None) -> Any:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="scikit-learn's tests with our classes")
    parser.add_argument("modules", nargs="*", help="names such as test_ridge; default: all")
    parser.add_argument("--short", action="store_true", help="the quick modules")
    parser.add_argument("--write", action="store_true", help="renew expected.toml")
    parser.add_argument("-n", "--jobs", default="0", help="processes, as pytest-xdist counts them")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Run, judge, print; return the exit status."""
    options = arguments(given)
    modules: tuple[str, ...] = SHORT if options.short else (*MODULES, *PEERS)
    if options.modules:
        modules = tuple(m for m in modules if Path(m).stem in options.modules)
    missing = [m for m in modules if not place(m).exists()]  # other versions, or not installed
    modules = tuple(m for m in modules if m not in missing)
    entries = expected.read()
    judgement = judge(run(modules, options.jobs), entries, options.jobs)
    show(judgement)
    for module in missing:
        print(f"NOT HERE {module}")
    if options.write:
        expected.write(renewed(judgement, entries))
    return 0 if judgement.holds else 1


if __name__ == "__main__":
    sys.exit(main())
