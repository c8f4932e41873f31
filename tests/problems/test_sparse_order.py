"""Sparse input of the costs is put in order, in a copy; arrays that do not fit are refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.problems import REGISTRY
from tests.test_bad_input import X, Y, broken, every_cost, refuse


@every_cost
@pytest.mark.parametrize("kind", [sparse.csc_matrix, sparse.csr_array])
@pytest.mark.parametrize("how", ["unsorted", "duplicate"])
def test_sparse_matrices_are_put_in_order(cost, kind, how):
    given = broken(kind, how)
    before = given.indices.copy()
    true = given.copy()
    true.has_sorted_indices = true.has_canonical_format = False
    true.sum_duplicates()
    found, expected = (REGISTRY[cost](A, Y, 0.1) for A in (given, true))
    x = np.full(expected.A.d, 0.01)
    np.testing.assert_array_equal(found.A.matvec(x), expected.A.matvec(x))
    np.testing.assert_array_equal(given.indices, before)


@every_cost
def test_broken_matrices_of_other_formats(cost):
    """SciPy's converters write where the entries point to."""
    coo = sparse.coo_matrix(X)
    coo.col[0] = -(10**6)
    refuse("X is a COO matrix .* an index is not from 0 to 2", REGISTRY[cost], coo, Y, 0.1)
    bsr = sparse.bsr_matrix(X, blocksize=(2, 1))
    bsr.indices[0] = 10**6
    refuse("X is a BSR matrix .* outside X", REGISTRY[cost], bsr, Y, 0.1)
