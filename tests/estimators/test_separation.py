"""Logistic models without a penalty: no optimum for what is told apart, a certificate otherwise."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from banditcd import GroupLogisticRegression, LogisticRegression, logistic_path, verify
from banditcd.estimators.checks.logistic import CLASS_REGIMES

SEEDS = range(4)


def overlapping(seed: int, classes: int, rows: int = 600, columns: int = 12):
    """Return samples most of which are sure, and some lie where the other classes do."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    y = np.argmax(5.0 * X[:, :classes] + rng.gumbel(size=(rows, classes)), axis=1)
    return X, y


def with_an_indicator(seed: int):
    """Return samples and a rare feature that only one class has."""
    X, y = overlapping(seed, 2)
    rare = (np.random.default_rng(seed).random(len(y)) < 0.05) & (y == 1)
    return np.column_stack([X, rare]), y


def one_apart(seed: int):
    """Return three classes, of which a feature tells the first from both others."""
    X, y = overlapping(seed, 3)
    X[:, 5] = np.where(y == 0, 1.0, -1.0) * (0.01 + np.abs(X[:, 5]))
    return X, y


APART = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    **{f"indicator {seed}": with_an_indicator(seed) for seed in SEEDS},
    **{f"one of three {seed}": one_apart(seed) for seed in SEEDS},
}


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("data", APART)
def test_a_part_that_is_told_apart_has_no_optimum(data, fit_intercept, store):
    X, y = APART[data]
    model = LogisticRegression(C=np.inf, fit_intercept=fit_intercept)
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        model.fit(store(X), y)
    assert model.certificate_.status == "separable"


@pytest.mark.parametrize("standardize", [False, True])
def test_units_of_the_features_do_not_matter(standardize):
    X, y = one_apart(0)
    model = LogisticRegression(C=np.inf, standardize=standardize, max_iter=1000)
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        model.fit(X * np.logspace(-3, 3, X.shape[1]) + 5.0, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_classes_that_overlap_have_an_optimum_and_a_certificate(seed, classes, fit_intercept):
    X, y = overlapping(seed, classes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression(C=np.inf, fit_intercept=fit_intercept).fit(X, y)
    assert model.certificate_.converged
    proof = verify(model, X, y)
    assert proof.gap <= model.certificate_.target + proof.rounding


@pytest.mark.parametrize("solver", CLASS_REGIMES)
def test_every_kind_of_step_certifies_a_model_without_a_penalty(solver):
    """Rounding sent conjugate gradients along moves that all classes share, without curvature."""
    X, y = overlapping(0, 3, rows=3000, columns=30)
    model = LogisticRegression(C=np.inf, solver=solver, max_iter=60).fit(X, y)
    assert model.certificate_.converged
    assert model.certificate_.gap <= 1e-4


def test_samples_without_weight_do_not_count():
    X, y = one_apart(0)
    y = y.copy()
    wrong = np.argmax(np.where(y == 0, X[:, 5], -np.inf))
    y[wrong] = 1
    weight = np.ones(len(y))
    assert LogisticRegression(C=np.inf).fit(X, y, sample_weight=weight).certificate_.converged
    weight[wrong] = 0.0
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        LogisticRegression(C=np.inf).fit(X, y, sample_weight=weight)


def test_groups_and_paths_say_so_too():
    X, y = with_an_indicator(1)
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        GroupLogisticRegression(groups=1, C=np.inf).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        logistic_path(X, y, Cs=[np.inf], l1_ratio=0.0)


def test_bounds_may_keep_an_optimum():
    X, y = with_an_indicator(0)
    model = LogisticRegression(C=np.inf, upper=3.0).fit(X, y)
    assert model.certificate_.converged
    assert model.coef_.max() == pytest.approx(3.0)


def test_a_class_without_weight_separates_nothing():
    # Its intercept has a limit; what the others share is what counts.
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 3)), rng.integers(0, 4, 300)
    weight = np.where(y == 3, 0.0, 1.0)
    model = LogisticRegression(C=np.inf).fit(X, y, sample_weight=weight)
    assert model.certificate_.status == "converged"


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0, 0.5])
@pytest.mark.parametrize("weights", [0.0, [1.0] * 12 + [0.0]])
def test_columns_without_a_penalty_of_their_own_tell_classes_apart_too(weights, l1_ratio):
    X, y = with_an_indicator(1)
    weights = np.broadcast_to(weights, X.shape[1])
    with pytest.warns(ConvergenceWarning, match="no penalty weight of 0"):
        model = LogisticRegression(penalty_weights=weights, l1_ratio=l1_ratio).fit(X, y)
    assert model.certificate_.status == "separable"
    assert model.certificate_.gap < np.inf
    with pytest.warns(ConvergenceWarning, match="no penalty weight of 0"):
        GroupLogisticRegression(groups=1, weights=weights).fit(X, y)


def test_columns_with_a_penalty_tell_nothing_apart():
    X, y = with_an_indicator(1)
    for last in (1.0, np.inf):
        model = LogisticRegression(penalty_weights=[0.0] * 12 + [last]).fit(X, y)
        assert model.certificate_.status == "converged"
    excluded = LogisticRegression(C=np.inf, penalty_weights=[1.0] * 12 + [np.inf]).fit(X, y)
    assert excluded.certificate_.status == "converged"
