"""On many rows a Gram matrix in single precision never shows in what is proven."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd import _core
from banditcd.solvers.elastic_net import ElasticNetSession

ROWS, COLUMNS = 3000, 300  # enough work for single precision to be tried


def correlated(rho: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((ROWS, COLUMNS))
    for j in range(1, COLUMNS):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1.0 - rho**2) * X[:, j]
    y = X @ (rng.standard_normal(COLUMNS) * (rng.random(COLUMNS) < 0.5)) + rng.standard_normal(ROWS)
    return np.asfortranarray(X), y


def duplicated() -> tuple[np.ndarray, np.ndarray]:
    X, y = correlated(0.5, 1)
    X[:, 1::3] = X[:, 0::3]
    return X, y


def nearly_duplicated() -> tuple[np.ndarray, np.ndarray]:
    X, y = correlated(0.5, 2)
    X[:, 1::3] = X[:, 0::3] + 1e-4 * X[:, 1::3]
    return X, y


def scaled() -> tuple[np.ndarray, np.ndarray]:
    X, y = correlated(0.5, 3)
    X *= 10.0 ** np.linspace(-8, 8, COLUMNS)
    return X, y


def shifted() -> tuple[np.ndarray, np.ndarray]:
    X, y = correlated(0.5, 4)
    X += np.linspace(-1e4, 1e4, COLUMNS)
    return X, y + 1e3


CASES = {
    "rho .7": lambda: correlated(0.7),
    "rho .999": lambda: correlated(0.999),
    "duplicates": duplicated,
    "near duplicates": nearly_duplicated,
    "scales": scaled,
    "offsets": shifted,
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("ratio", [30, 1000])
@pytest.mark.parametrize("tol", [1e-4, 1e-10])
def test_certificates_are_true(name, ratio, tol, make_instance):
    X, y = CASES[name]()
    intercept = name == "offsets"
    session = ElasticNetSession(X, y, fit_intercept=intercept)
    l1 = session.largest_penalty() / ratio
    result = session.solve(l1, tol=tol)
    instance = make_instance(X=X, y=y, l1=l1, fit_intercept=intercept)
    assert result.status == "converged"
    slack = 1e-12 * instance.null_objective()
    assert instance.gap(result.coef, result.intercept) <= result.gap + slack
    assert result.gap <= result.target
    # Two expected solves to a small gap keep the products in double.
    exact = ElasticNetSession(X, y, fit_intercept=intercept, solves=2).solve(l1, tol=1e-10)
    assert abs(exact.primal - result.primal) <= result.gap + exact.gap + slack


@pytest.mark.parametrize("tol", [1e-4, 1e-10])
@pytest.mark.parametrize("intercept", [False, True])
def test_single_precision_is_used_and_suffices(tol, intercept):
    X, y = correlated(0.7)
    session = ElasticNetSession(X, y, fit_intercept=intercept)
    l1 = session.largest_penalty() / 1000
    report = session._native.solve(ROWS * l1, 0.0, tol, 100, np.inf, np.empty(X.shape[1]))
    assert report.rough
    assert report.gap <= report.target
    assert report.iterations <= 3


@pytest.mark.parametrize(
    "options",
    [
        {"solves": 2, "tol": 1e-7},
        {"solves": 2, "sample_weight": np.linspace(1, 2, ROWS)},
        {"sample_weight": np.linspace(1, 2, ROWS)},
        {"X32": True},
    ],
)
def test_everything_else_stays_double(options):
    X, y = correlated(0.7)
    options = dict(options)
    if options.pop("X32", False):
        X = X.astype(np.float32)
    tol = options.pop("tol", 1e-6)
    session = ElasticNetSession(X, y, **options)
    l1 = session.largest_penalty() / 1000
    coef = np.empty(X.shape[1])
    assert not session._native.solve(ROWS * l1, 0.0, tol, 100, np.inf, coef).rough


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("tol", [1e-4, 1e-6])
def test_certificates_of_a_path_are_true(name, tol, make_instance):
    X, y = CASES[name]()
    intercept = name == "offsets"
    session = ElasticNetSession(X, y, fit_intercept=intercept, solves=100)
    l1 = np.geomspace(1.0, 1e-3, 40) * session.largest_penalty()
    # Values 1e4 away from zero are rounded by 1e-12, in the solver (in double, too) and here.
    slack = 1e-11 if name == "offsets" else 1e-12
    # The second time drafts of the same rough model are wanted to more digits than it has.
    for wanted in (tol, 1e-10):
        path = session.path(l1, 0.0 * l1, tol=wanted)
        if name == "rho .7":
            assert path.reports[39].rough
        assert path.converged.all()
        for k in range(0, 40, 3):
            instance = make_instance(X=X, y=y, l1=l1[k], fit_intercept=intercept)
            gap = instance.gap(path.coefs[:, k], path.intercepts[k])
            assert gap <= path.gap[k] + slack * instance.null_objective()


def test_drafts_of_a_rough_model_are_corrected_together():
    X, y = correlated(0.7)
    session = ElasticNetSession(X, y, solves=100)
    l1 = np.geomspace(1.0, 1e-2, 40) * session.largest_penalty()
    rough = session.path(l1, 0.0 * l1, tol=1e-4)
    exact = session.path(l1, 0.0 * l1, tol=1e-11)
    assert rough.reports[39].rough
    assert exact.reports[39].rough
    assert exact.converged.all()
    # A few looks at the columns in use for each batch, not two or more passes for each penalty.
    assert exact.passes.sum() < 15.0


@pytest.mark.parametrize("solves", [40, 100])
def test_a_path_reads_no_rows_for_digits_that_rounding_hides(solves):
    """A few passes for all penalties, in single precision (few penalties) and in double."""
    rng = np.random.default_rng(5)
    X = np.asfortranarray(rng.standard_normal((6400, 200)) + 3.0 * rng.standard_normal((6400, 1)))
    y = X[:, ::2] @ rng.standard_normal(100) + rng.standard_normal(6400)
    session = ElasticNetSession(X, y, solves=solves)
    l1 = np.geomspace(1.0, 1e-2, 40) * session.largest_penalty()
    path = session.path(l1, 0.0 * l1, tol=1e-6, aim=1e-12)
    assert path.reports[39].rough == (solves == 40)
    assert path.converged.all()
    assert path.passes.sum() < 10.0
    best = session.path(l1, 0.0 * l1, tol=1e-14)
    null = path.target[0] / 1e-6
    assert (path.primal - best.primal).max() <= 1e-9 * null
    np.testing.assert_allclose(path.coefs, best.coefs, atol=1e-6 * np.abs(best.coefs).max())


def test_a_model_without_enough_digits_is_replaced():
    X, y = nearly_duplicated()
    X[:, 1::3] = X[:, 0::3] + 1e-2 * (X[:, 1::3] - X[:, 0::3])
    session = ElasticNetSession(X, y)
    l1 = session.largest_penalty() / 1e5
    report = session._native.solve(ROWS * l1, 0.0, 1e-12, 100, np.inf, np.empty(X.shape[1]))
    assert not report.rough
    assert report.gap <= report.target


@pytest.mark.parametrize("bins", [1, 2])
def test_certificate_of_an_unfinished_solve_is_true(bins, make_instance):
    X, y = correlated(0.7)
    session = ElasticNetSession(X, y)
    l1 = session.largest_penalty() / 1000
    result = session.solve(l1, tol=1e-15, max_iter=bins)
    instance = make_instance(X=X, y=y, l1=l1)
    gap = instance.gap(result.coef, result.intercept)
    assert gap <= result.gap + 1e-12 * instance.null_objective()


@pytest.mark.parametrize("kernels", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (3, 5, 7), (17, 9, 400), (130, 250, 50), (8, 3, 1000), (9, 4, 1700)]
)
def test_products(kernels, shape):
    try:
        _core.select_kernels(kernels)
    except ValueError:
        pytest.skip(f"this CPU has no {kernels}")
    try:
        rng = np.random.default_rng(0)
        a, b = rng.standard_normal((shape[0], shape[2])), rng.standard_normal((shape[1], shape[2]))
        out = np.empty((shape[1], shape[0]))
        _core.parts.rough_products(a + 1e6, b + 1e6, 1e6, 0.1, out)
    finally:
        _core.select_kernels("auto")
    length = 0.01 * np.linalg.norm(b, axis=1)[:, None] * np.linalg.norm(a, axis=1)
    assert np.all(np.abs(out - 0.01 * b @ a.T) <= 1e-6 * length + 1e-12)


@pytest.mark.parametrize("l2", [0.0, 1e-3])
@pytest.mark.parametrize("bounded", [False, True])
def test_a_session_goes_on_from_a_rough_pool(l2, bounded, make_instance):
    X, y = correlated(0.7)
    lower = np.zeros(COLUMNS) if bounded else None
    session = ElasticNetSession(X, y, lower=lower)
    largest = session.largest_penalty()
    for ratio in (1000, 10, 300, 3000):
        result = session.solve(largest / ratio, l2, tol=1e-9)
        instance = make_instance(X=X, y=y, l1=largest / ratio, l2=l2, lower=lower)
        gap = instance.gap(result.coef, result.intercept)
        assert result.status == "converged"
        assert gap <= result.gap + 1e-12 * instance.null_objective()


def test_certificate_after_an_interruption_is_true(make_instance):
    X, y = correlated(0.7)
    largest = ElasticNetSession(X, y).largest_penalty()
    instance = make_instance(X=X, y=y, l1=largest / 1000)
    for seconds in (1e-4, 3e-3, 1e-2, 2e-2):
        session = ElasticNetSession(X, y)
        result = session.solve(largest / 1000, tol=1e-13, max_seconds=seconds)
        slack = 1e-12 * instance.null_objective()
        assert instance.gap(result.coef, result.intercept) <= result.gap + slack
        assert session.solve(largest / 1000, tol=1e-9).status == "converged"
