"""float32 in, float32 out, with the certificate of the rounded numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning

import banditcd

QUIET = {"l1_ratios": (0.0,), "scoring": "neg_log_loss", "use_legacy_attributes": False}
MODELS = {
    "Lasso": lambda: banditcd.Lasso(alpha=0.1),
    "Lasso positive": lambda: banditcd.Lasso(alpha=0.1, positive=True),
    "Lasso bounds": lambda: banditcd.Lasso(alpha=0.01, lower=-0.1, upper=0.1),
    "Lasso excluded": lambda: banditcd.Lasso(alpha=0.1, penalty_weights=[np.inf] + [1.0] * 11),
    "Lasso engine": lambda: banditcd.Lasso(alpha=0.1, solver="engine"),
    "ElasticNet": lambda: banditcd.ElasticNet(alpha=0.1),
    "ElasticNet standardized": lambda: banditcd.ElasticNet(alpha=0.1, standardize=True),
    "LassoCV": lambda: banditcd.LassoCV(alphas=5, cv=3),
    "ElasticNetCV": lambda: banditcd.ElasticNetCV(
        alphas=5, cv=3, store_path=True, standardize=True
    ),
    "Ridge bounds": lambda: banditcd.Ridge(alpha=0.1, lower=0.0),
    "LogisticRegression": lambda: banditcd.LogisticRegression(l1_ratio=1.0),
    "LogisticRegression ovr": lambda: banditcd.LogisticRegression(multi_class="ovr"),
    "LogisticRegressionCV": lambda: banditcd.LogisticRegressionCV(
        Cs=3, cv=3, store_path=True, **QUIET
    ),
    "LogisticRegressionCV L1": lambda: banditcd.LogisticRegressionCV(
        Cs=3, cv=3, standardize=True, store_path=True, **QUIET | {"l1_ratios": (1.0,)}
    ),
    "GroupLasso": lambda: banditcd.GroupLasso(3, alpha=0.1),
    "GroupLasso excluded": lambda: banditcd.GroupLasso(3, alpha=0.1, weights=[0, np.inf, 1, 2]),
    "GroupLassoCV": lambda: banditcd.GroupLassoCV(3, alphas=5, cv=3),
    "GroupLogisticRegression": lambda: banditcd.GroupLogisticRegression(3),
    "GroupLogisticRegressionCV": lambda: banditcd.GroupLogisticRegressionCV(3, Cs=3, cv=3),
    "MultiTaskLasso": lambda: banditcd.MultiTaskLasso(alpha=0.1),
    "MultiTaskElasticNet": lambda: banditcd.MultiTaskElasticNet(alpha=0.1, l1_ratio=0.7),
    "MultiTaskElasticNet ridge": lambda: banditcd.MultiTaskElasticNet(alpha=0.1, l1_ratio=0.0),
    "MultiTaskElasticNet weights": lambda: banditcd.MultiTaskElasticNet(
        alpha=0.1, fit_intercept=False, penalty_weights=np.arange(12.0)
    ),
    "MultiTaskLassoCV": lambda: banditcd.MultiTaskLassoCV(alphas=5, cv=3),
    "MultiTaskElasticNetCV": lambda: banditcd.MultiTaskElasticNetCV(alphas=5, cv=3),
}
STORAGES = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((80, 12)) * 2.0 ** rng.integers(-2, 3, 12)).astype(np.float32)
    return X, X[:, :4].sum(axis=1) + rng.standard_normal(80)


def targets_of(model, y):
    if type(model).__name__.startswith("MultiTask"):
        return np.stack([y, y**2, 3.0 - y], axis=1)
    return y > 0.0 if hasattr(model, "predict_proba") else y


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("name", MODELS)
def test_coefficients_and_predictions_are_float32(name, storage, data):
    X, y = data
    model = MODELS[name]()
    model.fit(STORAGES[storage](X), targets_of(model, y))
    scores = model.decision_function if hasattr(model, "decision_function") else model.predict
    assert model.coef_.dtype == np.float32
    assert np.asarray(model.intercept_).dtype == np.float32
    assert scores(X).dtype == np.float32
    for method in ("predict_proba", "predict_log_proba"):
        assert getattr(model, method, scores)(X).dtype == np.float32
    certificate = np.ravel(model.certificate_)[0]
    assert certificate.converged
    assert certificate.gap <= certificate.target
    for path in ("coef_path_", "intercept_path_", "coefs_paths_"):
        assert getattr(model, path, model.coef_).dtype == np.float32


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_certificate_is_that_of_the_numbers_returned(storage, weighted, data):
    X, y = data
    weight = np.arange(80) % 3 + 0.5 if weighted else np.ones(80)
    model = banditcd.ElasticNet(alpha=0.1, l1_ratio=0.7)
    model.fit(STORAGES[storage](X), y, sample_weight=weight)
    coef = model.coef_.astype(np.float64)
    residual = y - X.astype(np.float64) @ coef - float(model.intercept_)
    loss = 0.5 * np.average(residual**2, weights=weight)
    penalty = 0.1 * (0.7 * np.abs(coef).sum() + 0.15 * coef @ coef)
    assert model.certificate_.primal == pytest.approx(loss + penalty, rel=1e-13)


def test_bounds_hold_after_rounding(data):
    X, y = data
    model = banditcd.Lasso(alpha=1e-3, lower=-0.1, upper=0.1).fit(X, y)
    assert np.abs(model.coef_.astype(np.float64)).max() <= 0.1


def test_where_rounding_loses_the_target_the_sentence_says_float64(data):
    X, y = data
    model = banditcd.Lasso(alpha=0.1, tol=1e-15)
    with pytest.warns(ConvergenceWarning, match="Pass X as float64"):
        model.fit(X, y)
    assert model.certificate_.status == "stalled"
    assert model.certificate_.lost_to_float32
    assert model.dual_gap_ > model.certificate_.target


def test_float64_is_advised_where_the_fit_itself_had_stalled_lower(data):
    """Rounding made all of the gap but its last digits: to raise tol is not what helps."""
    X, y = data
    X, model = X + np.float32(100.0), banditcd.Lasso(alpha=1e-3, tol=0.0)
    with pytest.warns(ConvergenceWarning, match="Pass X as float64"):
        model.fit(X, y)
    assert model.certificate_.lost_to_float32
    with pytest.warns(ConvergenceWarning, match="Raise tol to"):
        exact = banditcd.Lasso(alpha=1e-3, tol=0.0).fit(X.astype(np.float64), y)
    assert exact.dual_gap_ < 1e-3 * model.dual_gap_


def test_paths_are_float32_and_certified(data):
    X, y = data
    alphas, coefs, gaps = banditcd.lasso_path(X, y, alphas=7)
    assert coefs.dtype == np.float32
    assert gaps.dtype == np.float64
    exact = banditcd.lasso_path(X.astype(np.float64), y, alphas=alphas, tol=1e-12)[1]

    def objective(coefs):
        residual = y[:, None] - X.astype(np.float64) @ coefs
        return 0.5 * (residual**2).mean(axis=0) + alphas * np.abs(coefs).sum(axis=0)

    lead = objective(coefs.astype(np.float64)) - objective(exact)
    assert (lead <= gaps + 1e-10).all()


def test_support_vector_machines_stay_in_float64_as_in_scikit_learn(data):
    X, y = data
    labels = np.digitize(y, [-1.0, 1.0])
    for ours, theirs, target in (
        (banditcd.LinearSVC(), svm.LinearSVC(), y > 0.0),
        (banditcd.LinearSVC(), svm.LinearSVC(), labels),
        (banditcd.LinearSVR(), svm.LinearSVR(max_iter=100_000), y),
    ):
        for model in (ours, theirs):
            model.fit(X, target)
            method = getattr(model, "decision_function", model.predict)
            assert model.coef_.dtype == method(X).dtype == np.float64
        assert ours.predict(X).dtype == theirs.predict(X).dtype


@pytest.mark.parametrize("options", [{}, {"l1_ratio": 1.0}, {"l1_ratio": 0.5, "upper": 0.3}])
@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("storage", STORAGES)
def test_a_multinomial_model_is_float32_and_judged_as_returned(options, standardize, storage, data):
    X, y = data
    classes, samples = np.digitize(y, [-1.0, 1.0]), STORAGES[storage](X)
    model = banditcd.LogisticRegression(standardize=standardize, **options).fit(samples, classes)
    assert model.coef_.dtype == model.intercept_.dtype == np.float32
    assert model.decision_function(X).dtype == np.float32
    proof, seen = model.certificate_, banditcd.verify(model, samples, classes)
    assert proof.converged
    assert proof.primal == pytest.approx(seen.objective, rel=1e-13)
    assert seen.gap <= proof.gap + seen.rounding + 1e-11 * seen.objective


@pytest.mark.parametrize("options", [{"lower": 0.0}, {"penalty_weights": [0.5] * 12}])
def test_ridge_by_coordinates_certifies_the_numbers_returned(options, data):
    X, y = data
    model = banditcd.Ridge(alpha=3.0, **options).fit(X, y)
    seen = banditcd.verify(model, X, y)
    assert model.certificate_.primal == pytest.approx(seen.objective, rel=1e-13)
    with pytest.warns(ConvergenceWarning, match="Pass X as float64"):
        model.fit(X, 1e-50 * y)  # coefficients below float32
    assert not model.coef_.any()
    assert model.certificate_.primal == pytest.approx(
        banditcd.verify(model, X, 1e-50 * y).objective
    )


def test_groups_certify_the_numbers_returned(data):
    X, y = data
    model = banditcd.GroupLogisticRegression(groups=3).fit(X, y > 0.0)
    assert model.coef_.dtype == np.float32
    seen = banditcd.verify(model, X, y > 0.0)
    assert model.certificate_.primal == pytest.approx(seen.objective, rel=1e-13)
    assert model.certificate_.dual <= seen.objective


def test_coefficients_beyond_float32_are_refused(data):
    X, y = data
    for model in (banditcd.Ridge(lower=0.0), banditcd.Lasso(alpha=1e30)):
        with pytest.raises(ValueError, match="overflow the float32 of X"):
            model.fit(X, 1e50 * y)


BLOCKS = [
    name
    for name in MODELS
    if name.startswith(("MultiTask", "GroupLasso")) and "TaskLassoCV" not in name
    if "TaskElasticNetCV" not in name  # which verify does not judge
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", BLOCKS)
def test_models_with_blocks_certify_the_numbers_returned(name, weighted, data):
    X, y = data
    weight = np.arange(80) % 3 + 0.5 if weighted else None
    model = MODELS[name]()
    target = targets_of(model, y)
    model.fit(X, target, sample_weight=weight)
    proof, seen = model.certificate_, banditcd.verify(model, X, target, sample_weight=weight)
    assert proof.primal == pytest.approx(seen.objective, rel=1e-13)
    assert proof.gap == model.dual_gap_ == max(proof.primal - proof.dual, 0.0)
    assert proof.dual <= seen.objective + seen.rounding


@pytest.mark.parametrize("name", ["GroupLasso", "MultiTaskLasso", "LogisticRegression"])
def test_every_kind_of_model_says_float64_where_rounding_loses_the_target(name, data):
    X, y = data
    model = MODELS[name]().set_params(tol=1e-12)
    X = X + np.float32(1000.0)  # far from 0, so that digits of the intercept matter
    with pytest.warns(ConvergenceWarning, match="Pass X as float64"):
        model.fit(X, targets_of(model, y))
    (certificate,) = np.ravel(model.certificate_)
    assert certificate.status == "stalled"
    assert certificate.lost_to_float32


def paths_of(X, y):
    """Every path function, with coefficients and gaps of its answer."""
    several, labels = np.stack([y, y**2], axis=1), np.digitize(y, [-1.0, 1.0])
    return {
        "lasso": lambda **o: banditcd.lasso_path(X, y, alphas=5, fit_intercept=True, **o),
        "lasso joint": lambda **o: banditcd.lasso_path(X, several, alphas=5, **o),
        "enet joint": lambda **o: banditcd.enet_path(X, several, alphas=5, **o),
        "group lasso": lambda **o: banditcd.group_lasso_path(X, y, 3, alphas=5, **o),
        "logistic": lambda **o: banditcd.logistic_path(X, y > 0.0, Cs=5, **o),
        "standardized": lambda **o: banditcd.logistic_path(
            X, y > 0.0, Cs=5, standardize=True, upper=0.3, **o
        ),
        "multinomial": lambda **o: banditcd.logistic_path(X, labels, Cs=5, **o),
        "one vs rest": lambda **o: banditcd.logistic_path(X, labels, Cs=5, multi_class="ovr", **o),
        "group logistic": lambda **o: banditcd.group_logistic_path(X, y > 0.0, 3, Cs=5, **o),
    }


@pytest.mark.filterwarnings("ignore:Objective did not converge")
@pytest.mark.parametrize("name", paths_of(np.zeros((1, 1)), np.zeros(1)))
def test_every_path_is_float32_with_gaps_of_the_rounded_models(name, data):
    X, y = data
    path = paths_of(X, y)[name]()
    assert path.coefs.dtype == path.intercepts.dtype == np.float32
    assert path.dual_gaps.dtype == np.float64
    exact = paths_of(X.astype(np.float64), y)[name]()
    assert exact.coefs.dtype == np.float64
    # far columns, so that rounding shows above that of the gaps themselves, and as far as it lets
    # them: what a larger tol leaves can be more than float32 costs
    far = X + np.float32(3.0)
    tight = [paths_of(each, y)[name](tol=1e-15) for each in (far, far.astype(np.float64))]
    assert tight[0].dual_gaps.sum() > tight[1].dual_gaps.sum()
    np.testing.assert_allclose(path.coefs, exact.coefs, rtol=1e-5, atol=1e-6)


def test_searches_without_a_refit_average_in_float32(data):
    X, y = data
    model = banditcd.LogisticRegressionCV(Cs=3, cv=3, refit=False, **QUIET).fit(X, y > 0.0)
    assert model.coef_.dtype == model.intercept_.dtype == np.float32
