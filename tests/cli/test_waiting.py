import io
import re
import time
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from banditcd import LassoCV, LogisticRegressionCV, lasso_path
from banditcd.cli import waiting
from banditcd.cli.fit import fit
from banditcd.cli.grid import FollowedGrid
from banditcd.cli.telling import Teller
from banditcd.cli.training import Training
from banditcd.data import load
from banditcd.estimators.backends.progress import listening
from tests.cli.terminals import interrupted
from tests.deadlines import HUNG


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(monkeypatch: pytest.MonkeyPatch, wanted: str, done: int = 0) -> str:
    """Wait until a terminal shows a pattern; return all that it was told."""
    monkeypatch.setattr(waiting, "AFTER", 0.0)
    monkeypatch.setattr(waiting, "PERIOD", 0.005)
    stream = Terminal()
    with waiting.waiting("fitting", stream=stream):
        if done:
            from banditcd.estimators.backends.progress import tracked

            items = tracked(range(10), 10, "Folds", verbose=False)
            for _ in range(done + 1):
                next(items)
        until = time.monotonic() + HUNG
        while not re.search(wanted, stream.getvalue()) and time.monotonic() < until:
            time.sleep(0.005)
    return stream.getvalue()


def test_a_terminal_shows_the_seconds_and_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = r"fitting \.\.\. \d+ s"
    text = _shown(monkeypatch, wanted)
    assert re.search(wanted, text)
    assert text.rpartition("\r")[2] == ""
    assert not text.split("\r")[-2].strip()


def test_a_terminal_shows_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _shown(monkeypatch, "left", done=4)
    assert re.search(r"\d+ s, 4 of 10, about \d+ s left", text)


def test_short_waits_files_and_quiet_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "AFTER", HUNG)
    for stream, quiet in ((Terminal(), False), (io.StringIO(), False), (Terminal(), True)):
        with waiting.waiting("fitting", quiet, stream):
            pass
        assert stream.getvalue() == ""


def test_paths_folds_and_grids_are_heard() -> None:
    """Each part of the outermost loop once; what is inside a part is not heard."""
    from banditcd import LinearSVC

    X = np.random.default_rng(0).standard_normal((40, 3))
    y = X[:, 0] + 0.1 * X[:, 1]
    cases = {
        5: lambda: lasso_path(X, y, alphas=5),
        3: lambda: LassoCV(cv=3, alphas=4).fit(X, y),
        4: lambda: LogisticRegressionCV(cv=4, Cs=3, use_legacy_attributes=False).fit(X, y > 0.0),
        2: lambda: FollowedGrid(LinearSVC(), {"C": [0.1, 1.0]}, cv=3).fit(X, y > 0.0),
    }
    for total, work in cases.items():
        heard: list[tuple[int, int]] = []
        with listening(lambda *step, heard=heard: heard.append(step)):
            work()
        assert heard == [(k, total) for k in range(1, total + 1)]


def test_one_interrupt_ends_a_fit_cleanly(tmp_path: Path) -> None:
    """On a terminal: one line, status 130, no traceback, the line of progress wiped."""
    X = np.random.default_rng(0).standard_normal((1500, 900))
    np.savez(tmp_path / "big.npz", X=X, y=X[:, :40].sum(axis=1) + X[:, 0] ** 2)
    command = ["path", str(tmp_path / "big.npz"), "--model", "lasso", "--points", "20000"]
    status, _, told = interrupted([*command, "--tol", "1e-12", "--eps", "1e-6"], " left")
    assert status == 130
    assert "Traceback" not in told
    assert told.splitlines()[-1].rpartition("\r")[2] == "banditcd: interrupted."


@pytest.mark.parametrize("converged", [True, False])
def test_folds_that_miss_their_tolerance_are_told_if_the_model_does_not_say_so(
    converged: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    class Search(LassoCV):
        def fit(self, X: Any, y: Any) -> Any:
            warnings.warn("A fold went too far.", UserWarning, stacklevel=1)
            warnings.warn("A fold did not converge.", ConvergenceWarning, stacklevel=1)
            self.certificate_ = SimpleNamespace(converged=converged)
            return self

    training = SimpleNamespace(weights=None, dataset=load("diabetes"))
    fit(Search(), cast("Training", training), "fitting", (True, Teller(print, False)))
    told = capsys.readouterr().err
    assert ("The model converged, a fit to some" in told) == converged
    assert ("A fold did not converge." in told) == converged
    assert "A fold went too far." in told
