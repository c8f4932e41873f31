"""Default fits of the L1 machine and of regression are as accurate as scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import svm

from banditcd import LinearSVC, LinearSVR
from tests.estimators.test_accuracy import instance as wide

ROUNDING = 1e-9
LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")


def generated(seed):
    """Return mixed columns of all sizes, labels, responses and a C."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(30, 600)), int(rng.integers(3, 60))
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.5 * rng.normal(size=(d, d)) / np.sqrt(d))
    X *= rng.lognormal(0.0, 1.0, d)
    labels = X[:, 0] * rng.normal() + rng.normal(size=n) > 0.0
    C = 10.0 ** rng.integers(-2, 3)
    y = X @ (rng.normal(size=d) * (rng.random(d) < 0.3)) + rng.normal(size=n)
    return X, labels, y, C


def no_farther(ours, theirs, exact, X, y):
    best = exact.fit(X, y).coef_
    mine, other = (np.abs(model.fit(X, y).coef_ - best).max() for model in (ours, theirs))
    assert mine <= other + ROUNDING * np.abs(best).max()


#: The rest of 200 in the full suite.
SEEDS = [*range(12), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(12, 200))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_l1_machine_is_no_farther_from_the_optimum(seed):
    X, labels, _, C = generated(seed)
    ours = LinearSVC(penalty="l1", C=C)
    theirs = svm.LinearSVC(penalty="l1", dual=False, C=C, random_state=0)
    exact = LinearSVC(penalty="l1", C=C, tol=1e-13, max_iter=100_000)
    no_farther(ours, theirs, exact, X, labels)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_regression_is_no_farther_from_the_optimum(seed, loss):
    X, _, y, C = generated(seed)
    theirs = svm.LinearSVR(C=C, loss=loss, random_state=0)
    exact = LinearSVR(C=C, loss=loss, tol=1e-13, max_iter=100_000)
    no_farther(LinearSVR(C=C, loss=loss), theirs, exact, X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_regression_on_twenty_wide_rows_is_no_farther_from_the_optimum():
    X, y, _, _ = wide(14)
    y = (y - y.mean()) / y.std()
    theirs = svm.LinearSVR(epsilon=0.1, random_state=0)
    exact = LinearSVR(epsilon=0.1, tol=1e-13, max_iter=100_000)
    no_farther(LinearSVR(epsilon=0.1), theirs, exact, X, y)
