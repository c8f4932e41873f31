"""Sparse matrices whose arrays or flags lie: a sentence or the right model, nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from banditcd import (
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeCV,
    enet_path,
)

N, D = 24, 10
LABELS = np.where(np.arange(N) % 3 == 0, 1.0, -1.0)
MODELS = {
    "lasso": Lasso(0.1),
    "ridge": Ridge(0.1),
    "svc": LinearSVC(),
    "svr": LinearSVR(),
    "l1": LogisticRegression(l1_ratio=1.0),
    "l2": LogisticRegression(),
    "lasso cv": LassoCV(cv=3, alphas=3),
    "enet cv": ElasticNetCV(cv=3, alphas=3),
    "ridge cv": RidgeCV(),
    "logistic cv": LogisticRegressionCV(Cs=2, cv=3),
    "selector": Lasso(0.1, selector="cyclic", random_state=0),
}


def matrix(storage: str) -> sparse.spmatrix:
    return sparse.random(N, D, 0.5, random_state=0, format=storage)


def lie(X, how: str) -> None:
    if how == "short data":
        X.data = X.data[:5]
    elif how == "short indices":
        X.indices = X.indices[:5]
    elif how == "beyond the end":
        X.indptr[-1] += 10**6
    elif how == "decreasing":
        X.indptr[2] = X.indptr[3] + 1
    elif how == "negative":
        X.indptr[1] = -5
    elif how == "short indptr":
        X.indptr = X.indptr[:-2]
    elif how == "index beyond":
        X.indices[3] = 10**6
    elif how == "index below":
        X.indices[3] = -1


LIES = [
    "short data",
    "short indices",
    "beyond the end",
    "decreasing",
    "negative",
    "short indptr",
    "index beyond",
    "index below",
]


@pytest.mark.parametrize("storage", ["csr", "csc"])
@pytest.mark.parametrize("how", LIES)
@pytest.mark.parametrize("name", MODELS)
def test_arrays_that_do_not_fit_are_refused(name, how, storage) -> None:
    X = matrix(storage)
    lie(X, how)
    with pytest.raises(ValueError, match="arrays do not fit each other"):
        clone(MODELS[name]).fit(X, LABELS)


@pytest.mark.parametrize("storage", ["csr", "csc"])
@pytest.mark.parametrize("how", LIES)
def test_predictions_and_paths_refuse_them_too(how, storage) -> None:
    good, bad = matrix(storage), matrix(storage)
    lie(bad, how)
    for name in ("lasso", "l2"):
        model = clone(MODELS[name]).fit(good, LABELS)
        with pytest.raises(ValueError, match="arrays do not fit each other"):
            model.predict(bad)
    with pytest.raises(ValueError, match="arrays do not fit each other"):
        enet_path(bad, LABELS)
    with pytest.raises(ValueError, match="arrays do not fit each other"):
        enet_path(bad, LABELS, check_input=False)


def other_formats() -> tuple[sparse.spmatrix, ...]:
    """Return matrices of other formats, each with an array that does not fit."""
    coo = matrix("coo")
    coo.row[0] = N
    bsr = sparse.bsr_matrix(matrix("csr").toarray(), blocksize=(2, 2))
    bsr.indices[0] = D
    dia = sparse.dia_matrix(matrix("csr"))
    dia.offsets = np.append(dia.offsets, 1)
    return coo, bsr, dia


@pytest.mark.parametrize("name", ["lasso", "l2"])
def test_other_formats_are_looked_at_as_well(name) -> None:
    for bad in other_formats():
        with pytest.raises(ValueError, match="arrays do not fit each other"):
            clone(MODELS[name]).fit(bad, LABELS)


def doubled(storage: str) -> sparse.spmatrix:
    """Return entries that are stored twice, in a matrix that says they are not."""
    whole = matrix(storage)
    halves = [np.repeat(part, 2) for part in (whole.data / 2, whole.indices)]
    X = type(whole)((*halves, 2 * whole.indptr), shape=whole.shape)
    X.has_sorted_indices = X.has_canonical_format = True
    return X


@pytest.mark.parametrize("storage", ["csr", "csc"])
@pytest.mark.parametrize("name", MODELS)
def test_flags_of_canonical_form_are_not_believed(name, storage) -> None:
    lying = clone(MODELS[name]).fit(doubled(storage), LABELS)
    honest = clone(MODELS[name]).fit(matrix(storage), LABELS)
    np.testing.assert_allclose(lying.coef_, honest.coef_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("storage", ["csr", "csc"])
def test_a_matrix_that_lies_is_not_changed(storage) -> None:
    X = doubled(storage)
    before = [part.copy() for part in (X.data, X.indices, X.indptr)]
    clone(MODELS["lasso"]).fit(X, LABELS)
    for part, old in zip((X.data, X.indices, X.indptr), before, strict=True):
        np.testing.assert_array_equal(part, old)
