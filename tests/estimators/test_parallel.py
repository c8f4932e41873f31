"""Fits with several jobs: in threads and in processes, interrupted and at the end of a process."""

from __future__ import annotations

import subprocess
import sys
import threading

import joblib
import numpy as np
import pytest

import banditcd
from banditcd import _core, solvers
from banditcd.estimators.backends.parallel import Section, run_jobs
from tests.deadlines import HUNG, PATIENCE

THREADS = 3
MODELS = {
    "LassoCV": "banditcd.LassoCV(cv=5, eps=1e-4, tol={tol}, n_jobs={jobs})",
    "ElasticNetCV": "banditcd.ElasticNetCV(cv=5, eps=1e-4, tol={tol}, n_jobs={jobs})",
    "LogisticRegression": "banditcd.LogisticRegression(C=1e4, tol={tol}, n_jobs={jobs})",
    "LogisticRegression-l1": "banditcd.LogisticRegression(l1_ratio=1.0, tol={tol}, n_jobs={jobs})",
    "LogisticRegressionCV": "banditcd.LogisticRegressionCV(Cs=4, tol={tol}, n_jobs={jobs})",
    "LinearSVC": "banditcd.LinearSVC(C=1e3, tol={tol}, max_iter=10**6, n_jobs={jobs})",
}
DATA = """
import os, signal, sys, threading, time
import numpy as np
from sklearn.base import clone
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
sent = []
def send():
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
moments = {moments}
while moments:
    fresh, ended = clone(model), False
    try:
        threading.Timer(moments[-1], send).start()
        fresh.fit(X, target)
        ended = True
        time.sleep({hung})
    except KeyboardInterrupt:
        if ended:  # a fast machine: earlier
            moments[-1] /= 2.0
            assert moments[-1] > 1e-4, "the fit had ended before any signal"
        else:
            late = time.process_time() - sent[-1]
            assert late < {late}, late
            assert not hasattr(fresh, "coef_")
            moments.pop()
print("interrupted and still alive")
threading.Timer(0.1, send).start()
while True:
    model.fit(X, target)
"""
DAEMON = """
def work(model):
    while True:
        model.fit(X, y > 0.0)
for model in (
    banditcd.Lasso(1e-3, tol=1e-12),
    banditcd.LogisticRegression(tol=1e-12),
    banditcd.LinearSVC(),
    banditcd.Ridge(),
    banditcd.Lasso(1e-3, tol=1e-12, selector="cyclic"),
):
    model.fit(X[:20, :5], y[:20] > 0.0)
    threading.Thread(target=work, args=(model,), daemon=True).start()
threading.Event().wait({moment})
"""


def run(source: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source],
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )


@pytest.mark.parametrize("name", MODELS)
def test_ctrl_c_stops_every_thread(name):
    """At several moments; the last one ends the process, with Python's own status."""
    model = MODELS[name].format(tol=1e-12, jobs=THREADS)
    moments = [0.3, 0.1, 0.02]  # the last one first
    source = DATA.format(rows=1000, columns=4000) + INTERRUPTED.format(
        model=model, moments=moments, late=THREADS * PATIENCE, hung=HUNG
    )
    done = run(source)
    assert done.stdout == "interrupted and still alive\n", done.stderr
    assert done.stderr.rstrip().endswith("KeyboardInterrupt"), done.stderr
    assert "terminate" not in done.stderr
    assert done.returncode in (1, -2, 130), done.stderr


@pytest.mark.parametrize("moment", [0.05, 0.4])
def test_threads_that_fit_when_the_process_ends_do_no_harm(moment):
    source = DATA.format(rows=200, columns=2000) + DAEMON.format(moment=moment)
    done = run(source)
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
            started.wait(HUNG)
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
            while True:
                banditcd.lasso_path(X, X[:, 0] + rng.standard_normal(400), eps=1e-6, tol=1e-12)
        except KeyboardInterrupt:
            raised.append(True)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    flag.set()
    thread.join(HUNG)
    assert raised == [True]
    assert flag.is_set


@pytest.mark.parametrize("session", [solvers.ElasticNetSession, solvers.GroupSession])
def test_quick_calls_of_a_stopped_thread_stop_at_their_start(session):
    """A path of penalties of less than a twentieth of a second each went on to its end."""
    X = np.asfortranarray(np.random.default_rng(0).standard_normal((20, 3)))
    y = X[:, 0] if session is solvers.ElasticNetSession else X[:, :1]
    flag, raised = _core.StopFlag(), []

    def work():
        quick = session(X, y)
        quick.solve(0.1)
        _core.watch_flag(flag)
        quick.solve(0.1)  # nobody was told to stop
        flag.set()
        try:
            quick.solve(0.01)
        except KeyboardInterrupt:
            raised.append(True)
        _core.watch_flag(None)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(PATIENCE)
    assert raised == [True]
