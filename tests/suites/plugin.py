"""pytest plugin: test modules of scikit-learn, celer and skglm with ours in the place of theirs.

    BANDITCD_SUITES=sklearn pytest -p tests.suites.plugin --suites-record=FILE THEIR MODULES

Every public name of ours that ``sklearn.linear_model`` or ``sklearn.svm`` has too is replaced there
when the plugin is imported: before any test module, and before the parts of scikit-learn that take
these names from the package (stacking, calibration). The private modules keep their own classes,
but for ``_logistic``, from which scikit-learn 1.6's test_logistic takes them.
``BANDITCD_SUITES`` names the distribution whose classes are replaced: celer's and skglm's tests
compare with scikit-learn's, which then stay. With "originals" nothing is replaced: that run says
which tests count.

The record has one JSON line per test: its id, its outcome, whether an object of ours was made
while it ran, and the last line of its error.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ("sklearn.linear_model", "sklearn.svm")
PRIVATE = {"LogisticRegression", "LogisticRegressionCV"}, "sklearn.linear_model._logistic"
USERS = ("sklearn.ensemble", "sklearn.calibration", "sklearn.feature_selection")
REPLACED = os.environ.get("BANDITCD_SUITES", "sklearn")


class Use:
    """Whether the running test has made one of our objects."""

    seen = False


def note_use() -> None:
    """Note every instance of one of our estimators."""
    from banditcd.estimators.bases.linear_model import LinearModel

    def __new__(cls: type, *args: object, **params: object) -> object:  # noqa: N807
        Use.seen = True
        return object.__new__(cls)

    LinearModel.__new__ = staticmethod(__new__)  # type: ignore[assignment]


def noted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose calls are noted."""

    @functools.wraps(function)
    def call(*args: Any, **params: Any) -> Any:
        Use.seen = True
        return function(*args, **params)

    return call


def replaced() -> list[tuple[str, str]]:
    """Return (package, name) of everything that is replaced."""
    import banditcd

    return [
        (package, name)
        for package in PACKAGES
        for name in importlib.import_module(package).__all__
        if name in banditcd.__all__
    ]


def replace_classes() -> None:
    """Put our classes and functions in the place of scikit-learn's."""
    import banditcd

    if late := [name for name in USERS if name in sys.modules]:
        raise RuntimeError(f"Too late: {', '.join(late)} has taken the classes already.")
    note_use()
    names, home = PRIVATE
    for package, name in [*replaced(), *((home, name) for name in sorted(names))]:
        ours = getattr(banditcd, name)
        setattr(sys.modules[package], name, ours if isinstance(ours, type) else noted(ours))


def replace_peers(peer: str) -> None:
    """Put adapters of our classes in the place of celer's or skglm's."""
    from tests.suites.adapters import PEERS, adapted

    note_use()
    modules, classes = PEERS[peer]
    ours = {name: adapted(name, peer) for name in classes}
    for module in modules:
        vars(importlib.import_module(module)).update(ours)


if REPLACED == "sklearn":
    replace_classes()
elif REPLACED != "originals":
    replace_peers(REPLACED)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--suites-record", help="file for one JSON line per test")


def pytest_runtest_setup(item: pytest.Item) -> None:
    Use.seen = False


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Any:
    report = (yield).get_result()
    report.suites = {"ours": Use.seen, "id": short_id(item.nodeid)}


def short_id(nodeid: str) -> str:
    """Return an id relative to scikit-learn's folder, or to that of all packages."""
    path, _, test = nodeid.partition("::")
    return f"{path.split('site-packages/')[-1].removeprefix('sklearn/')}::{test}"


class Recorder:
    """Writes the record, in the process that gathers the reports of all workers."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Write the outcome of a test: of its call, or of the stage that failed or was skipped."""
        if report.when != "call" and report.outcome == "passed":
            return
        known = hasattr(report, "wasxfail")
        line = {
            "outcome": "skipped" if known else report.outcome,
            "seconds": round(report.duration, 3),
            "error": last_line(report) if report.outcome == "failed" else "",
            **report.suites,
        }
        with self._path.open("a") as file:
            file.write(json.dumps(line) + "\n")


def last_line(report: Any) -> str:
    """Return the line of an error that says what it is."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = str(report.longrepr) if crash is None else str(crash.message)
    return text.strip().split("\n")[0][:300]


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--suites-record")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(path)), "suites-recorder")
