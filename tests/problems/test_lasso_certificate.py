"""The certificate of the Lasso: never NaN, and the best rescaled dual point."""

import numpy as np
import pytest

from banditcd import minimize, problems


@pytest.mark.parametrize("seed", range(5))
def test_gaps_are_numbers_at_every_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 8))
    y = X[:, 0] + rng.standard_normal(30)
    for problem in (
        problems.Lasso(X, y, alpha=0.05),
        problems.LogisticL1(X, np.sign(y), alpha=0.02),
    ):
        trace = minimize(problem, "shuffled", max_epochs=30, trace="step", random_state=seed).trace
        assert np.all(np.isfinite(trace.gap))
        assert np.all(trace.gap >= 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_no_rescaling_gives_a_better_dual_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, x = rng.standard_normal((15, 25)), 0.1 * rng.standard_normal(25)
    y = X @ x + rng.standard_normal(15)
    problem = problems.Lasso(X, y, alpha=0.1)
    w = (X @ x - y) / 15  # the gradient of f at Xx
    largest = 0.1 / np.abs(X.T @ w).max()
    scales = np.linspace(0.0, largest, 2001)
    values = [-(15 * s * s * (w @ w) / 2 + s * (w @ y)) for s in scales]
    dual = problem.certificate(x).dual
    assert dual >= max(values) - 1e-12
    assert dual == pytest.approx(max(values), rel=1e-5)
