"""What float64 cannot hold is refused, or leaves a gap: it never certifies."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import (
    ElasticNetSession,
    GroupSession,
    L1SvmSession,
    LogisticSession,
    MultinomialSession,
)

RNG = np.random.default_rng(0)
X = np.asfortranarray(RNG.standard_normal((60, 6)))
Y = X @ RNG.standard_normal(6) + RNG.standard_normal(60)
SIGNS = np.where(Y > 0.0, 1.0, -1.0)
CLASSES = (SIGNS + 1.0) / 2.0


@pytest.mark.parametrize("l1", [0.0, 1e-3])
@pytest.mark.parametrize("l2", [1e-306, 1e-310, 5e-324])
def test_an_l2_part_whose_inverse_overflows_certifies_nothing_that_is_not_so(
    l1: float, l2: float
) -> None:
    """The conjugate was inf - inf, which passed for a gap of zero at zero coefficients."""
    for make in (
        lambda: ElasticNetSession(X, Y),
        lambda: GroupSession(X, Y),
        lambda: LogisticSession(X, SIGNS),
        lambda: L1SvmSession(X, SIGNS),
        lambda: GroupSession(X, SIGNS, logistic=True),
        lambda: MultinomialSession(X, CLASSES, 2),
    ):
        result, best = make().solve(l1, l2), make().solve(l1, 0.0, tol=1e-10)
        assert not result.gap < (result.primal - best.primal) * (1.0 - 1e-6) - best.target
