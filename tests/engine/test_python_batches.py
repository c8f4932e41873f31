"""Selectors of the user that hear of a batch at once."""

import numpy as np
import pytest

from banditcd import minimize, problems
from banditcd.engine.clock import cpu_time
from tests.engine.test_python_parts import Recording
from tests.instances import INSTANCES

BY_NAME = {instance.name: instance for instance in INSTANCES}

LASSO = BY_NAME["lasso"].problem
WIDE = problems.Ridge(np.random.default_rng(5).standard_normal((4, 5000)), np.ones(4), alpha=0.1)

both_engines = pytest.mark.parametrize("engine", ["compiled", "reference"])


class Heard(Recording):
    """Hears whole batches."""

    def start(self, problem, rng):
        super().start(problem, rng)
        self.batches = []

    observe = None

    def observe_batch(self, indices, decreases, r_after):
        self.batches.append((indices, decreases, r_after))


@both_engines
def test_a_batch_is_heard_at_once(engine):
    answers = [[3, 1, 3], 0, [6, 5, 4, 2]]
    mine, single = Heard(answers), Recording([3, 1, 3, 0, 6, 5, 4, 2])
    for selector in (mine, single):
        minimize(LASSO, selector, max_epochs=8 / 7, tol=1e-15, engine=engine, trace=100)
    assert [indices.tolist() for indices, *_ in mine.batches] == [[3, 1, 3], [0], [6, 5, 4, 2]]
    flat = [np.concatenate(part).tolist() for part in zip(*mine.batches, strict=True)]
    assert list(zip(*flat, strict=True)) == single.heard
    assert all(part.ndim == 1 for batch in mine.batches for part in batch)


@both_engines
def test_a_selector_with_both_hears_single_steps_singly(engine):
    class Both(Recording):
        def observe_batch(self, indices, decreases, r_after):
            self.heard.append(("batch", len(indices), float(decreases.sum())))

    mine = Both([2, [0, 5]])
    minimize(LASSO, mine, max_epochs=3 / 7, tol=1e-15, engine=engine, trace=100)
    assert [heard[0] for heard in mine.heard] == [2, "batch"]
    assert mine.heard[1][1] == 2


def test_learning_by_batches_costs_little():
    """0.06 microseconds a step is what benchmarks/steps.py measures; here, far below observe."""
    times = {}
    for name, parts in (("batch", ("observe_batch",)), ("single", ("observe",))):

        class Passes:
            def start(self, problem, rng):
                self.order = np.arange(problem.d, dtype=np.int32)
                self.gain = np.zeros(problem.d)

            def next(self, state):
                return self.order

        def observe(self, i, decrease, r_after):
            self.gain[i] = decrease

        for part in parts:
            setattr(Passes, part, observe)  # the same line learns from a step and from a batch
        with cpu_time():  # the method's own time, without the certificates
            runs = [
                minimize(WIDE, Passes(), "exact", max_epochs=20, tol=1e-300, trace=None)
                for _ in range(3)
            ]
        times[name] = min(run.seconds for run in runs)
    assert times["batch"] < 0.5 * times["single"]
