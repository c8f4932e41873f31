"""Why a run ends, and that it ends in time with its state intact."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from banditcd import minimize, problems
from banditcd.engine.clock import cpu_time
from banditcd.results import Result, Status
from tests.deadlines import HUNG, deadline
from tests.instances import ACCELERATED, INSTANCES, SELECTORS

BY_NAME = {instance.name: instance for instance in INSTANCES}
LASSO = BY_NAME["lasso"].problem


def hard(n=400, d=400):
    """A problem that keeps every method busy for minutes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 1)) + 1e-3 * rng.normal(size=(n, d))
    return problems.Ridge(X, rng.normal(size=n), alpha=1e-9)


def test_converged():
    result = minimize(LASSO, tol=1e-6, random_state=0)
    assert result.status is Status.CONVERGED
    assert result.converged
    assert result.gap <= result.tolerance == 1e-6 * LASSO.null_objective()
    assert result.trace.gap[-1] == result.gap
    assert np.all(result.trace.gap[:-1] > result.tolerance)


@pytest.mark.parametrize("epochs", [0, 0.4, 1, 2.5])
def test_max_epochs(epochs):
    result = minimize(LASSO, "cyclic", tol=1e-15, max_epochs=epochs)
    assert result.status is Status.MAX_EPOCHS
    assert result.steps == int(np.ceil(epochs * 7))  # one of the eight columns is empty
    assert result.epochs == result.steps / 7
    assert result.trace.step[-1] == result.steps


@pytest.mark.parametrize("selector", ["uniform", "b_max_r", "max_r", "approx", "nuacdm"])
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_max_seconds(selector, engine):
    """On the clock of the processor, which does not run while other work has it."""
    problem = hard(60, 60)
    with cpu_time():
        result = minimize(
            problem, selector, tol=1e-15, max_epochs=1e9, max_seconds=0.1, engine=engine, trace=None
        )
    assert result.status is Status.MAX_SECONDS
    assert 0.1 <= result.seconds < 0.5
    none = minimize(problem, selector, tol=1e-15, max_seconds=0, engine=engine)
    assert none.status is Status.MAX_SECONDS
    assert none.steps == 0


def test_stopped_by_a_callback():
    seen = []

    def callback(progress):
        seen.append(progress)
        return progress.row.step >= 14

    result = minimize(LASSO, "cyclic", tol=1e-15, callback=callback)
    assert result.status is Status.STOPPED
    assert result.steps == 14
    assert [p.row.step for p in seen] == [0, 7, 14]
    assert all(p.problem is LASSO for p in seen)
    assert seen[0].target == result.tolerance
    np.testing.assert_array_equal(seen[-1].x, result.x)
    assert not seen[0].x.any()  # each progress keeps its own point
    assert seen[-1].row == result.trace.rows[-1]
    assert minimize(LASSO, tol=1e-6, callback=lambda _: True).steps == 0
    assert minimize(LASSO, tol=1e-6, callback=lambda _: None, random_state=0).converged


def test_convergence_wins_over_the_callback():
    result = minimize(problems.Lasso(np.eye(2), np.zeros(2), 0.1), callback=lambda _: True)
    assert result.status is Status.CONVERGED


def test_errors_of_a_callback_come_through():
    def callback(progress):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        minimize(LASSO, callback=callback)


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_stalled(engine):
    """The gap cannot be 1e-300: everything stops moving before."""
    problem = problems.Lasso(np.array([[3.0], [1.0]]), [1.0, 0.3], alpha=0.1)
    result = minimize(problem, "cyclic", tol=1e-300, max_epochs=10000, engine=engine)
    if result.status is Status.CONVERGED:
        assert result.gap == 0.0
    else:
        assert result.status is Status.STALLED
        assert result.epochs < 100


def test_an_unreachable_tolerance_ends_as_a_stall_that_says_so():
    result = minimize(LASSO, "cyclic", tol=1e-30, max_epochs=20000)
    assert result.status == "stalled", result
    assert 0.0 <= result.gap <= 1e-12 * LASSO.null_objective()
    assert "as exact as floating point" in str(result)


def test_every_status_has_a_sentence_and_results_print():
    for status in Status:
        assert status.sentence.endswith(".")
        assert str(status) == status.value
    text = str(minimize(LASSO, "cyclic", max_epochs=1, tol=1e-15))
    assert text.startswith("max_epochs: max_epochs was reached first")
    assert "[cyclic, exact, compiled]" in text


@pytest.mark.parametrize("selector", ["uniform", "b_max_r", "max_r", "approx", "python"])
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_an_interrupt_stops_the_run_soon_with_its_state_intact(selector, engine):
    class Python:
        def start(self, problem, rng):
            self.d, self.rng = problem.d, rng

        def next(self, state):
            return self.rng.integer(self.d)

    problem = hard()
    part = Python() if selector == "python" else selector
    when = []

    def interrupt():
        when.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.2, interrupt)

    def start_timer(progress):
        if progress.row.step > 0 and timer.ident is None:
            timer.start()

    result = minimize(
        problem, part, tol=1e-15, max_epochs=1e9, engine=engine, random_state=0,
        callback=start_timer,
    )  # fmt: skip
    late = time.process_time() - when[0]
    timer.join()
    assert result.status is Status.INTERRUPTED
    assert late < deadline(1.0)  # 0.2 s on a quiet machine
    assert_intact(problem, result)


def assert_intact(problem, result: Result):
    assert np.isfinite(result.x).all()
    assert result.steps > 0
    assert result.objective == pytest.approx(problem.objective(result.x), rel=1e-12)
    assert result.objective < problem.objective(problem.start())
    assert len(result.trace) >= 1


def test_a_real_ctrl_c_in_another_process():
    script = textwrap.dedent("""
        import sys, time
        import numpy as np
        from banditcd import minimize, problems
        rng = np.random.default_rng(0)
        X = rng.normal(size=(400, 1)) + 1e-3 * rng.normal(size=(400, 400))
        problem = problems.Ridge(X, rng.normal(size=400), alpha=1e-9)
        def callback(progress):
            if progress.row.step == 400:
                sys.stdout.write("ready\\n"); sys.stdout.flush()
        result = minimize(problem, "uniform", tol=1e-15, max_epochs=1e9, callback=callback)
        ok = bool(abs(result.objective - problem.objective(result.x)) <= 1e-12)
        sys.stdout.write(f"{result.status} {ok} {result.steps > 0}\\n")
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        answer = process.stdout.readline()
        process.wait(timeout=HUNG)
    finally:
        process.kill()
        process.stdout.close()
    assert answer == "interrupted True True\n"
    assert process.returncode == 0


@pytest.mark.parametrize("selector", ["uniform", "max_r", "approx"])
def test_the_gil_is_released(selector):
    """Another Python thread goes on while native code runs; on a busy machine, at some time.

    Native slices are 0.05 s long: with the GIL held there would be about ten ticks.
    """
    assert any(ticks_during(selector) > 40 for _ in range(20))


def ticks_during(selector) -> int:
    """Return how often another thread has its turn during a run of half a second."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.perf_counter()
    result = minimize(hard(), selector, tol=1e-15, max_epochs=1e9, max_seconds=0.5, trace=None)
    ended = time.perf_counter()
    done.set()
    thread.join()
    assert result.status is Status.MAX_SECONDS
    return sum(began < t < ended for t in ticks)


def test_runs_in_two_threads_do_not_disturb_each_other():
    expected = minimize(LASSO, "b_max_r", tol=1e-9, random_state=1).x
    found = {}

    def work(k):
        for _ in range(5):
            found[k] = minimize(LASSO, "b_max_r", tol=1e-9, random_state=1).x

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x in found.values():
        np.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize("name", [*SELECTORS, *ACCELERATED])
def test_the_result_says_what_ran(name):
    part = {**SELECTORS, **ACCELERATED}[name]
    ridge = BY_NAME["ridge"].problem
    for engine in ("compiled", "reference"):
        result = minimize(ridge, part, max_epochs=1, random_state=0, engine=engine)
        assert (result.selector, result.engine) == (part.name, engine)
        assert result.update == ("accelerated" if name in ACCELERATED else "exact")
        assert result.coef is not None
        assert result.primal_objective == result.objective
        assert result.seconds > 0.0


@pytest.mark.parametrize("selector", ["uniform", "importance", "acf"])
def test_random_choices_that_miss_a_moving_coordinate_are_not_a_stall(selector):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 12))
    y = X[:, :3] @ [1, 2, -1] + 0.1 * rng.standard_normal(40)
    problem = problems.Lasso(X, y, alpha=0.1)
    for seed in range(30):
        result = minimize(problem, selector, tol=1e-10, max_epochs=3000, random_state=seed)
        assert result.status == "converged", result


@pytest.mark.parametrize("size", [1e8, 1e10, 1e12])
def test_a_far_start_is_forgotten_because_the_gradient_is_rebuilt(size):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 12))
    y = X[:, :3] @ [1, 2, -1] + 0.1 * rng.standard_normal(40)
    result = minimize(
        problems.Lasso(X, y, alpha=0.1), "shuffled", x0=np.full(12, size), tol=1e-8, random_state=0
    )
    assert result.converged, result
