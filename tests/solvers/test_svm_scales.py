"""A free intercept of a support vector machine has no unit: X in another one is the same problem.

With X times 2^k and C over 4^k the coefficients are 2^-k times those of before. The curvature of
the intercept is a sum of C, and 1e-83 here at the largest k.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from banditcd.solvers import SvmSession, SvrSession

SHAPES = [(60, 8), (20, 40)]  # Newton's method on the primal, and in the space of the Gram matrix


def problem(shape: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(3)
    X = rng.standard_normal(shape)
    return X, X[:, :3].sum(axis=1) + rng.standard_normal(shape[0]) + 0.5


@pytest.mark.parametrize("k", [40, 140, -40])
@pytest.mark.parametrize("sparse_rows", [False, True])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("shape", SHAPES)
def test_classes_are_told_apart_alike_in_every_unit_of_X(shape, loss, sparse_rows, k) -> None:
    X, y = problem(shape)
    labels = np.where(y > 0.5, 1.0, -1.0)

    def solved(power: int):
        scaled = X * 2.0**power
        rows = sparse.csr_array(scaled) if sparse_rows else scaled
        session = SvmSession(rows, labels, loss=loss, intercept="free")
        return session.solve(4.0**-power, tol=1e-10, max_iter=1000)

    known, found = solved(0), solved(k)
    assert known.status == found.status == "converged"
    scale = np.abs(known.coef).max()
    np.testing.assert_allclose(found.coef * 2.0**k, known.coef, atol=1e-4 * scale)
    assert abs(found.intercept - known.intercept) <= 1e-4 * (1.0 + abs(known.intercept))


@pytest.mark.parametrize("k", [40, 140, -40])
@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
@pytest.mark.parametrize("shape", SHAPES)
def test_responses_are_fitted_alike_in_every_unit_of_X(shape, loss, k) -> None:
    X, y = problem(shape)

    def solved(power: int):
        session = SvrSession(X * 2.0**power, y, epsilon=0.1, loss=loss, intercept="free")
        return session.solve(4.0**-power, tol=1e-10, max_iter=1000)

    known, found = solved(0), solved(k)
    assert known.status == found.status == "converged"
    scale = np.abs(known.coef).max()
    np.testing.assert_allclose(found.coef * 2.0**k, known.coef, atol=1e-4 * scale)
