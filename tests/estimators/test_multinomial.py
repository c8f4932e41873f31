"""Three and more classes as one model: agreement, certificates, words and corners."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as sk
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from banditcd import (
    GroupLogisticRegression,
    LogisticRegression,
    LogisticRegressionCV,
    logistic_path,
    verify,
)
from banditcd.estimators.checks.labels import check_labels
from banditcd.estimators.checks.logistic import CLASS_REGIMES, POOL_REGIMES
from tests.versions import INSTALLED, their_class_weight

X, Y = load_iris(return_X_y=True)
WEIGHT = np.random.default_rng(0).uniform(0.1, 2.0, len(Y))


def test_standardized_digits() -> None:
    """The done-check of the model: no worse by default, the same where both are exact."""
    samples, y = load_digits(return_X_y=True)
    samples = StandardScaler().fit_transform(samples)

    def objective(model):
        return len(y) * log_loss(y, model.predict_proba(samples)) + 0.5 * np.sum(model.coef_**2)

    ours = LogisticRegression().fit(samples, y)
    theirs = sk.LogisticRegression(max_iter=1000).fit(samples, y)
    assert objective(ours) <= objective(theirs)
    exact = LogisticRegression(tol=1e-12).fit(samples, y)
    best = sk.LogisticRegression(solver="newton-cholesky", tol=1e-10).fit(samples, y)
    np.testing.assert_allclose(exact.coef_, best.coef_, atol=1e-5)
    np.testing.assert_allclose(exact.intercept_, best.intercept_, atol=1e-5)
    apart = log_loss(y, exact.predict_proba(samples)) - log_loss(y, best.predict_proba(samples))
    assert abs(apart) <= 1e-8


@pytest.mark.parametrize("kind", [np.asarray, np.asfortranarray, sparse.csr_matrix])
@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"class_weight": "balanced"}])
def test_an_l2_penalty_gives_their_coefficients(kind, weight, options) -> None:
    ours = LogisticRegression(tol=1e-12, **options).fit(kind(X), Y, sample_weight=weight)
    theirs = sk.LogisticRegression(solver="newton-cholesky", tol=1e-10, **options)
    theirs.set_params(class_weight=their_class_weight(theirs.class_weight, Y, weight))
    theirs.fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    np.testing.assert_allclose(ours.coef_.sum(axis=0), 0.0, atol=1e-12)
    assert ours.n_iter_.shape == ours.dual_gap_.shape == (1,)
    assert ours.certificate_.converged


@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("options", [{}, {"penalty_weights": [0, 1, 1, 2]}, {"lower": -0.5}])
def test_the_judge_confirms_the_certificate(ratio, options) -> None:
    model = LogisticRegression(C=0.3, l1_ratio=ratio, tol=1e-9, **options)
    model.fit(X, Y, sample_weight=WEIGHT)
    verdict, proof = verify(model, X, Y, sample_weight=WEIGHT), model.certificate_
    assert proof.converged
    assert verdict.objective == pytest.approx(proof.primal, rel=1e-10)
    assert verdict.gap <= 1e-7 * verdict.objective


def test_balanced_weights_are_the_sample_weights_they_stand_for() -> None:
    y = np.r_[Y[:120], np.zeros(30, dtype=int)]
    sizes = np.bincount(y)
    direct = LogisticRegression(class_weight="balanced").fit(X, y)
    weighted = LogisticRegression().fit(X, y, sample_weight=(len(y) / (3.0 * sizes))[y])
    np.testing.assert_allclose(direct.coef_, weighted.coef_, atol=1e-8)


@pytest.mark.parametrize("class_weight", ["balanced", {0: 3.0, 1: 0.5}])
def test_class_weights_of_one_against_the_rest(class_weight) -> None:
    """As scikit-learn's: by problem; with its LIBLINEAR the class of a problem alone."""
    y = np.r_[Y[:120], np.zeros(30, dtype=int)]
    options = {"class_weight": class_weight, "multi_class": "ovr", "tol": 1e-10}
    model = LogisticRegression(**options).fit(X, y)
    if class_weight == "balanced":
        rows = OneVsRestClassifier(LogisticRegression(class_weight="balanced", tol=1e-10)).fit(X, y)
        groups = GroupLogisticRegression(class_weight="balanced", tol=1e-10).fit(X, y)
        each = OneVsRestClassifier(GroupLogisticRegression(class_weight="balanced", tol=1e-10))
        for k in range(3):
            expected = rows.estimators_[k].coef_[0]
            np.testing.assert_allclose(model.coef_[k], expected, atol=1e-6)
            expected = each.fit(X, y).estimators_[k].coef_[0]
            np.testing.assert_allclose(groups.coef_[k], expected, atol=1e-6)
    else:
        weight = np.array([3.0, 0.5, 1.0])[y]
        rest = LogisticRegression(multi_class="ovr", tol=1e-10).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(model.coef_, rest.coef_, atol=1e-6)
    factors = len(y) / (3.0 * np.bincount(y)) if class_weight == "balanced" else [3.0, 0.5, 1.0]
    liblinear = LogisticRegression(solver="liblinear", **options).fit(X, y)
    for k in range(3):
        weight = np.where(y == k, factors[k], 1.0)
        alone = LogisticRegression(tol=1e-10).fit(X, y == k, sample_weight=weight)
        np.testing.assert_allclose(liblinear.coef_[k], alone.coef_[0], atol=1e-6)
    for fitted in (model, liblinear):
        primal = sum(proof.primal for proof in fitted.certificate_)
        assert verify(fitted, X, y).objective == pytest.approx(primal, rel=1e-10)


def test_without_a_penalty_a_model_that_tells_all_apart_has_no_optimum() -> None:
    samples = np.array([[0.0, 1.0], [0.1, 1.1], [3.0, 0.0], [3.1, 0.2], [-3.0, -3.0], [-3.1, -2.8]])
    labels = np.array(["a", "a", "b", "b", "c", "c"])
    for y in (labels, labels == "c"):
        with pytest.warns(ConvergenceWarning, match="No optimum exists"):
            model = LogisticRegression(C=np.inf).fit(samples, y)
        assert model.certificate_.status == "separable"
    overlapping = np.r_[Y[:100], Y[100:] * 0 + 1]
    overlapping[::7] = 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticRegression(C=np.inf, tol=1e-8).fit(X, overlapping)
    theirs = sk.LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    np.testing.assert_allclose(
        model.predict_proba(X), theirs.fit(X, overlapping).predict_proba(X), atol=1e-5
    )


def test_a_selector_needs_one_against_the_rest() -> None:
    with pytest.raises(ValueError, match=r"no multinomial cost\. Set multi_class='ovr'"):
        LogisticRegression(selector="cyclic").fit(X, Y)
    model = LogisticRegression(selector="cyclic", multi_class="ovr", max_iter=20000).fit(X, Y)
    assert len(model.certificate_) == 3


def test_coefficients_set_by_hand_predict() -> None:
    fitted = LogisticRegression().fit(X, Y)
    model = LogisticRegression()
    model.coef_, model.intercept_, model.classes_ = fitted.coef_, fitted.intercept_, np.arange(3)
    np.testing.assert_array_equal(model.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))


def test_log_probabilities_do_not_underflow() -> None:
    model = LogisticRegression().fit(X, Y)
    model.coef_ = 1e4 * model.coef_
    logs = model.predict_log_proba(X)
    assert np.isfinite(logs).all()
    assert logs.min() < -1e3


@pytest.mark.parametrize("ratio", [0.0, 1.0])
def test_a_warm_start_and_a_limit_of_zero(ratio) -> None:
    model = LogisticRegression(l1_ratio=ratio, warm_start=True, tol=1e-8).fit(X, Y)
    first = model.coef_.copy()
    assert model.fit(X, Y).n_iter_[0] == 0  # a solved problem takes no step
    np.testing.assert_allclose(model.coef_, first, atol=1e-4)
    with pytest.warns(ConvergenceWarning):
        null = LogisticRegression(l1_ratio=ratio, max_iter=0, tol=1e-8).fit(X, Y)
    assert null.n_iter_.tolist() == [0]
    assert not null.coef_.any()


@pytest.mark.parametrize("ratio", [0.0, 1.0])
def test_classes_without_weight(ratio) -> None:
    model = LogisticRegression(class_weight={2: 0.0}, l1_ratio=ratio, tol=1e-9).fit(X, Y)
    assert not model.coef_[2].any()
    assert 2 not in model.predict(X)
    two = LogisticRegression(tol=1e-10, C=2.0).fit(X[:100], Y[:100])
    if ratio == 0.0:  # two rows w and -w: half the squares of their difference
        np.testing.assert_allclose(model.coef_[1] - model.coef_[0], two.coef_[0], atol=1e-4)
    only = LogisticRegression(class_weight={1: 0.0, 2: 0.0}, l1_ratio=ratio).fit(X, Y)
    assert set(only.predict(X)) == {0}
    assert only.certificate_.primal == 0.0


@pytest.mark.skipif(
    parse_version("1.8") > INSTALLED, reason="scikit-learn < 1.8 has no use_legacy_attributes"
)
def test_a_search_is_that_of_scikit_learn() -> None:
    options = {"Cs": [0.1, 1.0], "cv": 3, "scoring": "neg_log_loss", "use_legacy_attributes": False}
    ours = LogisticRegressionCV(l1_ratios=[0.0], tol=1e-10, **options).fit(X, Y)
    theirs = sk.LogisticRegressionCV(
        l1_ratios=[0.0], solver="newton-cholesky", tol=1e-10, **options
    ).fit(X, Y)
    np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-5)
    np.testing.assert_allclose(ours.coefs_paths_, theirs.coefs_paths_, atol=1e-4)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    assert ours.certificate_.converged


def test_a_path() -> None:
    Cs, coefs, intercepts, gaps = logistic_path(X, Y, Cs=4)
    assert coefs.shape == (3, 4, 4)
    assert not coefs[:, :, 0].any()
    assert coefs[:, :, 1].any()
    assert intercepts.shape == (3, 4)
    assert gaps.shape == Cs.shape


def test_elastic_net_of_a_search_needs_shares() -> None:
    with pytest.raises(ValueError, match="needs l1_ratios"):
        LogisticRegressionCV(penalty="elasticnet").fit(X, Y)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_whole_number_labels_are_those_of_a_sort(kind: type[np.integer]) -> None:
    """Counting finds what np.unique finds, at the ends of every type and where labels are far."""
    limits = np.iinfo(kind)
    for low in (limits.min, limits.max - 6, 1):
        offsets = np.array([3, 0, 5, 5, 0, 3, 1, 3, 6, 0], dtype=kind)
        y = offsets + kind(low)
        classes, codes = np.unique(y, return_inverse=True)
        found = check_labels(y)
        assert found.classes.dtype == y.dtype
        np.testing.assert_array_equal(found.classes, classes)
        np.testing.assert_array_equal(found.codes, codes)
    far = np.array([0, 100, 50, 0, 50, 100], dtype=kind)
    np.testing.assert_array_equal(check_labels(far).codes, [0, 2, 1, 0, 1, 2])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, CLASS_REGIMES),
        ({"l1_ratio": 1.0}, POOL_REGIMES),
        ({"l1_ratio": 0.5, "lower": -0.5}, POOL_REGIMES),
    ],
)
def test_solver_takes_the_words_of_the_certificate(options, words) -> None:
    """Of data that are not solved to rounding, where another kind of steps may be the last."""
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(400, 12))
    labels = np.argmax(samples[:, :3] + rng.gumbel(size=(400, 3)), axis=1)
    chosen = LogisticRegression(**options).fit(samples, labels)
    assert chosen.certificate_.regime in words
    for word in words:
        model = LogisticRegression(solver=word, max_iter=10_000, **options).fit(samples, labels)
        assert model.certificate_.regime == word
        assert model.certificate_.converged
        np.testing.assert_allclose(model.coef_, chosen.coef_, atol=1e-3)


@pytest.mark.parametrize(
    ("word", "classes", "options"),
    [
        ("newton", 3, {}),
        ("pool", 3, {}),
        ("newton_blocks", 3, {"lower": 0.0}),
        ("newton_blocks", 2, {}),
        ("pool", 2, {"l1_ratio": 1.0}),
        ("newton", 2, {"lower": 0.0}),
    ],
)
def test_a_strategy_of_another_model_is_refused(word, classes, options) -> None:
    kept = classes > Y
    with pytest.raises(ValueError, match=f"solver='{word}' is no strategy of .* use "):
        LogisticRegression(solver=word, **options).fit(X[kept], Y[kept])


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_intercepts_sum_to_zero_wherever_a_fit_starts(l1_ratio) -> None:
    """A start that is solved was returned as it was given."""
    model = LogisticRegression(warm_start=True, l1_ratio=l1_ratio).fit(X, Y)
    intercept = model.intercept_.copy()
    model.intercept_ = intercept + 50.0
    model.fit(X, Y)
    np.testing.assert_allclose(model.intercept_, intercept, atol=1e-9)
    assert abs(model.intercept_.sum()) < 1e-12
