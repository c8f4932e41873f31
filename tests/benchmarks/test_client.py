"""A peer that is late in a trial is tried again without a second start."""

import shutil
import sys

import numpy as np
import pytest

from benchmarks.peers import client

ADAPTER = """
import os, signal, time

class Sleepy:
    loosest = tightest = 1e-3
    exact = target_is_tolerance = False

    def __init__(self, X, y):
        self.X = X

    def refuses(self, kind):
        return ""

    def prepare(self, kind):
        pass

    def lasso(self, alpha, tol):
        self.note = {"process": os.getppid()}
        if alpha < 0.0:
            raise ValueError("alpha is negative")
        while alpha == 1.0:
            sum(range(1000))
        if alpha == 2.0:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.X[0] * alpha

VARIANTS = {"sleepy": Sleepy}
"""


@pytest.fixture
def peer(tmp_path, monkeypatch):
    (tmp_path / "adapters").mkdir()
    shutil.copy(client.HERE / "worker.py", tmp_path)
    (tmp_path / "adapters" / "banditcd.py").write_text(ADAPTER)
    monkeypatch.setattr(client, "HERE", tmp_path)
    monkeypatch.setattr(client, "ensure", lambda _: sys.executable)
    client.write_problem(tmp_path / "data", np.eye(2), np.ones(2))
    found = client.Peer("banditcd", "sleepy")
    found.load(tmp_path / "data")
    yield found
    found.close()


def test_a_late_trial_leaves_the_process_alive(peer):
    first = peer.try_out("lasso", {"alpha": 0.5}, 1e-3, 20.0)
    with pytest.raises(client.TimeLimitError, match=client.LATE):
        peer.try_out("lasso", {"alpha": 1.0}, 1e-3, 0.3)
    with pytest.raises(client.FitError, match="ended with code -9"):
        peer.try_out("lasso", {"alpha": 2.0}, 1e-3, 20.0)
    with pytest.raises(client.FitError, match="alpha is negative"):
        peer.try_out("lasso", {"alpha": -1.0}, 1e-3, 20.0)
    last = peer.try_out("lasso", {"alpha": 3.0}, 1e-3, 20.0)
    np.testing.assert_array_equal(last.coef, [3.0, 0.0])
    assert first.note == last.note


def test_a_late_fit_ends_the_process_and_the_next_starts_it(peer):
    with pytest.raises(client.TimeLimitError, match=client.LATE):
        peer.fit("lasso", {"alpha": 1.0}, 1e-3, 0.3)
    np.testing.assert_array_equal(peer.fit("lasso", {"alpha": 3.0}, 1e-3, 20.0).coef, [3.0, 0.0])
