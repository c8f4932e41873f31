"""Laws of the separable parts: conjugates, maximizers, gaps, proximal steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from banditcd.problems.penalties import L1L2, BoxQuadratic, Entropy


def one(*values):
    return [np.array([float(v)]) for v in values]


INF = np.inf
PENALTIES = {
    "lasso": L1L2(*one(0.5, 0.0, -INF, INF)).boxed(np.array([3.0])),
    "lasso-bounds": L1L2(*one(0.5, 0.0, -1.0, 2.0)),
    "elastic-net": L1L2(*one(0.5, 0.7, -INF, INF)),
    "elastic-net-bounds": L1L2(*one(0.5, 0.7, -0.5, 1.0)),
    "elastic-net-nonnegative": L1L2(*one(0.5, 0.7, 0.0, INF)),
    "ridge": L1L2(*one(0.0, 0.7, -INF, INF)),
    "box-only": L1L2(*one(0.0, 0.0, -1.0, 2.0)),
    "excluded": L1L2(*one(0.0, 0.0, 0.0, 0.0)),
    "ridge-dual": BoxQuadratic(*one(0.3, 0.4, -INF, INF)),
    "hinge-dual": BoxQuadratic(*one(0.0, 0.4, 0.0, 1.0)),
    "squared-hinge-dual": BoxQuadratic(*one(0.3, 0.4, 0.0, INF)),
    "parabola-in-a-box": BoxQuadratic(*one(0.3, 0.4, -1.0, 1.0)),
    "logistic-dual": Entropy(*one(0.25)),
}
each_penalty = pytest.mark.parametrize("name", PENALTIES)
slopes = st.one_of(st.sampled_from([0.0, 0.5, -0.5, -0.4]), st.floats(-3.0, 3.0))
places = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.floats(0.0, 1.0))
hypothesis_settings = settings(deadline=None, derandomize=True, max_examples=40)


def domain(penalty, wide=30.0):
    return max(float(penalty.lower[0]), -wide), min(float(penalty.upper[0]), wide)


def point(penalty, share):
    low, high = domain(penalty, 3.0)
    return np.array([low + share * (high - low)])


def smallest(function, low, high):
    """The smallest value of a convex function on an interval, by search and at the kinks."""
    found = minimize_scalar(function, bounds=(low, high), options={"xatol": 1e-13})
    candidates = [float(found.x), low, high, *([0.0] if low <= 0.0 <= high else [])]
    best = min(candidates, key=function)
    return best, function(best)


@each_penalty
@hypothesis_settings
@given(u=slopes)
def test_the_conjugate_is_the_supremum(name, u):
    penalty = PENALTIES[name]
    _, value = smallest(lambda z: float(penalty.value(np.array([z]))[0]) - u * z, *domain(penalty))
    assert float(penalty.conjugate(np.array([u]))[0]) == pytest.approx(-value, abs=1e-9)


@each_penalty
@hypothesis_settings
@given(u=slopes, share=places)
def test_the_gap_is_fenchel_young_and_never_negative(name, u, share):
    penalty, u = PENALTIES[name], np.array([u])
    x = point(penalty, share)
    plain = penalty.value(x) + penalty.conjugate(u) - x * u
    gap = penalty.gap(x, u)
    assert gap[0] >= 0.0
    np.testing.assert_allclose(gap, plain, atol=1e-12)


@each_penalty
@hypothesis_settings
@given(u=slopes, share=places)
def test_the_maximizer_attains_the_conjugate_and_is_the_nearest_to_do_so(name, u, share):
    penalty, u = PENALTIES[name], np.array([u])
    x = point(penalty, share)
    z = penalty.maximizer(x, u)
    np.testing.assert_allclose(u * z - penalty.value(z), penalty.conjugate(u), atol=1e-12)
    np.testing.assert_array_equal(penalty.kappa(x, u), z - x)
    for closer in x + np.array([0.0, 0.25, 0.5, 0.75, 0.9]) * (z - x):  # strictly between
        if abs(closer - x[0]) < abs(z[0] - x[0]) - 1e-9:
            value = u[0] * closer - float(penalty.value(np.array([closer]))[0])
            assert value < penalty.conjugate(u)[0]


@each_penalty
@hypothesis_settings
@given(u=slopes, share=places, h=st.sampled_from([0.01, 0.3, 1.0, 50.0]))
def test_the_proximal_step_minimizes_its_own_objective(name, u, share, h):
    penalty = PENALTIES[name]
    x = float(point(penalty, share)[0])

    def model(z):
        move = z - x
        return -u * move + 0.5 * h * move * move + float(penalty.value(np.array([z]))[0])

    z = float(penalty.prox(np.array([x]), np.array([u]), np.array([h]))[0])
    wide = 500.0 if name != "logistic-dual" else 1.0
    _, best = smallest(model, *domain(penalty, wide))
    assert penalty.lower[0] <= z <= penalty.upper[0]
    assert model(z) <= best + 1e-10 * max(1.0, abs(best))


@each_penalty
@hypothesis_settings
@given(u=slopes, share=places)
def test_the_violation_is_the_distance_to_the_subdifferential(name, u, share):
    penalty, u = PENALTIES[name], np.array([u])
    x = point(penalty, share)
    low, high = penalty.subdifferential(x)
    assert low[0] <= high[0]
    violation = float(penalty.violation(x, u)[0])
    if violation == 0.0:  # optimal along i: the gap is zero and a proximal step stays
        np.testing.assert_allclose(penalty.gap(x, u), 0.0, atol=1e-12)
        np.testing.assert_allclose(penalty.prox(x, u, np.ones(1)), x, atol=1e-12)
    else:
        assert low[0] - u[0] == violation or u[0] - high[0] == violation


@each_penalty
def test_the_minimizer_is_the_maximizer_of_the_conjugate_at_zero(name):
    penalty = PENALTIES[name]
    _, value = smallest(lambda z: float(penalty.value(np.array([z]))[0]), *domain(penalty))
    assert float(penalty.value(penalty.minimizer())[0]) <= value + 1e-12


CURVED = [name for name, penalty in PENALTIES.items() if penalty.mu[0] > 0.0]


@pytest.mark.parametrize("name", CURVED)
@pytest.mark.parametrize("distance", [1e-3, 1e-6, 1e-9, 1e-12])
def test_the_gap_keeps_its_digits_near_the_optimum(name, distance):
    """Near G_i = 0 the definition loses everything to cancellation; the formula must not."""
    penalty = PENALTIES[name]
    z = 0.5  # inside every domain, and where the entropy is exactly as curved as its mu
    slope = float(penalty.subdifferential(np.array([z]))[1][0])
    x = np.array([z + distance])
    gap = float(penalty.gap(x, np.array([slope]))[0])
    # x and u are rounded to 1e-16, which the square sees relative to the distance.
    assert gap == pytest.approx(0.5 * penalty.mu[0] * distance**2, rel=1e-3, abs=0.0)


@pytest.mark.parametrize("name", PENALTIES)
def test_gaps_are_not_negative_by_rounding(name):
    rng, penalty = np.random.default_rng(0), PENALTIES[name]
    low, high = domain(penalty, 2.0)
    for _ in range(300):
        z = np.array([rng.uniform(low, high)])
        u = np.clip(penalty.subdifferential(z)[rng.integers(2)], -5.0, 5.0)
        x = np.clip(z + rng.normal() * 10.0 ** rng.uniform(-18, -10), low, high)
        assert penalty.gap(x, u)[0] >= 0.0


def test_l1_gaps_are_the_closed_forms_of_the_paper():
    """Three cases: shrink, grow, and the wrong sign."""
    lam, bound = 0.5, 3.0
    penalty = PENALTIES["lasso"]
    for x in (-2.0, -0.3, 0.0, 0.3, 2.0):
        for u in (-1.7, -0.5, -0.2, 0.0, 0.2, 0.5, 1.7):
            if abs(u) <= lam:
                expected = abs(x) * (lam - np.sign(x) * u)
            elif x * u >= 0.0:
                expected = (bound - abs(x)) * (abs(u) - lam)
            else:
                expected = bound * (abs(u) - lam) + abs(x) * (abs(u) + lam)
            assert penalty.gap(*one(x, u))[0] == pytest.approx(expected, abs=1e-15)


def test_an_unbounded_supremum_is_infinite():
    lasso = L1L2(*one(0.5, 0.0, -INF, INF))
    assert lasso.conjugate(*one(0.6))[0] == INF
    assert lasso.conjugate(*one(-0.6))[0] == INF
    assert lasso.conjugate(*one(0.5))[0] == 0.0
    nonnegative = L1L2(*one(0.0, 0.0, 0.0, INF))
    assert nonnegative.conjugate(*one(1e-20))[0] == INF
    assert nonnegative.conjugate(*one(-3.0))[0] == 0.0


def test_free_coordinates_are_those_without_any_penalty_and_an_open_end():
    penalty = L1L2(
        np.array([0.0, 0.0, 0.0, 1.0, 0.0]),
        np.array([0.0, 0.0, 0.0, 0.0, 1.0]),
        np.array([-INF, 0.0, -1.0, -INF, -INF]),
        np.array([INF, INF, 1.0, INF, INF]),
    )
    assert penalty.free.tolist() == [True, True, False, False, False]
    x, u, h = np.zeros(2), np.array([-2.0, -2.0]), np.ones(2)
    assert penalty.free_decrease(x, u, h, np.arange(2)).tolist() == [2.0, 0.0]
