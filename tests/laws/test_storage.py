"""Every way to hold a matrix gives the same run."""

import numpy as np
import pytest
from scipy import sparse

from banditcd import minimize, problems
from banditcd.data import ColumnMatrix, check_matrix
from tests.instances import CLASSIFIERS, make_data


def with_int64(X):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


def read_only(X):
    X = np.array(X)
    X.flags.writeable = False
    return X


def read_only_sparse(X):
    X = sparse.csc_array(X)
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    return X


def with_spare_room(X):
    """SciPy allows arrays longer than the matrix needs."""
    X = sparse.csc_matrix(X)
    X.data, X.indices = np.r_[X.data, [9.0, 9.0]], np.r_[X.indices, [0, 1]].astype(np.int32)
    return X


STORAGES = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "strided": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "list": lambda X: X.tolist(),
    "csc_matrix": sparse.csc_matrix,
    "csr_matrix": sparse.csr_matrix,
    "csc_array": sparse.csc_array,
    "csr_array": sparse.csr_array,
    "coo": sparse.coo_array,
    "csc-int64": lambda X: with_int64(sparse.csc_array(X)),
    "csr-int64": lambda X: with_int64(sparse.csr_array(X)),
    "read-only": read_only,
    "read-only-csc": read_only_sparse,
    "spare-room": with_spare_room,
    "integers": lambda X: X.astype(np.int16),
    "float32": lambda X: X.astype(np.float32),
    "float32-F": lambda X: np.asfortranarray(X, dtype=np.float32),
    "float32-csc": lambda X: sparse.csc_array(X.astype(np.float32)),
    "float32-csr": lambda X: sparse.csr_array(X.astype(np.float32)),
    "big-endian": lambda X: X.astype(">f8"),
}


def data(cost):
    X, y = make_data("sparse", (20, 7), cost in CLASSIFIERS, 1)
    return np.round(4.0 * X.toarray()), y  # small integers: every storage holds them exactly


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("cost", problems.REGISTRY)
def test_every_storage_gives_the_same_run(cost, storage, engine):
    X, y = data(cost)
    results = [
        minimize(problems.make(cost, A, y, alpha=0.5), "shuffled", max_epochs=2, random_state=0,
                 engine=engine)
        for A in (X, STORAGES[storage](X))
    ]  # fmt: skip
    np.testing.assert_allclose(results[1].x, results[0].x, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(results[1].trace.gap, results[0].trace.gap, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("cost", problems.REGISTRY)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_memory_mapped_input(cost, dtype, tmp_path):
    X, y = data(cost)
    np.save(tmp_path / "X.npy", X.astype(dtype))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    results = [
        minimize(problems.make(cost, A, y, alpha=0.5), "cyclic", max_epochs=2) for A in (X, mapped)
    ]
    np.testing.assert_allclose(results[1].x, results[0].x, rtol=1e-10, atol=1e-12)


def test_what_needs_no_copy_is_not_copied():
    X = np.random.default_rng(0).normal(size=(6, 4))
    F, csc, csr = np.asfortranarray(X), sparse.csc_array(X), sparse.csr_array(X)
    assert np.shares_memory(ColumnMatrix.from_features(check_matrix(F)).storage, F)
    assert np.shares_memory(ColumnMatrix.from_samples(check_matrix(X)).storage, X)
    assert np.shares_memory(ColumnMatrix.from_features(check_matrix(csc)).storage.data, csc.data)
    assert np.shares_memory(ColumnMatrix.from_samples(check_matrix(csr)).storage.data, csr.data)
    single = F.astype(np.float32)
    assert np.shares_memory(ColumnMatrix.from_features(check_matrix(single)).storage, single)


def test_float32_data_is_accumulated_in_float64():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4)).astype(np.float32)
    y = rng.normal(size=3000)
    for A in (X, sparse.csc_array(X)):
        ours = minimize(problems.Lasso(A, y, alpha=0.01), "cyclic", tol=1e-10, max_epochs=100)
        double = minimize(
            problems.Lasso(X.astype(np.float64), y, alpha=0.01), "cyclic", tol=1e-10, max_epochs=100
        )
        np.testing.assert_allclose(ours.x, double.x, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("kind", ["C", "csc_array", "float32", "float32-csc"])
def test_the_verbs_of_a_matrix(kind, signed):
    X = np.round(4.0 * np.random.default_rng(1).normal(size=(9, 5)))
    X[:, 2] = 0.0
    signs = np.array([1.0, -1.0, 1.0, -1.0, -1.0]) if signed else None
    storage = check_matrix(STORAGES[kind](X.T if signed else X))
    A = (ColumnMatrix.from_samples if signed else ColumnMatrix.from_features)(storage)
    A = ColumnMatrix(A.storage, signs)
    dense = X * signs if signed else X
    np.testing.assert_array_equal(A.to_dense(), dense)
    x, w, c = np.arange(5.0), np.arange(9.0), np.linspace(0.0, 1.0, 9)
    np.testing.assert_allclose(A.matvec(x), dense @ x)
    np.testing.assert_allclose(A.rmatvec(w), dense.T @ w)
    np.testing.assert_allclose(A.column_squares(), (dense**2).sum(axis=0))
    np.testing.assert_allclose(A.column_squares(c), c @ dense**2)
    np.testing.assert_array_equal(A.keep(np.array([3, 0])).to_dense(), dense[:, [3, 0]])
    assert A.dot(1, w) == pytest.approx(dense[:, 1] @ w)
    assert A.shape == (9, 5)
    assert sum(A.entries(i) for i in range(5)) == A.nnz
