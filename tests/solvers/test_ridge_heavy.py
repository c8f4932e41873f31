"""Rows much longer than the others: conjugate gradients with a factor of their own."""

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import RidgeSession
from banditcd.solvers.ridge import iterative
from banditcd.solvers.ridge.heavy import HEAVY_LEAST, heavy_rows
from banditcd.solvers.ridge.rows import RidgeRows

PENALTY = 1.0


def counts(n, d, spread, seed=5):
    """Return Poisson counts of columns by a power law, in rows of very unequal length."""
    rng = np.random.default_rng(seed)
    share = 1.0 / np.arange(1, d + 1)
    length = np.minimum(10.0 * np.exp(spread * rng.standard_normal(n)), 1e4)
    X = rng.poisson(length[:, None] * share / share.sum()).astype(float)
    return sparse.csr_matrix(X), rng.standard_normal(n)


def solved(X, y, tol=1e-9, **options):
    session = RidgeSession(X, y, **options)
    session.force_regime("cg")
    (result,) = session.solve(PENALTY / X.shape[0], tol=tol)
    assert result.status == "converged"
    return result


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("shape", [(700, 900), (900, 600)])
def test_heavy_rows_save_passes(shape, fit_intercept, weighted, dense, monkeypatch):
    X, y = counts(*shape, spread=1.5)
    X = X.toarray() if dense else X
    weight = np.random.default_rng(1).integers(0, 4, shape[0]).astype(float) if weighted else None
    options = {"fit_intercept": fit_intercept, "sample_weight": weight}
    assert heavy_rows(RidgeRows(X, **options), PENALTY) is not None
    quick = solved(X, y, **options)
    with monkeypatch.context() as without:
        without.setattr(iterative, "heavy_rows", lambda *_: None)
        slow = solved(X, y, **options)
    assert quick.passes <= 0.6 * slow.passes
    exact = RidgeSession(X, y, exact=True, **options).solve(PENALTY / X.shape[0])[0]
    np.testing.assert_allclose(quick.coef, exact.coef, atol=1e-6 * np.abs(exact.coef).max())
    assert quick.intercept == pytest.approx(exact.intercept, abs=1e-6)


def test_rows_of_one_length_have_no_heavy_ones():
    X, _ = counts(700, 900, spread=0.0)
    assert heavy_rows(RidgeRows(X, fit_intercept=False, sample_weight=None), PENALTY) is None


def test_heavy_rows_need_a_penalty_below_their_squares():
    X, _ = counts(700, 900, spread=1.5)
    rows = RidgeRows(X, fit_intercept=False, sample_weight=None)
    longest = float(X.multiply(X).sum(axis=1).max())
    assert heavy_rows(rows, 0.0) is None
    assert heavy_rows(rows, longest) is None


def test_few_rows_have_no_heavy_ones():
    X, _ = counts(HEAVY_LEAST, 900, spread=1.5)
    assert heavy_rows(RidgeRows(X, fit_intercept=False, sample_weight=None), PENALTY) is None
