"""The logistic kernels of every instruction set against SciPy."""

import numpy as np
import pytest
from scipy.special import expit, rel_entr

from banditcd import _core


@pytest.fixture(params=["portable", "avx2", "avx512"])
def kernel(request):
    try:
        _core.select_kernels(request.param)
    except ValueError:
        pytest.skip(f"this CPU has no {request.param}")
    yield request.param
    _core.select_kernels("auto")


def values(m):
    q, loss = np.empty_like(m), np.empty_like(m)
    _core.parts.logistic_loss(m, q, loss)
    return q, loss


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 30.0, 200.0])
def test_relative_error_is_rounding(kernel, scale):
    for n in (0, 1, 7, 1000):
        m = np.clip(scale * np.random.default_rng(n).standard_normal(n), -700.0, 700.0)
        q, loss = values(m)
        np.testing.assert_allclose(q, expit(-m), rtol=2e-15)
        np.testing.assert_allclose(loss, np.logaddexp(0.0, -m), rtol=2e-15)


def test_extremes(kernel):
    m = np.array([0.0, -0.0, 1e300, -1e300, 745.0, -745.0, 5e-324, np.finfo(float).max])
    q, loss = values(m)
    assert np.all(np.isfinite(q))
    assert np.all((q >= 0.0) & (q <= 1.0))
    np.testing.assert_allclose(
        loss, np.maximum(-m, 0.0) + np.log1p(np.exp(-np.abs(m))), atol=1e-300
    )


def test_relative_entropy_of_distant_probabilities(kernel):
    rng = np.random.default_rng(0)
    for n in (0, 1, 7, 1000):
        p, q = rng.random(n), rng.random(n)
        expected = np.sum(rel_entr(p, q) + rel_entr(1 - p, 1 - q))
        assert _core.parts.relative_entropy(p, q) == pytest.approx(expected, rel=1e-12)
    ends = np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.5, 0.5, 1e-300, 1.0])
    assert _core.parts.relative_entropy(*ends) == pytest.approx(2 * np.log(2.0), rel=1e-15)
    assert _core.parts.relative_entropy(np.array([1e-9]), np.array([1e-300])) == pytest.approx(
        1e-9 * (np.log(1e291) - 1), rel=1e-8
    )


@pytest.mark.parametrize("change", [1e-3, 1e-6, 1e-9, 1e-12])
def test_relative_entropy_does_not_cancel(kernel, change):
    """For p = q (1 + e) it is e^2 q / (2 (1 - q)) up to terms of third order."""
    q = np.array([0.3])
    move = q * (1 + change) - q
    expected = move**2 / (2 * q * (1 - q))
    value = _core.parts.relative_entropy(q + move, q)
    assert value == pytest.approx(expected.item(), rel=2 * change + 1e-11)


@pytest.mark.parametrize("t", [1e-3, 0.5, 1 - 1e-3, 1 - 1e-8])
def test_scaling_entropy_is_relative_entropy(kernel, t):
    rng = np.random.default_rng(1)
    for m in 3 * rng.standard_normal(50):
        q = expit(-m)
        expected = _core.parts.relative_entropy(np.array([t * q]), np.array([q]))
        value = _core.parts.scaling_entropy(np.array([m]), t)
        assert value == pytest.approx(expected, rel=1e-9 + 1e-15 / (1 - t))


def test_scaling_entropy_of_extreme_margins(kernel):
    """Close to (1 - t) (|m| + log(1 - t)) + t log t at large mistakes, 0 where there is none."""
    for size in (600.0, 1e3, 1e10, 1e300):
        expected = 0.25 * (size + np.log(0.25)) + 0.75 * np.log(0.75)
        value = _core.parts.scaling_entropy(np.array([-size]), 0.75)
        assert value == pytest.approx(expected, rel=1e-13)
        assert 0.0 <= _core.parts.scaling_entropy(np.array([size]), 0.75) <= 1e-200
