"""RidgeClassifier and RidgeClassifierCV against scikit-learn's, and their certificates."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy import sparse
from sklearn.datasets import make_classification, make_multilabel_classification

from banditcd import RidgeClassifier, RidgeClassifierCV, verify
from tests.versions import WEIGHS_SCORES

X, THREE = make_classification(
    n_samples=120, n_features=8, n_informative=5, n_classes=3, random_state=0
)
TWO = np.array(["no", "yes"])[(THREE > 0).astype(int)]
WEIGHT = np.random.default_rng(0).random(120)
SEVERAL = make_multilabel_classification(n_samples=120, n_features=8, random_state=1)
LABELS = {"two": TWO, "three": THREE}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("class_weight", [None, "balanced", "dict"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("intercept", [True, False])
def test_coefficients_of_scikit_learn(labels, class_weight, weight, intercept):
    y = LABELS[labels]
    if class_weight == "dict":
        class_weight = {y[0]: 3.0}
    options = {"class_weight": class_weight, "fit_intercept": intercept, "alpha": 0.7}
    ours = RidgeClassifier(**options).fit(X, y, sample_weight=weight)
    peer = theirs.RidgeClassifier(**options).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, np.squeeze(peer.coef_), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))
    np.testing.assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-9)
    assert ours.coef_.shape == ((8,) if labels == "two" else (3, 8))
    judged = verify(ours, X, y, weight)
    assert judged.gap <= 1e-9 * judged.objective


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_several_labels(container):
    samples, y = SEVERAL
    ours = RidgeClassifier(solver="cholesky").fit(container(samples), y)
    peer = theirs.RidgeClassifier().fit(samples, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-8)
    np.testing.assert_array_equal(ours.predict(samples), peer.predict(samples))
    assert ours.score(samples, y) == peer.score(samples, y)
    assert verify(ours, samples, y).gap <= 1e-8
    with pytest.raises(ValueError, match="indicator"):
        RidgeClassifier().fit(samples, y + np.arange(y.shape[1]))


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("cv", [None, 4])
@pytest.mark.parametrize("scoring", [None, "balanced_accuracy"])
def test_the_alpha_of_scikit_learn(labels, cv, scoring):
    y, alphas = LABELS[labels], np.logspace(-3, 4, 8)
    if scoring is not None and cv is None and labels == "two":
        pytest.skip("scikit-learn compares one column of responses by its largest entry")
    options = {"alphas": alphas, "cv": cv, "scoring": scoring, "class_weight": "balanced"}
    ours = RidgeClassifierCV(**options).fit(X, y)
    peer = theirs.RidgeClassifierCV(**options).fit(X, y)
    assert ours.alpha_ == pytest.approx(peer.alpha_)
    if cv is None or WEIGHS_SCORES:
        assert ours.best_score_ == pytest.approx(peer.best_score_)
    np.testing.assert_allclose(ours.coef_, np.squeeze(peer.coef_), rtol=1e-8)


def test_stored_results_and_single_precision():
    ours = RidgeClassifierCV(store_cv_results=True).fit(X.astype(np.float32), THREE)
    peer = theirs.RidgeClassifierCV(store_cv_results=True).fit(X.astype(np.float32), THREE)
    assert ours.cv_results_.shape == peer.cv_results_.shape
    np.testing.assert_allclose(ours.cv_results_, peer.cv_results_, rtol=1e-3)
    assert ours.coef_.dtype == ours.cv_results_.dtype == np.float32
    scored = RidgeClassifierCV(store_cv_results=True, scoring="accuracy").fit(X, TWO)
    assert scored.cv_results_.shape == (120, 1, 3)
    assert 0.5 < scored.best_score_ <= 1.0
    several = RidgeClassifierCV(cv=3).fit(*SEVERAL)
    assert several.fold_scores_.shape == (3, 3)
    one = RidgeClassifierCV(select_alpha="1se", alphas=np.logspace(-3, 5, 9)).fit(X, THREE)
    assert one.alpha_ >= RidgeClassifierCV(alphas=np.logspace(-3, 5, 9)).fit(X, THREE).alpha_


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("intercept", [True, False])
def test_one_class_is_predicted_everywhere(store, intercept):
    for kind in (RidgeClassifier, RidgeClassifierCV):
        model = kind(fit_intercept=intercept).fit(store(X), np.full(120, "only"))
        assert model.classes_.tolist() == ["only"]
        assert set(model.predict(X)) == {"only"}
        if intercept:  # the constant, as in scikit-learn
            np.testing.assert_allclose(model.decision_function(X), -1.0)


def test_mistakes_get_a_sentence():
    with pytest.raises(ValueError, match="class_weight has the key"):
        RidgeClassifier(class_weight={"maybe": 1.0}).fit(X, TWO)
    with pytest.raises(ValueError, match="cv!=None and store_cv_results"):
        RidgeClassifierCV(cv=3, store_cv_results=True).fit(X, TWO)
