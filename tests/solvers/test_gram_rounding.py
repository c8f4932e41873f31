"""Where rounding ends a solve in Gram space, the point it left is the one that is certified."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import ElasticNetSession


@pytest.mark.parametrize("seed", range(0, 300, 3))
@pytest.mark.parametrize(("l1", "l2"), [(0.05, 0.0), (0.0, 0.2)])
def test_the_objective_is_that_of_the_coefficients(seed, l1, l2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((6, 8))
    y = X @ rng.standard_normal(8) + rng.standard_normal(6)
    session = ElasticNetSession(X, y, lower=np.full(8, -0.1), upper=np.full(8, 0.2))
    found = session.solve(l1, l2, tol=1e-13)
    size = l1 * np.abs(found.coef).sum() + 0.5 * l2 * found.coef @ found.coef
    objective = 0.5 * np.mean((y - X @ found.coef) ** 2) + size
    assert found.primal == pytest.approx(objective, rel=1e-12)
