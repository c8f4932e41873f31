"""Selectors and update rules that a user writes in plain Python."""

import time

import numpy as np
import pytest

from banditcd import minimize, problems, selectors, updates
from tests.deadlines import deadline
from tests.instances import INSTANCES, RULES, rules_for

BY_NAME = {instance.name: instance for instance in INSTANCES}
LASSO = BY_NAME["lasso"].problem
WIDE = problems.Ridge(np.random.default_rng(5).standard_normal((4, 5000)), np.ones(4), alpha=0.1)
both_engines = pytest.mark.parametrize("engine", ["compiled", "reference"])


class Lazy:
    """The example of the documentation: forget coordinates that no longer pay."""

    def __init__(self, patience=3):
        self.patience = patience

    def start(self, problem, rng):
        self.d, self.rng = problem.d, rng
        self.idle = np.zeros(problem.d, dtype=int)
        self.queue = []

    def next(self, state):
        if not self.queue:
            awake = np.flatnonzero(self.idle < self.patience).astype(np.int32)
            if len(awake) < self.d / 10:
                self.idle[:] = 0  # look at everybody again
                awake = np.arange(self.d, dtype=np.int32)
            self.rng.shuffle(awake)
            self.queue = awake.tolist()
        return self.queue.pop()

    def observe(self, i, decrease, r_after):
        self.idle[i] = self.idle[i] + 1 if decrease <= 0.0 else 0


class Recording:
    """Plays given answers and writes down what it hears."""

    def __init__(self, answers):
        self.answers = answers

    def start(self, problem, rng):
        self.problem, self.rng, self.heard, self.seen = problem, rng, [], []
        self.rest = iter(self.answers)

    def next(self, state):
        self.seen.append((state.step, state.epoch, state.x.copy(), state.last_move))
        return next(self.rest)

    def observe(self, i, decrease, r_after):
        self.heard.append((i, decrease, r_after))


@both_engines
@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_selector_of_the_user_works_with_every_cost_and_rule(instance, engine):
    for rule in rules_for(instance):
        tol = 1e-6 if engine == "compiled" else 0.1
        result = minimize(
            instance.problem, Lazy(), RULES[rule], tol=tol, random_state=0, engine=engine,
            max_epochs=3000 if engine == "compiled" else 30, trace=None,
        )  # fmt: skip
        assert result.converged, (rule, result)
        assert result.selector == "Lazy"
        scale = instance.problem.null_objective()
        assert result.objective - instance.optimum <= 1.01 * tol * scale


def test_the_example_is_short():
    import inspect

    lines = [line for line in inspect.getsource(Lazy).splitlines() if line.strip()]
    assert len(lines) <= 25


@both_engines
def test_what_a_selector_sees_and_hears(engine):
    mine = Recording([2, 0, 5, 2])
    minimize(LASSO, mine, max_epochs=4 / 7, tol=1e-15, engine=engine)
    assert [step for step, *_ in mine.seen] == [0, 1, 2, 3]
    assert [epoch for _, epoch, *_ in mine.seen] == [k / 7 for k in range(4)]
    assert [i for i, *_ in mine.heard] == [2, 0, 5, 2]
    problem = mine.problem
    assert problem.d == 7  # the empty column is not among the choices
    for (_, _, x, _), (_, _, after, move), (i, decrease, r_after) in zip(
        mine.seen, mine.seen[1:], mine.heard, strict=False
    ):
        assert move == pytest.approx(after[i] - x[i])
        assert decrease == pytest.approx(problem.objective(x) - problem.objective(after), abs=1e-14)
        assert r_after == 0.0  # exact minimization leaves nothing


@both_engines
@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda b: np.array(b, dtype=np.int32),
                                  lambda b: np.array(b, dtype=np.uint8)])  # fmt: skip
def test_batches_are_updated_in_order_and_heard_one_by_one(engine, kind):
    batches = [[3, 1, 3], [0], [6, 5, 4, 2]]
    mine = Recording([kind(b) for b in batches])
    result = minimize(LASSO, mine, max_epochs=8 / 7, tol=1e-15, engine=engine, trace=100)
    single = Recording([3, 1, 3, 0, 6, 5, 4, 2])
    expected = minimize(LASSO, single, max_epochs=8 / 7, tol=1e-15, engine=engine, trace=100)
    np.testing.assert_array_equal(result.x, expected.x)
    assert mine.heard == single.heard
    assert result.steps == 8
    assert result.work == expected.work
    assert [step for step, *_ in mine.seen] == [0, 3, 4]


@both_engines
def test_numpy_integers_are_indices_too(engine):
    result = minimize(LASSO, Recording([np.int64(1), np.int32(2), np.array(3)]), max_epochs=3 / 7,
                      tol=1e-15, engine=engine)  # fmt: skip
    assert result.steps == 3


@both_engines
@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (-1, IndexError, r"Recording.next returned an index outside 0..6"),
        (7, IndexError, r"Recording.next returned an index outside 0..6"),
        ([0, 7], IndexError, r"Recording.next returned an index outside 0..6"),
        (np.array([-1]), IndexError, r"outside 0..6"),
        ([], ValueError, r"Recording.next returned no index; it must return at least one"),
        (1.0, TypeError, r"Recording.next returned 1.0; it must return an index or"),
        (None, TypeError, r"it must return an index or a one-dimensional array of indices"),
        ("1", TypeError, r"it must return an index or a one-dimensional array of indices"),
        (True, TypeError, r"it must return an index or a one-dimensional array of indices"),
        ([[0, 1]], TypeError, r"it must return an index or a one-dimensional array of indices"),
        ([0.5], TypeError, r"it must return an index or a one-dimensional array of indices"),
    ],
)
def test_bad_answers_get_a_sentence(engine, answer, error, sentence):
    with pytest.raises(error, match=sentence):
        minimize(LASSO, Recording([answer]), engine=engine)


@both_engines
def test_errors_of_a_selector_come_through(engine):
    class Broken:
        def start(self, problem, rng):
            pass

        def next(self, state):
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        minimize(LASSO, Broken(), engine=engine)


@both_engines
def test_a_selector_cannot_write_to_x(engine):
    class Writing(Recording):
        def next(self, state):
            state.x[0] = 1.0
            return 0

    with pytest.raises(ValueError, match="read-only"):
        minimize(LASSO, Writing([]), engine=engine)


def test_what_is_not_a_selector_is_refused():
    with pytest.raises(TypeError, match=r"has no start and no next; a selector needs"):
        minimize(LASSO, object())
    with pytest.raises(TypeError, match=r"pass an object: Uniform\(\)"):
        minimize(LASSO, selectors.Uniform)
    with pytest.raises(TypeError, match=r"pass an object: Approx\(\)"):
        minimize(LASSO, selectors.Approx)


def test_the_overhead_of_a_python_selector_is_microseconds():
    """A step takes ten times a call in plain Python; at a hundred, too much happens in each."""

    class Next:
        def start(self, problem, rng):
            self.d, self.i = problem.d, -1

        def next(self, state):
            self.i = (self.i + 1) % self.d
            return self.i

    steps, rule = 20000, Next()
    rule.start(LASSO, None)

    def plain():
        for _ in range(steps):
            rule.next(None)

    def engine():
        minimize(LASSO, Next(), max_epochs=steps / 7, tol=1e-300, trace=steps)

    def spent(work):
        began = time.process_time()
        work()
        return time.process_time() - began

    times = [(spent(engine), spent(plain)) for _ in range(5)]
    ours, calls = map(min, zip(*times, strict=True))
    assert ours < deadline(100.0) * calls


class HalfStep:
    """A user's rule: half the way of the proximal step, so not in the class H."""

    name = "half"

    def target(self, at):
        return 0.5 * (at.x + float(at.problem.penalty.prox(at.x, at.u, at.h, at.i)))


class LineSearch:
    """A user's rule that uses line(): two steps of the secant kind, kept if they improve."""

    name = "line"

    def target(self, at):
        g = at.problem.penalty
        z = float(g.prox(at.x, at.u, at.h, at.i))
        slope, bend = at.line(z - at.x)
        assert 0.0 <= bend <= at.h * (1.0 + 1e-12)
        assert -at.line(0.0)[0] == pytest.approx(at.u, abs=1e-12)
        return float(g.prox(z, -slope, at.h, at.i))


@both_engines
@pytest.mark.parametrize("rule", [HalfStep(), LineSearch()], ids=lambda r: r.name)
@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_rule_of_the_user_works_with_every_cost(instance, rule, engine):
    for selector in ("shuffled", Lazy()):
        result = minimize(
            instance.problem, selector, rule, tol=0.02, random_state=0, engine=engine, trace=None,
            max_epochs=300,
        )  # fmt: skip
        assert result.converged
        assert result.update == rule.name


def test_a_rule_of_the_user_agrees_in_both_engines():
    for selector in ("b_max_r", "acf", "ascd"):
        runs = [
            minimize(LASSO, selector, HalfStep(), max_epochs=3, tol=1e-15, random_state=0,
                     engine=engine)
            for engine in ("compiled", "reference")
        ]  # fmt: skip
        np.testing.assert_allclose(runs[0].x, runs[1].x, atol=1e-10)
        assert runs[0].work == pytest.approx(runs[1].work)


@both_engines
@pytest.mark.parametrize("value", [np.nan, 5.0, -0.1, np.inf])
def test_a_rule_that_leaves_the_domain_gets_a_sentence(engine, value):
    class Bad:
        def target(self, at):
            return value

    with pytest.raises(ValueError, match=r"Bad.target returned .* it must be a number in \[0, 1\]"):
        minimize(BY_NAME["hinge-dual"].problem, "cyclic", Bad(), engine=engine)


def test_what_is_not_a_rule_is_refused():
    with pytest.raises(TypeError, match="use a name or an object with target"):
        minimize(LASSO, "cyclic", object())
    with pytest.raises(TypeError, match=r"pass an object: Exact\(\)"):
        minimize(LASSO, "cyclic", updates.Exact)
    with pytest.raises(ValueError, match="approx has its own updates"):
        minimize(LASSO, "approx", "exact")
