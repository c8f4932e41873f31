"""Sparse input of the costs is put in order: sorted indices, no duplicates, in a copy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.problems import REGISTRY
from tests.test_bad_input import Y, broken, every_cost


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
