"""Stages of the logistic solver: rough solutions for larger penalties before a small one."""

from __future__ import annotations

import os
import time
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from banditcd import LogisticRegression, LogisticRegressionCV, _core
from banditcd.solvers import LogisticSession
from tests.deadlines import deadline
from tests.interrupting import spent_after_ctrl_c
from tests.solvers.logistic_cases import LogisticCase

DIGITS = 1e16  # of float64


def steep() -> tuple[np.ndarray, np.ndarray]:
    """Return separable data on which a penalty of 1e-300 is beyond all stages."""
    X = np.random.default_rng(0).standard_normal((20, 40)) * 1e10
    return X, np.where(X[:, 0] > 0, 1.0, -1.0)


@pytest.mark.parametrize("steepness", [11.0, 1e3, 2.5e7, 1e15])
def test_stages_are_a_factor_of_at_most_ten_apart(steepness):
    factors = [steepness, *_core.parts.logistic_stages(steepness), 1.0]
    steps = np.divide(factors[:-1], factors[1:])
    np.testing.assert_allclose(steps, steps[0], rtol=1e-12)
    assert 1.0 < steps[0] <= 10.0 * (1 + 1e-12)


@pytest.mark.parametrize("steepness", [0.0, 1.0, 10.0, np.nan])
def test_a_penalty_near_the_largest_one_has_no_stages(steepness):
    assert _core.parts.logistic_stages(steepness) == []


@pytest.mark.parametrize("steepness", [1e17, 1e69, 1e300, np.inf])
def test_stages_end_where_a_penalty_no_longer_shows(steepness):
    factors = _core.parts.logistic_stages(steepness)
    assert len(factors) == 15
    assert np.all(np.diff(factors) < 0)
    assert np.all(np.isfinite(factors))
    assert factors[-1] >= 0.9 * min(steepness, 1e100) / DIGITS


@pytest.mark.parametrize("C", [1e69, 1e300])
def test_a_penalty_beyond_the_digits_of_float64(C):
    X, y = steep()
    started = time.process_time()
    model = LogisticRegression(C=C, l1_ratio=1.0).fit(X, y)
    assert time.process_time() - started < deadline(5.0)
    certificate = model.certificate_
    assert certificate.status == "converged"
    assert certificate.gap <= certificate.target
    case = LogisticCase(X, y, l1=1.0 / (C * len(y)))
    primal = case.primal(model.coef_[0], model.intercept_[0])
    assert primal * len(y) * C == pytest.approx(certificate.primal, rel=1e-9)


def test_an_l1_part_that_vanishes_beside_the_l2_part():
    X = np.random.default_rng(0).standard_normal((20, 4))
    started = time.process_time()
    model = LogisticRegressionCV(l1_ratios=[1e-320], cv=2, tol=1e-10).fit(X, X[:, 0] > 0)
    assert time.process_time() - started < deadline(5.0)
    expected = LogisticRegressionCV(l1_ratios=[0.0], cv=2, tol=1e-10).fit(X, X[:, 0] > 0)
    np.testing.assert_allclose(model.scores_[True], expected.scores_[True])


def test_a_small_penalty_without_separation_says_that_it_stalls():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((100, 30)), rng.random(100) > 0.5
    with pytest.warns(ConvergenceWarning):
        model = LogisticRegression(C=1e69, l1_ratio=1.0).fit(X, y)
    assert model.certificate_.status == "stalled"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        free = LogisticRegression(C=np.inf, l1_ratio=1.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.coef_, free.coef_, atol=1e-3)


def test_a_deadline_holds_in_stages():
    X, y = steep()
    session = LogisticSession(X, y, fit_intercept=True)
    started = time.process_time()
    result = session.solve(1e-300, tol=1e-12, max_seconds=1e-6)
    assert time.process_time() - started < deadline(1.0)
    assert result.status == "max_seconds"
    assert result.gap > result.target


@pytest.mark.skipif(os.name == "nt", reason="os.kill cannot deliver Ctrl-C to a thread on Windows")
def test_ctrl_c_is_noticed_in_stages():
    X, y = steep()

    def work() -> None:
        while True:
            LogisticSession(X, y, fit_intercept=True).solve(1e-200, tol=1e-12)

    assert spent_after_ctrl_c(work) < deadline(1.0)  # 0.05 s between questions
