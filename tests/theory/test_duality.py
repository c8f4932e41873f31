"""G = sum G_i = F + F_D, weak duality, and the recorder itself."""

import numpy as np
import pytest

from banditcd import minimize, selectors, theory


def test_gap_is_the_sum_of_its_parts_and_of_both_costs(problem):
    run = theory.record(problem, "uniform", steps=30)
    for x, gaps in zip(run.x, run.gaps, strict=True):
        identity = theory.gap_identity(run.problem, x)
        assert identity.error <= 1e-12
        assert identity.coordinatewise.min() >= 0.0
        np.testing.assert_array_equal(identity.coordinatewise, gaps)


def test_gap_bounds_the_suboptimality(problem, optimum):
    for selector in ("uniform", "max_r"):
        run = theory.record(problem, selector, steps=40)
        assert theory.weak_duality_excess(run, optimum.upper) <= 1e-14
        assert run.gap[0] > run.suboptimality(optimum.upper)[0] > 0.0


def test_optimum_is_certified(problem, optimum):
    scale = max(abs(optimum.upper), 1.0)
    assert -1e-14 * scale <= optimum.width <= 1e-12 * scale
    better = theory.record(problem, "max_r", steps=20, x0=optimum.x).objective
    assert better.min() >= optimum.lower - 1e-14 * scale


def test_recorded_run_is_the_engine_s_run(cost):
    problem = cost("ElasticNet")
    for selector in ("b_max_r", "shuffled", "ada_gap"):
        run = theory.record(problem, selector, steps=3 * problem.d, random_state=7)
        result = minimize(
            problem, selector, random_state=7, max_epochs=3, tol=1e-300, engine="reference"
        )
        np.testing.assert_array_equal(run.x[-1], result.x)
        moved = np.flatnonzero(np.any(np.diff(run.x, axis=0) != 0.0, axis=1))
        assert moved.size > problem.d
        for t in moved:
            assert np.flatnonzero(run.x[t + 1] != run.x[t]).tolist() == [run.indices[t]]


def test_recorder_hands_out_batches_one_by_one(cost):
    class Backwards:
        def start(self, problem, rng):
            self.d = problem.d

        def next(self, state):
            return np.arange(self.d)[::-1]

    problem = cost("Ridge")
    run = theory.record(problem, Backwards(), steps=problem.d + 2)
    expected = [*range(problem.d - 1, -1, -1), problem.d - 1, problem.d - 2]
    assert run.indices.tolist() == expected


def test_recorder_refuses_what_the_theory_is_not_about(cost):
    with pytest.raises(ValueError, match="accelerated"):
        theory.record(cost("Ridge"), selectors.Approx(), steps=5)
    with pytest.raises(ValueError, match="at least 1"):
        theory.record(cost("Ridge"), "max_r", steps=0)
