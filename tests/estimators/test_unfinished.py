"""A fit that ran out of iterations says of its own point how good it is."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from banditcd import ElasticNet, Lasso, LinearSVC, LogisticRegression

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SHAPES = [(60, 300), (400, 80)]
BUDGETS = range(1, 11)


def sample(shape):
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) + 0.5 * rng.normal(size=(shape[0], 1))
    return X, X[:, :15] @ rng.normal(size=15) + 0.5 * rng.normal(size=shape[0])


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("l1_ratio", [1.0, 0.7])
def test_regression_certifies_the_point_it_returns(shape, l1_ratio, budget):
    X, y = sample(shape)
    options = {"alpha": 0.01, "max_iter": budget, "tol": 1e-12}
    model = Lasso(**options) if l1_ratio == 1.0 else ElasticNet(l1_ratio=l1_ratio, **options)
    model.fit(X, y)
    w, residual = model.coef_, y - model.predict(X)
    penalty = l1_ratio * np.abs(w).sum() + 0.5 * (1.0 - l1_ratio) * w @ w
    assert model.certificate_.primal == pytest.approx(
        0.5 * residual @ residual / len(y) + 0.01 * penalty, rel=1e-10
    )
    best = type(model)(**{**model.get_params(), "max_iter": 10_000, "tol": 1e-10}).fit(X, y)
    excess = model.certificate_.primal - best.certificate_.primal
    assert excess <= model.dual_gap_ + best.dual_gap_


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
def test_classifiers_certify_the_point_they_return(shape, loss, budget):
    X, y = sample(shape)
    y = np.sign(y)
    options = {"C": 1.0, "fit_intercept": False, "max_iter": budget, "tol": 1e-12}
    model = LogisticRegression(**options) if loss == "logistic" else LinearSVC(loss=loss, **options)
    w = model.fit(X, y).coef_.ravel()
    margin = y * (X @ w)
    slack = np.maximum(1.0 - margin, 0.0)
    losses = {"hinge": slack, "squared_hinge": slack**2, "logistic": np.logaddexp(0.0, -margin)}
    value = losses[loss].sum() + 0.5 * w @ w
    assert model.certificate_.primal == pytest.approx(value, rel=1e-10)
    null = {"hinge": 1.0, "squared_hinge": 1.0, "logistic": np.log(2.0)}[loss] * len(y)
    assert value <= null * (1.0 + 1e-12)


def test_more_iterations_do_not_end_in_the_null_model():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 100))
    y = np.sign(X[:, :10] @ rng.normal(size=10) + 2.0 * rng.normal(size=600))
    for budget in BUDGETS:
        assert LinearSVC(loss="hinge", C=1.0, max_iter=budget).fit(X, y).coef_.any(), budget


def test_each_class_against_the_rest_may_be_separable():
    X, y = load_iris(return_X_y=True)  # the first class is, the others are not
    model = LogisticRegression(C=np.inf, multi_class="ovr")
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        model.fit(X, y)
    assert [c.status == "separable" for c in model.certificate_] == [True, False, False]


def test_a_class_without_weight_separates_nothing():
    """One against the rest, its intercept has a limit; the other classes overlap."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 3
    weight = (y != 1).astype(float)
    for multi_class in ("ovr", "multinomial"):
        model = LogisticRegression(C=np.inf, multi_class=multi_class)
        found = model.fit(X, y, sample_weight=weight).certificate_
        certificates = found if isinstance(found, (list, tuple)) else [found]
        assert "separable" not in {certificate.status for certificate in certificates}
