"""Means, spreads and scaled columns of sparse matrices, part by part: those of the dense twin."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.data import ColumnMatrix, runs
from banditcd.estimators.backends.prepared import _divided
from banditcd.estimators.checks.moments import column_means, column_spreads


def dense(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((37, 23)) * (rng.random((37, 23)) < 0.3)
    X[:, 3], X[:, 4], X[:, 5] = 0.0, 2.5, 1e4 + rng.standard_normal(37)
    return X


def doubled(X: np.ndarray) -> sparse.csc_array:
    """Every entry twice, at half its value."""
    made = sparse.csc_array(X)
    parts = (np.repeat(made.data / 2.0, 2), np.repeat(made.indices, 2), 2 * made.indptr)
    return sparse.csc_array(parts, shape=made.shape)


STORED = {
    "csr": sparse.csr_array,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "duplicates": doubled,
    "float32": lambda X: sparse.csr_array(X.astype(np.float32)),
    "wide": lambda X: sparse.csc_array(X[:, [*range(23), *[3] * 90]]),
}


@pytest.fixture(params=[1, 7, 1 << 16], autouse=True)
def _small_parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_ENTRIES", request.param)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("about_mean", [False, True])
@pytest.mark.parametrize("storage", STORED)
def test_moments_are_those_of_the_dense_twin(storage, about_mean, weighted) -> None:
    X = STORED[storage](dense(0))
    before = X.copy()
    twin = X.toarray().astype(float)
    weight = np.random.default_rng(1).integers(0, 3, len(twin)) * 1.0 if weighted else None
    np.testing.assert_allclose(column_means(X, weight), column_means(twin, weight), rtol=1e-13)
    found = column_spreads(X, weight, about_mean)
    np.testing.assert_allclose(found, column_spreads(twin, weight, about_mean), rtol=1e-9)
    assert (found[4] == 0.0) == about_mean  # a constant column has no spread, up to rounding
    assert (before != X).nnz == 0
    assert X.nnz == before.nnz


@pytest.mark.parametrize("storage", STORED)
def test_scaled_columns_are_canonical_and_leave_the_given_ones_alone(storage) -> None:
    X = STORED[storage](dense(0))
    before, scale = X.copy(), np.linspace(0.5, 3.0, X.shape[1])
    made = _divided(X, scale)
    np.testing.assert_allclose(made.toarray(), X.toarray() / scale, rtol=1e-7)
    assert made.dtype == np.float64
    assert made.has_canonical_format
    assert (before != X).nnz == 0
    assert X.nnz == before.nnz


@pytest.mark.parametrize("weighted", [False, True])
def test_column_squares_in_parts(weighted) -> None:
    X = dense(2)
    weight = np.random.default_rng(1).random(len(X)) if weighted else None
    found = ColumnMatrix.from_features(sparse.csc_array(X)).column_squares(weight)
    expected = (X**2 * (1.0 if weight is None else weight[:, None])).sum(axis=0)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
