"""Each native part against plain NumPy, for every set of kernels this CPU has."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd import _core
from banditcd.solvers.arrays import columns_of


@pytest.fixture(params=["portable", "avx2", "avx512"], autouse=True)
def kernels(request):
    try:
        _core.select_kernels(request.param)
    except ValueError:
        pytest.skip(f"this CPU has no {request.param}")
    yield request.param
    _core.select_kernels("auto")


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (3, 5, 7), (17, 9, 400), (130, 250, 50), (8, 3, 1000)]
)
def test_products(shape):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((shape[0], shape[2])), rng.standard_normal((shape[1], shape[2]))
    out = np.empty((shape[1], shape[0]))
    _core.parts.products(a, b, out)
    np.testing.assert_allclose(out, b @ a.T, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("count", [0, 1, 7, 40])
@pytest.mark.parametrize("rows", [8, 16, 24, 256])
def test_residuals(count, rows):
    rng = np.random.default_rng(5)
    columns, coef = rng.standard_normal((count, rows)), rng.standard_normal((count, 4))
    coef[count // 2 :, 1] = 0.0
    start, shift, out = rng.standard_normal(rows), rng.standard_normal(4), np.empty((4, rows))
    _core.parts.residuals(columns, coef, start, shift, out)
    np.testing.assert_allclose(out, start + shift[:, None] - coef.T @ columns, atol=1e-13)


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 130, 300])
def test_cholesky(size):
    rng = np.random.default_rng(size)
    A = rng.standard_normal((size, 2 * size + 3))
    H, b = A @ A.T, rng.standard_normal(size)
    x = b.copy()
    assert _core.parts.cholesky(H, x, 1e-11)
    np.testing.assert_allclose(x, np.linalg.solve(H, b), rtol=1e-7, atol=1e-9)


def test_cholesky_refuses_dependent_columns():
    A = np.random.default_rng(0).standard_normal((70, 100))
    A[66] = A[3]
    assert not _core.parts.cholesky(A @ A.T, np.ones(70), 1e-11)


@pytest.mark.parametrize("size", [5, 40, 150])
@pytest.mark.parametrize("changes", [1, 3, 12])
def test_a_factor_follows_its_support(size, changes):
    rng = np.random.default_rng(size + changes)
    A = rng.standard_normal((size, 2 * size))
    H, b = A @ A.T, rng.standard_normal(size)
    wanted = np.empty((30, size))
    wanted[0] = rng.random(size) < 0.7
    for k in range(1, len(wanted)):
        wanted[k] = wanted[k - 1]
        flipped = rng.integers(size, size=changes)
        wanted[k, flipped] = 1.0 - wanted[k, flipped]
    wanted[10] = 0.0  # all of them leave
    x = np.zeros_like(wanted)
    assert _core.parts.support_factor(H, b, wanted, x)
    for chosen, solution in zip(wanted > 0.0, x, strict=True):
        expected = np.zeros(size)
        expected[chosen] = np.linalg.solve(H[np.ix_(chosen, chosen)], b[chosen])
        np.testing.assert_allclose(solution, expected, rtol=1e-8, atol=1e-10)


def test_a_factor_refuses_a_dependent_column_that_enters():
    A = np.random.default_rng(0).standard_normal((70, 100))
    A[66] = A[3]
    wanted = np.ones((2, 70))
    wanted[0, 66] = 0.0
    assert not _core.parts.support_factor(A @ A.T, np.ones(70), wanted, np.zeros((2, 70)))


@pytest.mark.parametrize("storage", ["f64", "f32", "csc64", "csc32"])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_gram_and_survey(storage, intercept, weighted, make_design):
    rng = np.random.default_rng(1)
    n, d = 411, 37
    X = make_design(rng, n, d, storage)
    y = rng.standard_normal(n)
    s = rng.random(n) if weighted else np.ones(n)
    s *= n / s.sum()
    data = _core.FitData(y, s if weighted else None, None, None, None, intercept)
    session = _core.ElasticNet(columns_of(X), data, 1 << 20, 1)
    A = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
    mean = np.average(A, axis=0, weights=s) if intercept else np.zeros(d)
    A, b = A - mean, y - (np.average(y, weights=s) if intercept else 0.0)
    correlation, square, means = session.facts()
    np.testing.assert_allclose(correlation, A.T @ (s * b), atol=1e-10)
    np.testing.assert_allclose(square, np.sum(s[:, None] * A**2, axis=0), rtol=1e-10)
    np.testing.assert_allclose(means, mean, atol=1e-12)
    columns = rng.permutation(d).astype(np.int32)[:31]
    gram = np.empty(31 * 31)
    session.gram(columns, gram)
    expected = A[:, columns].T @ (s[:, None] * A[:, columns])
    np.testing.assert_allclose(gram.reshape(31, 31), expected, atol=1e-9)


def pool_problem(seed=0, size=25, l=0.5, m=0.0):  # noqa: E741
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((60, size))
    penalty = np.tile([l, m, -np.inf, np.inf], (size, 1))
    return A.T @ A, A.T @ rng.standard_normal(60) * 3, penalty


def objective(gram, q, penalty, x):
    l, m = penalty[:, 0], penalty[:, 1]  # noqa: E741
    return 0.5 * x @ gram @ x - q @ x + np.sum(l * np.abs(x) + 0.5 * m * x**2)


@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (0.0, np.inf), (-0.02, 0.03)])
@pytest.mark.parametrize("m", [0.0, 2.0])
def test_sweep_is_exact_coordinate_minimization(bounds, m):
    gram, q, penalty = pool_problem(m=m)
    penalty[:, 2:] = bounds
    x, c = np.zeros(len(q)), np.empty(len(q))
    expected = np.zeros(len(q))
    for _ in range(3):
        _core.parts.sweep(gram, q, penalty, x, c)
        for j in range(len(q)):
            z = q[j] - gram[j] @ expected + gram[j, j] * expected[j]
            soft = np.sign(z) * max(abs(z) - penalty[j, 0], 0.0)
            expected[j] = np.clip(soft / (gram[j, j] + m), *bounds)
        np.testing.assert_allclose(x, expected, atol=1e-12)
        np.testing.assert_allclose(c, q - gram @ x, atol=1e-10)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("bounds", [(-np.inf, np.inf), (-0.02, 0.03)])
def test_newton_descends_and_finishes(seed, bounds):
    gram, q, penalty = pool_problem(seed)
    penalty[:, 2:] = bounds
    rng = np.random.default_rng(seed)
    x, c = np.clip(rng.standard_normal(len(q)), *bounds), np.empty(len(q))
    for _ in range(200):
        before = objective(gram, q, penalty, x)
        outcome = _core.parts.newton(gram, q, penalty, x, c)
        after = objective(gram, q, penalty, x)
        assert after <= before + 1e-12 * abs(before)
        assert np.all((x >= bounds[0]) & (x <= bounds[1]))
        np.testing.assert_allclose(c, q - gram @ x, atol=1e-9)
        if outcome in {"exact", "optimal"}:
            break
    assert outcome in {"exact", "optimal"}
    inside = (x != 0) & (x > bounds[0]) & (x < bounds[1])
    slope = (q - gram @ x)[inside] - penalty[inside, 0] * np.sign(x[inside])
    np.testing.assert_allclose(slope, 0.0, atol=1e-8)


def test_relation_of_residuals_bounds_every_correlation():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((50, 300))
    old = rng.standard_normal(50)
    for scale in (0.0, 1e-6, 0.1, 3.0):
        new = 0.7 * old + scale * rng.standard_normal(50)
        beta, error = _core.parts.relate(old, new)
        width = np.linalg.norm(X, axis=0) * error
        assert np.all(np.abs(X.T @ new - beta * (X.T @ old)) <= width)


@pytest.mark.parametrize("m", [0.0, 0.4])
@pytest.mark.parametrize("upper", [np.inf, 0.3])
def test_certificate(m, upper, make_instance):
    rng = np.random.default_rng(5)
    n, d, l = 30, 10, 0.2  # noqa: E741
    X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    w = np.minimum(0.1 * rng.standard_normal(d), upper)
    R = y - X @ w
    penalty = np.tile([n * l, n * m, -np.inf, upper], (d, 1))
    primal, gap, scale = _core.certify(w, X.T @ R, penalty, float(R @ R))
    instance = make_instance(X, y, l, m, upper=np.full(d, upper))
    assert primal / n == pytest.approx(instance.primal(w, 0.0), rel=1e-12)
    assert gap / n == pytest.approx(instance.gap(w, 0.0), rel=1e-6, abs=1e-12)
    assert 0.0 <= scale <= 1.03


@pytest.mark.parametrize("fill", [0.05, 0.5])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gram_of_columns_that_fill_their_rows(fill, weighted, dtype):
    """Unpacked blocks of rows, or entries that meet one by one: the same matrix."""
    rng = np.random.default_rng(8)
    n, d = 1000, 45
    X = sparse.random(n, d, density=fill, format="csc", random_state=3, dtype=dtype)
    s = rng.random(n) if weighted else np.ones(n)
    s *= n / s.sum()
    sides = _core.FitData(rng.standard_normal(n), s if weighted else None, None, None, None, True)
    session = _core.ElasticNet(columns_of(X), sides, 1 << 20, 1)
    chosen = rng.permutation(d)[:31].astype(np.int32)
    out = np.zeros(31 * 31)
    session.gram(chosen, out)
    A = X.toarray().astype(float)[:, chosen]
    A -= s @ A / n
    np.testing.assert_allclose(out.reshape(31, 31), A.T @ (s[:, None] * A), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("odd", [0, 3])
@pytest.mark.parametrize("rows", [70, 3000, 40000])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gram_of_columns_with_one_value_each(odd, rows, intercept, dtype):
    """Bits count the rows that columns share; a few other columns meet them entry by entry."""
    rng = np.random.default_rng(rows + odd)
    d = 45
    A = (rng.random((rows, d)) < np.linspace(0.05, 0.9, d)) * rng.uniform(-2.0, 2.0, d)
    A[:, 7] = 0.0
    A[:, :odd] *= rng.standard_normal((rows, odd))
    A = A.astype(dtype)
    X = sparse.csc_matrix(A)
    data = _core.FitData(rng.standard_normal(rows), None, None, None, None, intercept)
    session = _core.ElasticNet(columns_of(X), data, 1 << 20, 1)
    chosen = rng.permutation(d).astype(np.int32)
    out = np.zeros(d * d)
    session.gram(chosen, out)
    A = A.astype(np.float64)[:, chosen]
    A -= A.mean(axis=0) if intercept else 0.0
    np.testing.assert_allclose(out.reshape(d, d), A.T @ A, rtol=1e-11, atol=1e-10 * rows)
