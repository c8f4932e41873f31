"""The logistic kernels of every instruction set against SciPy."""

import numpy as np
import pytest
from scipy.special import expit

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
