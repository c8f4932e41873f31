"""A trace may list the steps it is recorded at."""

from typing import Any

import numpy as np
import pytest

from banditcd import minimize, problems


@pytest.fixture
def problem() -> problems.Lasso:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 6))
    return problems.Lasso(X, X[:, 0] + rng.standard_normal(20), alpha=0.05)


@pytest.mark.parametrize("steps", [[1, 2, 5, 11], (3,), range(2, 9, 3), np.array([4, 40])])
def test_rows_at_the_listed_steps_the_start_and_the_end(
    problem: problems.Lasso, steps: Any
) -> None:
    result = minimize(problem, "cyclic", tol=1e-14, max_epochs=2, trace=steps)
    expected = sorted({0, 12, *(int(k) for k in steps if k <= 12)})
    assert result.trace.step.tolist() == expected


@pytest.mark.parametrize("trace", [[2, 1], [1, 1], [1.5], [[1], [2]], 1.5, 0, True, "epochs"])
def test_anything_else_is_refused(problem: problems.Lasso, trace: Any) -> None:
    with pytest.raises(ValueError, match="trace"):
        minimize(problem, "cyclic", trace=trace)
