"""Sparse matrices whose arrays lie: the judge refuses them before SciPy reads behind their ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd import Lasso, verify
from tests.estimators.test_storage import LABELS, LIES, N, lie, matrix, other_formats

MODEL = Lasso(0.01).fit(matrix("csr"), LABELS)


@pytest.mark.parametrize("storage", ["csr", "csc"])
@pytest.mark.parametrize("how", LIES)
def test_arrays_that_do_not_fit_are_refused(how, storage) -> None:
    bad = matrix(storage)
    lie(bad, how)
    with pytest.raises(ValueError, match="arrays do not fit each other"):
        verify(MODEL, bad, LABELS)


def test_other_formats_are_looked_at_as_well() -> None:
    for bad in other_formats():
        with pytest.raises(ValueError, match="arrays do not fit each other"):
            verify(MODEL, bad, LABELS)


@pytest.mark.parametrize("storage", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_every_format_that_fits_is_judged(storage) -> None:
    seen = verify(MODEL, matrix("csr").asformat(storage), LABELS)
    assert seen.gap <= MODEL.certificate_.target + seen.rounding


def test_a_sparse_vector_is_refused_by_its_dimension() -> None:
    if not hasattr(sparse.coo_array(np.ones(3)), "coords"):
        pytest.skip("this SciPy has no sparse vectors")
    with pytest.raises(ValueError, match="X has 1 dimension"):
        verify(MODEL, sparse.coo_array(np.ones(N)), LABELS)
