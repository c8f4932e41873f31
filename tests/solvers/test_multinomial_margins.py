"""Rows that are wrong by more than the logarithm of the least float64 keep their part of a gap."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import MultinomialSession


@pytest.mark.parametrize("margin", [3e2, 1e3, 5e3])
@pytest.mark.parametrize("l1", [1e-4, 1e-3])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_margin_beyond_the_least_probability_stays_in_the_gap(margin, l1, classes):
    X, y = np.array([[1.0], [-1.0], [1.0]]), np.array([0.0, 1.0, 1.0])
    weight = np.array([1e3, 1e3, 1e-2])
    session = MultinomialSession(X, y, classes, sample_weight=weight)
    best = session.solve(l1, tol=1e-12)
    session.start_at(np.array([[margin], [-margin], [0.0]])[:classes], np.zeros(classes))
    start = session.solve(l1, tol=1e-12, max_iter=0)
    assert start.primal > 10.0 * best.primal
    assert start.primal - start.gap <= best.primal


def test_coefficients_stay_inside_their_bounds():
    rng = np.random.default_rng(0)
    for _ in range(300):
        X = np.asfortranarray(rng.standard_normal((30, 3)))
        y = np.arange(30.0) % 4
        lower, upper = -(10.0 ** rng.uniform(-3, 0, 3)), 10.0 ** rng.uniform(-3, 0, 3)
        session = MultinomialSession(X, y, 4, lower=lower, upper=upper)
        coef = session.solve(1e-6, tol=1e-3, max_iter=2).coef
        assert (coef >= lower).all()
        assert (coef <= upper).all()
