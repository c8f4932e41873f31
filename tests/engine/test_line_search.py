"""The search along a line, where rounding decides."""

import numpy as np
import pytest

from banditcd import minimize, problems
from banditcd.updates import Coordinate
from banditcd.updates.exact import line_minimizer


def coordinate(line, x=0.0):
    """Return one free coordinate of curvature 1 whose derivatives are those of ``line``."""
    return Coordinate(problems.Ridge(np.eye(1), np.ones(1), alpha=0.0), 0, x, 0.0, 1.0, 0.0, line)


@pytest.mark.parametrize("noise", [3e-15, 1e-12])
def test_a_slope_that_rounding_sends_to_and_fro_ends_the_search(noise):
    """Newton steps from either side of the minimum land on the other side's last point."""
    seen = []

    def line(t):
        seen.append(t)
        return (noise if t >= 1.0 else t - 1.0 if t < 0.5 else -noise), 1.0

    assert line_minimizer(coordinate(line)) == pytest.approx(1.0, abs=2.0 * noise)
    assert len(seen) < 30


@pytest.mark.parametrize("name", ["LogisticL1", "ElasticNetDual", "LogisticElasticNet"])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_no_search_of_a_run_is_long(name, engine):
    """Down to the last digits at most what bisection alone would need; 200 end a search."""
    rng = np.random.default_rng(7)
    X = rng.standard_normal((50, 30)) + 0.2
    y = X[:, :4] @ np.array([2.0, -1.0, 1.0, 3.0])
    labels = np.where(y > np.median(y), 1.0, -1.0)
    problem = problems.make(name, X, labels if "Logistic" in name else y, alpha=0.002)
    result = minimize(problem, "cyclic", "exact", max_epochs=40, tol=1e-300, engine=engine, trace=1)
    evaluations = 2.0 * problem.d * np.diff(result.trace.work)
    assert len(evaluations) > 10 * problem.d
    assert evaluations.max() <= 100
