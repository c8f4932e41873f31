"""From x to the model: the same as scikit-learn's estimators, with their scalings."""

import numpy as np
import pytest
from sklearn import linear_model, svm

from banditcd import minimize, problems
from tests.instances import make_data
from tests.versions import their_l1_ratio

X, Y = make_data("uneven", (40, 6), False, 3)
SIGN = make_data("uneven", (40, 6), True, 3)[1]
N = len(Y)
TIGHT = {"tol": 1e-12, "max_epochs": 20000, "random_state": 0, "trace": None}


def fitted(problem):
    result = minimize(problem, "shuffled", **TIGHT)
    assert result.converged
    return result


def close(coef, estimator, atol=1e-5):
    np.testing.assert_allclose(coef, np.ravel(estimator.coef_), atol=atol)


def test_lasso_with_and_without_weights():
    ours = fitted(problems.Lasso(X, Y, alpha=0.1))
    theirs = linear_model.Lasso(alpha=0.1, fit_intercept=False, tol=1e-12, max_iter=100000)
    close(ours.coef, theirs.fit(X, Y))
    weight = np.linspace(0.1, 3.0, N)
    ours = fitted(problems.Lasso(X, Y, alpha=0.1, sample_weight=weight))
    close(ours.coef, theirs.fit(X, Y, sample_weight=weight))
    positive = fitted(problems.Lasso(X, Y, alpha=0.1, lower=0.0))
    close(positive.coef, theirs.set_params(positive=True).fit(X, Y))


@pytest.mark.parametrize("cost", ["ElasticNet", "ElasticNetDual"])
@pytest.mark.parametrize("l1_ratio", [0.2, 0.9])
def test_elastic_net_in_both_spaces(cost, l1_ratio):
    ours = fitted(problems.make(cost, X, Y, alpha=0.2, l1_ratio=l1_ratio))
    theirs = linear_model.ElasticNet(
        alpha=0.2, l1_ratio=l1_ratio, fit_intercept=False, tol=1e-12, max_iter=100000
    )
    close(ours.coef, theirs.fit(X, Y))


def test_the_elastic_net_dual_maps_back_with_a_minus():
    problem = problems.ElasticNetDual(X, Y, alpha=0.2, l1_ratio=0.5)
    x = np.linspace(-0.1, 0.1, N)
    v, lam, rho = X.T @ x, 0.1, 0.1
    theta = -np.sign(v) * np.maximum(np.abs(v) - lam, 0.0) / rho
    np.testing.assert_allclose(problem.coef(x), theta, atol=1e-14)
    primal = np.mean((Y - X @ theta) ** 2) / 2 + lam * np.abs(theta).sum() + rho / 2 * theta @ theta
    assert problem.certificate(x).primal == pytest.approx(primal)


@pytest.mark.parametrize("cost", ["Ridge", "RidgeDual"])
@pytest.mark.parametrize(("scaling", "factor"), [("half", 1.0), ("paper", 0.5)])
def test_ridge_in_both_spaces_and_scalings(cost, scaling, factor):
    ours = fitted(problems.make(cost, X, Y, alpha=0.3, scaling=scaling))
    theirs = linear_model.Ridge(alpha=0.3 * N * factor, fit_intercept=False, solver="cholesky")
    close(ours.coef, theirs.fit(X, Y))


def test_ridge_with_weights():
    weight = np.linspace(0.1, 3.0, N)
    ours = fitted(problems.Ridge(X, Y, alpha=0.3, sample_weight=weight))
    theirs = linear_model.Ridge(alpha=0.3 * weight.sum(), fit_intercept=False, solver="cholesky")
    close(ours.coef, theirs.fit(X, Y, sample_weight=weight))


def test_logistic_l1():
    ours = fitted(problems.LogisticL1(X, SIGN, alpha=0.02))
    theirs = linear_model.LogisticRegression(
        **their_l1_ratio(1.0),
        C=1 / (0.02 * N),
        fit_intercept=False,
        solver="saga",
        tol=1e-10,
        max_iter=50000,
    )
    close(ours.coef, theirs.fit(X, SIGN), atol=1e-4)


def test_logistic_dual():
    ours = fitted(problems.LogisticDual(X, SIGN, alpha=0.05))
    theirs = linear_model.LogisticRegression(
        C=1 / (0.05 * N), fit_intercept=False, solver="newton-cholesky", tol=1e-12
    )
    close(ours.coef, theirs.fit(X, SIGN))


@pytest.mark.parametrize(
    ("cost", "loss"), [("HingeDual", "hinge"), ("SquaredHingeDual", "squared_hinge")]
)
def test_support_vector_machines(cost, loss):
    ours = fitted(problems.make(cost, X, SIGN, alpha=0.1))
    theirs = svm.LinearSVC(
        loss=loss, C=1 / (0.1 * N), fit_intercept=False, dual=True, tol=1e-10, max_iter=1000000
    )
    close(ours.coef, theirs.fit(X, SIGN), atol=1e-4)


@pytest.mark.parametrize(
    ("cost", "loss"),
    [
        ("RidgeDual", lambda m: (Y - m) ** 2 / 2),
        ("HingeDual", lambda m: np.maximum(1 - SIGN * m, 0)),
        ("SquaredHingeDual", lambda m: np.maximum(1 - SIGN * m, 0) ** 2),
        ("LogisticDual", lambda m: np.logaddexp(0, -SIGN * m)),
    ],
)
def test_the_primal_objective_of_a_dual_is_that_of_its_model(cost, loss):
    target = Y if cost == "RidgeDual" else SIGN
    problem = problems.make(cost, X, target, alpha=0.2)
    result = minimize(problem, "uniform", max_epochs=0.5, random_state=0)
    theta = result.coef
    np.testing.assert_allclose(theta, problem.A.matvec(result.x) / (0.2 * N))
    assert result.primal_objective == pytest.approx(loss(X @ theta).mean() + 0.1 * theta @ theta)
    assert problem.null_objective() == pytest.approx(loss(np.zeros(N)).mean())
    assert result.objective == pytest.approx(problem.objective(result.x))
    assert result.gap == pytest.approx(result.primal_objective + result.objective)


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], ["no", "yes"], [False, True], [3.5, 7.0]])
def test_the_larger_label_is_the_positive_class(labels):
    y = np.array(labels)[(SIGN > 0).astype(int)]
    for cost in ("LogisticL1", "HingeDual", "SquaredHingeDual", "LogisticDual"):
        ours = problems.make(cost, X, y, alpha=0.2)
        expected = problems.make(cost, X, SIGN, alpha=0.2)
        x = np.full(ours.d, 0.1)
        np.testing.assert_array_equal(ours.correlations(x), expected.correlations(x))


def test_alpha_max_is_where_the_model_becomes_zero():
    lasso = problems.Lasso(X, Y, alpha=1.0)
    assert lasso.alpha_max == pytest.approx(np.abs(X.T @ Y).max() / N)
    logistic = problems.LogisticL1(X, SIGN, alpha=1.0)
    assert logistic.alpha_max == pytest.approx(np.abs(X.T @ SIGN).max() / (2 * N))
    for cost, y, top in (("Lasso", Y, lasso.alpha_max), ("LogisticL1", SIGN, logistic.alpha_max)):
        above = minimize(problems.make(cost, X, y, alpha=top * 1.0001), "max_r", tol=1e-10)
        below = minimize(problems.make(cost, X, y, alpha=top * 0.99), "max_r", tol=1e-10)
        assert not above.coef.any()
        assert np.count_nonzero(below.coef) == 1


def test_alpha_max_with_options():
    weights = np.array([1.0, 2.0, 1.0, 0.0, 1.0, np.inf])
    problem = problems.Lasso(X, Y, alpha=1.0, penalty_weights=weights, lower=[0] + [-np.inf] * 5)
    u = X.T @ Y / N
    counted = [max(u[0], 0.0), abs(u[1]) / 2, abs(u[2]), abs(u[4])]
    assert problem.alpha_max == pytest.approx(max(counted))
    net = problems.ElasticNet(X, Y, alpha=1.0, l1_ratio=0.3)
    assert net.alpha_max == pytest.approx(np.abs(u).max() / 0.3)
    assert problem.keep(np.array([1, 2])).alpha_max == pytest.approx(max(counted[1:3]))
