"""A lower bound is one after every iteration, however far a solve is from its end."""

import numpy as np
import pytest

from banditcd import LogisticRegression
from banditcd.solvers import L2LogisticSession

REGIMES = ("dual_descent", "newton_cg", "newton", "row_space")


def random_problem(seed):
    """Return columns of any size, far from zero or not, labels of both kinds, weights or none."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(5, 300), rng.integers(1, 30)
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3)
    if rng.random() < 0.5:
        X += 10 ** rng.uniform(-2, 3) * rng.normal(size=d)
    spread = X[:, 0].std()
    y = np.where(X[:, 0] - X[:, 0].mean() + spread * rng.normal(size=n) > 0.0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    weight = None if rng.random() < 0.6 else 10 ** rng.uniform(-2, 2, size=n)
    return X, y, weight, 10 ** rng.uniform(-6, 3)


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("first", range(0, 80, 40))
def test_unfinished_solves_bound_the_optimum_from_below(regime, first):
    for seed in range(first, first + 40):
        X, y, weight, penalty = random_problem(seed)
        options = {"fit_intercept": True, "sample_weight": weight}
        best = L2LogisticSession(X, y, **options).solve(penalty, tol=1e-12)
        for max_iter in (1, 2, 5, 100):
            session = L2LogisticSession(X, y, **options)
            session.force_regime(regime)
            found = session.solve(penalty, tol=1e-6, max_iter=max_iter)
            assert found.primal - found.gap <= best.primal * (1.0 + 1e-9) + 1e-12 * found.primal


@pytest.mark.parametrize("seed", range(0, 40, 3))
def test_dual_descent_finds_the_intercept_of_few_columns(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 8))
    y = X[:, 0] + rng.normal(size=200) > rng.normal()
    model = LogisticRegression(solver="dual_descent", max_iter=1000).fit(X, y)
    assert model.certificate_.status == "converged"
