"""Fits with several jobs: in threads and in processes, interrupted and at the end of a process."""

from __future__ import annotations

import subprocess
import sys
import threading

import joblib
import numpy as np
import pytest

import banditcd
from banditcd import _core
from banditcd.estimators.backends.parallel import Section, run_jobs

MODELS = {
    "LassoCV": "banditcd.LassoCV(cv=5, eps=1e-4, tol={tol}, n_jobs={jobs})",
    "ElasticNetCV": "banditcd.ElasticNetCV(cv=5, eps=1e-4, tol={tol}, n_jobs={jobs})",
    "LogisticRegression": "banditcd.LogisticRegression(C=1e4, tol={tol}, n_jobs={jobs})",
    "LogisticRegression-l1": "banditcd.LogisticRegression(l1_ratio=1.0, tol={tol}, n_jobs={jobs})",
    "LogisticRegressionCV": "banditcd.LogisticRegressionCV(Cs=4, tol={tol}, n_jobs={jobs})",
    "LinearSVC": "banditcd.LinearSVC(C=1e3, tol={tol}, max_iter=10**6, n_jobs={jobs})",
}
DATA = """
import os, signal, sys, threading
import numpy as np
import banditcd
rng = np.random.default_rng(0)
X = np.asfortranarray(rng.standard_normal(({rows}, {columns})))
y = X[:, :9] @ rng.standard_normal(9) + rng.standard_normal({rows})
labels = np.digitize(y, [-3.0, -1.0, 1.0, 3.0])
"""
INTERRUPTED = """
model = {model}
target = labels if hasattr(model, "decision_function") else y
model.fit(X[:60, :3], target[:60])  # imports
sent = threading.Event()
def send():
    sent.set()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer({moment}, send).start()
try:
    while True:
        model.fit(X, target)
except KeyboardInterrupt:
    assert sent.is_set()
    assert not hasattr(model, "coef_")
    raise
"""
DAEMON = """
def work():
    while True:
        {fit}.fit(X, y > 0.0)
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
threading.Event().wait({moment})
"""


def run(source: str, seconds: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


@pytest.mark.parametrize("moment", [0.02, 0.3, 0.7])
@pytest.mark.parametrize("name", MODELS)
def test_ctrl_c_stops_every_thread(name, moment):
    model = MODELS[name].format(tol=1e-12, jobs=3)
    source = DATA.format(rows=300, columns=2000) + INTERRUPTED.format(model=model, moment=moment)
    done = run(source, seconds=60)
    assert done.stderr.rstrip().endswith("KeyboardInterrupt"), done.stderr
    assert "terminate" not in done.stderr
    assert done.returncode in (1, -2, 130), done.stderr


@pytest.mark.parametrize(
    "fit", ["Lasso(1e-3, tol=1e-12)", "LogisticRegression(tol=1e-12)", "LinearSVC()", "Ridge()"]
)
def test_a_thread_that_fits_when_the_process_ends_does_no_harm(fit):
    source = DATA.format(rows=200, columns=2000) + DAEMON.format(fit=f"banditcd.{fit}", moment=0.3)
    done = run(source, seconds=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing", "sequential"])
@pytest.mark.parametrize("name", MODELS)
def test_any_backend_of_joblib_gives_the_serial_model(name, backend):
    space = {"banditcd": banditcd}
    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 20))
    y = X[:, :9] @ rng.standard_normal(9) + rng.standard_normal(90)
    target = y if "CV" in name and "Logistic" not in name else np.digitize(y, [-2.0, 2.0])
    alone = eval(MODELS[name].format(tol=1e-10, jobs=None), space).fit(X, target)
    with joblib.parallel_config(backend=backend):
        model = eval(MODELS[name].format(tol=1e-10, jobs=2), space).fit(X, target)
    np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(model.intercept_, alone.intercept_, rtol=1e-6, atol=1e-8)


def test_a_failed_job_stops_the_others():
    """The error is raised, and no thread is left behind."""
    started, ended = threading.Event(), []
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((300, 3000)))
    y = X[:, :5].sum(axis=1) + rng.standard_normal(300)

    def work(number):
        if number == 0:
            started.wait(10.0)
            raise ValueError("the first job failed")
        started.set()
        try:
            while True:
                banditcd.Lasso(1e-3, tol=1e-12).fit(X, y)
        finally:
            ended.append(number)

    with pytest.raises(ValueError, match="the first job failed"):
        run_jobs([(work, (number,)) for number in range(3)], 3, "Jobs", False)
    assert sorted(ended) in ([1], [2], [1, 2])


def test_a_stopped_section_takes_no_more_jobs():
    section = Section()
    assert section.run(lambda: 3) == 3
    section.stop()
    assert section.run(lambda: 3) is None


def test_an_interrupt_of_its_own_is_not_swallowed_by_a_section():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Section().run(interrupt)


def test_native_work_of_a_thread_stops_at_its_flag():
    flag, raised = _core.StopFlag(), []
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((400, 4000)))

    def work():
        _core.watch_flag(flag)
        try:
            banditcd.lasso_path(X, X[:, 0] + rng.standard_normal(400), eps=1e-6, tol=1e-12)
        except KeyboardInterrupt:
            raised.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    flag.set()
    thread.join(20.0)
    assert raised == [True]
    assert flag.is_set
