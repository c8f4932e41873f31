"""Laws of the smooth parts: gradients, curvature, conjugates."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from banditcd.problems.losses import LogisticLoss, QuadraticLoss, ThresholdedLoss

ROWS = 7
RNG = np.random.default_rng(0)
WEIGHT = RNG.uniform(0.2, 2.0, ROWS)
SIGNS = np.where(RNG.random(ROWS) < 0.5, -1.0, 1.0)
LOSSES = [
    QuadraticLoss(WEIGHT, RNG.normal(size=ROWS)),
    LogisticLoss(WEIGHT, SIGNS),
    ThresholdedLoss(WEIGHT, RNG.uniform(0.1, 1.0, ROWS)),
]
POINTS = [np.zeros(ROWS), RNG.normal(size=ROWS), 5.0 * RNG.normal(size=ROWS)]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
each_point = pytest.mark.parametrize("v", POINTS, ids=["zero", "near", "far"])


@each_loss
@each_point
def test_gradient_is_the_finite_difference_of_the_value(loss, v):
    step = 1e-6
    for j in range(ROWS):
        e = np.zeros(ROWS)
        e[j] = step
        slope = (loss.value(v + e) - loss.value(v - e)) / (2.0 * step)
        assert loss.gradient(v)[j] == pytest.approx(slope, abs=1e-7)


@each_loss
@each_point
def test_second_is_the_finite_difference_of_the_gradient_and_below_its_bound(loss, v):
    step = 1e-6
    slope = (loss.gradient(v + step) - loss.gradient(v - step)) / (2.0 * step)
    np.testing.assert_allclose(loss.second(v), slope, atol=1e-8)
    assert np.all(loss.second(v) <= loss.bound * (1.0 + 1e-12))
    assert 1.0 / loss.beta == pytest.approx(np.max(loss.bound))


@each_loss
def test_the_conjugate_is_the_supremum(loss):
    # A separable f has a separable conjugate: every row is a search of its own.
    w = loss.gradient(np.linspace(-2.0, 2.0, ROWS))
    total = 0.0
    for j in range(ROWS):
        row = loss.part(np.array([j]))
        found = minimize_scalar(
            lambda z, row=row, j=j: row.value(np.array([z])) - w[j] * z,
            bounds=(-60.0, 60.0),
            method="bounded",
            options={"xatol": 1e-12},
        )
        total -= found.fun
    assert loss.conjugate(w) == pytest.approx(total, rel=1e-7)


@each_loss
@each_point
def test_fenchel_young_holds_with_equality_at_the_gradient(loss, v):
    w = loss.gradient(v)
    assert loss.value(v) + loss.conjugate(w) == pytest.approx(float(v @ w), abs=1e-12)
    for other in POINTS:
        assert loss.value(other) + loss.conjugate(w) >= float(other @ w) - 1e-12


@each_loss
def test_a_part_is_the_loss_of_its_rows(loss):
    v, rows = POINTS[1], np.array([1, 4, 5])
    np.testing.assert_array_equal(loss.part(rows).gradient(v[rows]), loss.gradient(v)[rows])
    np.testing.assert_array_equal(loss.part(rows).second(v[rows]), loss.second(v)[rows])


def test_logistic_loss_does_not_overflow():
    loss = LogisticLoss(np.ones(2), np.array([1.0, -1.0]))
    v = np.array([-1e4, -1e4])
    assert loss.value(v) == pytest.approx(1e4)
    np.testing.assert_allclose(loss.gradient(v), [-1.0, 0.0])


def test_the_conjugate_is_infinite_outside_its_domain():
    logistic = LogisticLoss(np.array([1.0, 0.0]), np.ones(2))
    assert logistic.conjugate(np.array([0.5, 0.0])) == np.inf  # p < 0
    assert logistic.conjugate(np.array([-1.5, 0.0])) == np.inf  # p > 1
    assert logistic.conjugate(np.array([-0.5, 0.1])) == np.inf  # an absent row
    assert np.isfinite(logistic.conjugate(np.array([-0.5, 0.0])))
    quadratic = QuadraticLoss(np.array([1.0, 0.0]), np.ones(2))
    assert quadratic.conjugate(np.array([0.5, 0.1])) == np.inf
    assert np.isfinite(quadratic.conjugate(np.array([0.5, 0.0])))
