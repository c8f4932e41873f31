"""Models on blocks of coefficients: several responses at once, and groups of features."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.utils.fixes import parse_version

import banditcd
from banditcd import (
    GroupLasso,
    GroupLassoCV,
    GroupLogisticRegression,
    GroupLogisticRegressionCV,
    Lasso,
    LassoCV,
    MultiTaskElasticNet,
    MultiTaskElasticNetCV,
    MultiTaskLasso,
    MultiTaskLassoCV,
    enet_path,
    group_lasso_path,
    lasso_path,
    verify,
)
from tests.versions import INSTALLED, their_penalties

rng = np.random.default_rng(5)
X = rng.standard_normal((60, 24)) + 0.5
W = np.zeros((24, 3))
W[:6] = rng.standard_normal((6, 3))
Y = X @ W + rng.standard_normal((60, 3)) + np.array([2.0, 0.0, -1.0])
LABELS = np.where(Y[:, 0] > np.median(Y[:, 0]), "yes", "no")
NAMES = np.repeat(["a", "b", "c", "d"], 6)


@pytest.mark.parametrize("stored", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("intercept", [True, False])
def test_coefficients_are_those_of_scikit_learn(stored, intercept) -> None:
    options = {"fit_intercept": intercept, "tol": 1e-12, "max_iter": 10**5}
    for name, words in (("MultiTaskLasso", {}), ("MultiTaskElasticNet", {"l1_ratio": 0.3})):
        ours = getattr(banditcd, name)(0.2, **words, **options).fit(stored(X), Y)
        peer = getattr(theirs, name)(0.2, **words, **options).fit(X, Y)
        np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-6)
        np.testing.assert_allclose(ours.intercept_, np.broadcast_to(peer.intercept_, 3), atol=1e-6)
        np.testing.assert_allclose(ours.predict(X), peer.predict(X), atol=1e-5)
        assert ours.dual_gap_ <= ours.eps_ == ours.certificate_.target


def test_searches_choose_as_those_of_scikit_learn() -> None:
    options, count = {"cv": 3, "tol": 1e-8}, their_penalties(20)
    ours = MultiTaskLassoCV(alphas=20, **options).fit(X, Y)
    peer = theirs.MultiTaskLassoCV(**count, **options).fit(X, Y)
    np.testing.assert_allclose(ours.alphas_, peer.alphas_)
    np.testing.assert_allclose(ours.mse_path_, peer.mse_path_, rtol=1e-5)
    assert ours.alpha_ == pytest.approx(peer.alpha_)
    words = {"l1_ratio": [0.3, 0.9]} | options
    both = [
        MultiTaskElasticNetCV(alphas=20, **words).fit(X, Y),
        theirs.MultiTaskElasticNetCV(**count, **words).fit(X, Y),
    ]
    assert both[0].mse_path_.shape == both[1].mse_path_.shape == (2, 20, 3)
    assert (both[0].l1_ratio_, both[0].alpha_) == pytest.approx((both[1].l1_ratio_, both[1].alpha_))


@pytest.mark.parametrize("path", ["enet_path", "lasso_path"])
def test_joint_paths_are_those_of_scikit_learn(path) -> None:
    ours = getattr(banditcd, path)(X, Y, tol=1e-10, alphas=15)
    peer = getattr(theirs, path)(X, Y, tol=1e-10, **their_penalties(15, since="1.9"))
    np.testing.assert_allclose(ours[0], peer[0])
    assert ours[1].shape == peer[1].shape == (3, 24, 15)
    np.testing.assert_allclose(ours[1], peer[1], atol=1e-4)


def test_words_of_one_response_are_refused_on_a_joint_path() -> None:
    with pytest.raises(ValueError, match="multi-output"):
        enet_path(X, Y, positive=True)
    with pytest.raises(ValueError, match="coef_init has shape"):
        lasso_path(X, Y, coef_init=np.zeros(24))


def test_one_response_and_several_are_led_to_each_other() -> None:
    with pytest.raises(ValueError, match="For mono-task outputs, use Lasso"):
        MultiTaskLasso().fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="use MultiTaskLassoCV"):
        LassoCV().fit(X, Y)


def test_groups_of_one_are_the_lasso() -> None:
    ours = GroupLasso(1, 0.1, tol=1e-12).fit(X, Y[:, 0])
    lasso = Lasso(0.1, tol=1e-12).fit(X, Y[:, 0])
    np.testing.assert_allclose(ours.coef_, lasso.coef_, atol=1e-9)


def test_groups_in_three_words_are_the_same() -> None:
    words = (6, NAMES, [range(6), range(6, 12), range(12, 18), range(18, 24)])
    fits = [GroupLasso(groups, 0.3, tol=1e-12).fit(X, Y[:, 0]) for groups in words]
    for fit in fits[1:]:
        np.testing.assert_array_equal(fit.coef_, fits[0].coef_)
    parts = fits[0].coef_.reshape(4, 6)
    assert {bool(part.any()) for part in parts} == {True, False}
    assert all(part.all() or not part.any() for part in parts)


def test_weights_of_groups() -> None:
    plain = GroupLasso(6, 0.3, tol=1e-12).fit(X, Y[:, 0])
    roots = GroupLasso(6, 0.3, weights=np.full(4, 6**0.5), tol=1e-12).fit(X, Y[:, 0])
    np.testing.assert_array_equal(plain.coef_, roots.coef_)
    mixed = GroupLasso(6, 0.3, weights=[np.inf, 0.0, 1.0, 1.0]).fit(X, Y[:, 0])
    assert not mixed.coef_[:6].any()
    assert mixed.coef_[6:12].all()


def test_the_largest_useful_alpha() -> None:
    alphas, coefs, gaps, _ = group_lasso_path(X, Y[:, 0], 6, alphas=5, fit_intercept=True)
    centered = Y[:, 0] - Y[:, 0].mean()
    norms = np.linalg.norm((X.T @ centered).reshape(4, 6), axis=1)
    assert alphas[0] == pytest.approx(norms.max() / (60 * 6**0.5))
    assert not coefs[:, 0].any()
    assert coefs[:, -1].any()
    assert gaps.shape == (5,)


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (5, "must divide"),
        (0, "must divide"),
        ("a", "groups is 'a'"),
        ([1, 2], "2 labels"),
        ([[0, 1], [1, 2]], "exactly once"),
        ([[0, 1], []], r"groups\[1\]"),
    ],
)
def test_groups_that_are_none(groups, words) -> None:
    with pytest.raises(ValueError, match=words):
        GroupLasso(groups).fit(X, Y[:, 0])


def test_weights_that_are_none() -> None:
    with pytest.raises(ValueError, match="one value per group"):
        GroupLasso(6, weights=[1.0]).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="negative"):
        GroupLasso(6, weights=[1.0, -1.0, 1.0, 1.0]).fit(X, Y[:, 0])


def test_a_second_fit_of_a_solved_problem_does_no_work() -> None:
    model = GroupLasso(6, 0.1, warm_start=True).fit(X, Y[:, 0])
    again = model.coef_.copy()
    assert model.fit(X, Y[:, 0]).n_iter_ <= 2
    np.testing.assert_allclose(model.coef_, again, rtol=1e-9, atol=1e-12)


def test_a_search_over_groups() -> None:
    model = GroupLassoCV(6, cv=3, alphas=10).fit(X, Y[:, 0])
    assert model.mse_path_.shape == (10, 3)
    assert model.alpha_ == model.alphas_[np.argmin(model.mse_path_.mean(axis=1))]
    assert not hasattr(model, "l1_ratio_")


def test_classes_by_groups() -> None:
    model = GroupLogisticRegression(NAMES, C=0.2).fit(X, LABELS)
    parts = model.coef_.reshape(4, 6)
    assert all(part.all() or not part.any() for part in parts)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    assert model.score(X, LABELS) > 0.5
    three = GroupLogisticRegression(6).fit(X, np.digitize(Y[:, 0], [0.0, 3.0]))
    assert three.coef_.shape == (3, 24)
    np.testing.assert_allclose(three.predict_proba(X).sum(axis=1), 1.0)


MODELS = [
    (MultiTaskLasso(0.2, tol=1e-9), Y),
    (MultiTaskElasticNet(0.2, tol=1e-9, fit_intercept=False), Y),
    (MultiTaskLasso(0.2, tol=1e-9, penalty_weights=np.r_[0.0, np.inf, np.ones(22)]), Y),
    (GroupLasso(NAMES, 0.2, tol=1e-9), Y[:, 0]),
    (GroupLasso(6, 0.2, weights=[0.0, 1.0, 1.0, np.inf], tol=1e-9), Y[:, 0]),
    (GroupLassoCV(NAMES, cv=3, alphas=5, tol=1e-9), Y[:, 0]),
    (GroupLogisticRegression(6, tol=1e-9, class_weight="balanced"), LABELS),
    (GroupLogisticRegressionCV(6, cv=3, Cs=4, tol=1e-9, class_weight="balanced"), LABELS),
    (GroupLogisticRegressionCV(6, cv=3, Cs=[1.0], tol=1e-9), np.digitize(Y[:, 0], [0.0, 3.0])),
    (theirs.MultiTaskLasso(0.2, tol=1e-9), Y),
]


@pytest.mark.parametrize(("model", "y"), MODELS, ids=lambda part: type(part).__name__)
@pytest.mark.parametrize("weighted", [False, True])
def test_an_independent_judge_agrees(model, y, weighted) -> None:
    weight = rng.integers(0, 3, 60).astype(float) if weighted else None
    is_theirs = type(model).__module__.startswith("sklearn")
    if weighted and is_theirs and parse_version("1.9") > INSTALLED:
        pytest.skip("weights came with scikit-learn 1.9")
    model.fit(X, y, **({"sample_weight": weight} if weighted else {}))
    verdict = verify(model, X, y, sample_weight=weight)
    assert verdict.gap <= 1e-6 * verdict.objective
    assert verdict.gap >= -verdict.rounding
    if hasattr(model, "certificate_"):
        stated = sum(certificate.primal for certificate in np.ravel(model.certificate_))
        assert verdict.objective == pytest.approx(stated, rel=1e-9)


def test_the_judge_sees_a_wrong_model() -> None:
    model = GroupLasso(6, 0.2).fit(X, Y[:, 0])
    model.coef_ = 0.9 * model.coef_
    verdict = verify(model, X, Y[:, 0])
    assert verdict.gap > 1e-3 * verdict.objective
    assert verdict.coordinate.startswith("group")
