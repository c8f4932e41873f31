"""LinearSVC with an L1 penalty: LIBLINEAR's model, certified and judged independently."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.svm import LinearSVC as Liblinear

from banditcd import LinearSVC, verify
from tests.versions import their_class_weight

OPTIONS = {
    "plain": {},
    "no intercept": {"fit_intercept": False},
    "scaled intercept": {"intercept_scaling": 7.0},
    "class weights": {"class_weight": {0: 3.0, 1: 0.5}},
    "balanced": {"class_weight": "balanced"},
}
STORES = {
    "C": np.ascontiguousarray,
    "F32": lambda X: np.asfortranarray(X, dtype=np.float32),
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
}


def samples(classes=2, n=120, d=30):
    rng = np.random.default_rng(d)
    X = (rng.standard_normal((n, d)) + 0.3).astype(np.float32).astype(np.float64)
    signal = X[:, 0] - X[:, 1] + 0.5 * rng.standard_normal(n)
    return X, np.digitize(signal, np.quantile(signal, np.linspace(0, 1, classes + 1)[1:-1]))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("C", [0.02, 0.5])
@pytest.mark.parametrize("classes", [2, 4])
def test_the_model_is_that_of_liblinear(options, C, classes):
    X, y = samples(classes)
    if classes > 2 and isinstance(options.get("class_weight"), dict):
        options = {"class_weight": {0: 3.0, 2: 0.5}}
    weight = np.linspace(0.5, 1.5, len(y))
    ours = LinearSVC(penalty="l1", C=C, tol=1e-10, **options).fit(X, y, weight)
    exact = Liblinear(penalty="l1", dual=False, C=C, tol=1e-10, max_iter=100_000, **options)
    exact.set_params(class_weight=their_class_weight(exact.class_weight, y, weight))
    theirs = exact.fit(X, y, weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for certificate in np.ravel(ours.certificate_):
        assert certificate.converged


@pytest.mark.parametrize("store", STORES.values(), ids=STORES)
@pytest.mark.parametrize("free", [False, True])
def test_the_judge_agrees(store, free):
    X, y = samples()
    model = LinearSVC(penalty="l1", C=0.1, tol=1e-8, penalize_intercept=not free).fit(store(X), y)
    found = verify(model, X, y)
    assert found.gap <= 1e-6 * found.objective
    assert model.certificate_.primal == pytest.approx(found.objective, rel=1e-9)
    assert 0 < np.count_nonzero(model.coef_) < X.shape[1]
    assert model.coef_.dtype == np.float64


def test_a_strong_penalty_leaves_nothing():
    X, y = samples()
    model = LinearSVC(penalty="l1", C=1e-6).fit(X, y)
    assert not model.coef_.any()
    assert model.certificate_.regime == "null"


def test_features_outnumber_samples():
    X, y = samples(n=40, d=300)
    model = clone(LinearSVC(penalty="l1", C=1.0)).fit(X, y)
    assert model.certificate_.converged
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"loss": "hinge"}, "the L1 penalty needs the squared hinge"),
        ({"dual": True}, "has no dual form"),
        ({"selector": "cyclic"}, "penalty='l1' has one solver and no selector"),
        ({"penalty": "l0"}, "it must be 'l1' or 'l2'"),
        ({"penalty": "l2", "multi_class": "crammer_singer"}, "no certificate here"),
        ({"penalty": "l2", "multi_class": "all"}, "it must be 'ovr'"),
    ],
)
def test_what_there_is_not_has_a_sentence(parameters, sentence):
    X, y = samples()
    with pytest.raises(ValueError, match=sentence):
        LinearSVC(**{"penalty": "l1", **parameters}).fit(X, y)
