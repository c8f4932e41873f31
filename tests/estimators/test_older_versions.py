"""What a logistic regression of several classes is beside an older scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

import banditcd

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 4))
PAIR = X[:, 0] + RNG.normal(size=80) > 0.0


def beside(monkeypatch, installed: tuple[int, int]) -> None:
    """Let another scikit-learn be installed."""
    monkeypatch.setattr("banditcd.estimators.checks.logistic.INSTALLED", installed)
    monkeypatch.setattr("banditcd.verification.models._installed", lambda: installed)


@pytest.mark.parametrize(
    ("options", "usual"),
    [
        ({"C": 0.5}, {"C": 1.0}),
        ({"C": 0.5, "l1_ratio": 1.0}, {"C": 0.5, "l1_ratio": 1.0}),
        ({"C": 0.5, "l1_ratio": 0.5}, {"C": 2.0 / 3.0, "l1_ratio": 2.0 / 3.0}),
        ({"C": np.inf}, {"C": np.inf}),
        ({"C": 0.5, "upper": 0.1, "lower": -0.1}, {"C": 1.0, "upper": 0.2, "lower": -0.2}),
        ({"C": 0.5, "standardize": True}, {"C": 1.0, "standardize": True}),
        ({"C": 0.5, "warm_start": True}, {"C": 1.0}),
        ({"C": 0.5, "class_weight": "balanced"}, {"C": 1.0, "class_weight": "balanced"}),
        ({"C": 0.5, "fit_intercept": False}, {"C": 1.0, "fit_intercept": False}),
        ({"C": 0.5, "selector": "cyclic", "solver": "engine"}, {"C": 1.0}),
    ],
)
def test_two_classes_by_the_word_multinomial_beside_an_older_scikit_learn(
    options, usual, monkeypatch
):
    """The softmax of minus and plus the scores, both with a penalty: half the coefficients."""
    expected = banditcd.LogisticRegression(tol=1e-11, **usual).fit(X, PAIR)
    model = banditcd.LogisticRegression(
        tol=1e-11, max_iter=10_000, multi_class="multinomial", **options
    )
    same = model.fit(X, PAIR)
    assert banditcd.verify(same, X, PAIR).gap <= 1e-8
    np.testing.assert_array_equal(same.predict_proba(X)[:, 1] > 0.5, same.predict(X))
    del same.coef_
    beside(monkeypatch, (1, 7))
    for _ in range(2):
        model.fit(X, PAIR)
        np.testing.assert_allclose(model.coef_, 0.5 * expected.coef_, atol=2e-6)
        np.testing.assert_allclose(model.intercept_, 0.5 * expected.intercept_, atol=2e-6)
    scores = model.decision_function(X)
    odds = np.exp(scores) / (np.exp(scores) + np.exp(-scores))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], odds)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    judged = banditcd.verify(model, X, PAIR)
    assert judged.gap <= 1e-8 * judged.objective + judged.rounding
    assert model.certificate_.primal == pytest.approx(judged.objective, rel=1e-12)


def test_a_search_of_two_classes_by_the_word_multinomial(monkeypatch):
    options = {"cv": 3, "tol": 1e-10, "scoring": "neg_log_loss", "use_legacy_attributes": False}
    options |= {"store_path": True, "l1_ratios": (0.0,)}
    usual = banditcd.LogisticRegressionCV(Cs=[0.2, 2.0, np.inf], **options).fit(X, PAIR)
    beside(monkeypatch, (1, 7))
    model = banditcd.LogisticRegressionCV(
        Cs=[0.1, 1.0, np.inf], multi_class="multinomial", **options
    ).fit(X, PAIR)
    np.testing.assert_allclose(model.scores_, usual.scores_, atol=1e-7)
    np.testing.assert_allclose(model.coefs_paths_, 0.5 * usual.coefs_paths_, atol=1e-6)
    np.testing.assert_allclose(model.coef_path_, 0.5 * usual.coef_path_, atol=1e-6)
    np.testing.assert_allclose(model.coef_, 0.5 * usual.coef_, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), usual.predict_proba(X), atol=1e-6)


def test_data_elsewhere_have_no_older_model_of_two_classes(monkeypatch):
    dask_array = pytest.importorskip("dask.array")
    beside(monkeypatch, (1, 7))
    model = banditcd.LogisticRegression(multi_class="multinomial")
    rows, labels = (dask_array.from_array(of, chunks=40) for of in (X, PAIR))
    with pytest.raises(ValueError, match="another model in scikit-learn before 1"):
        model.fit(rows, labels)
    assert not hasattr(model, "coef_")
    # Before any work: there would be a solve for every fold and C.
    monkeypatch.setattr("banditcd.places.rows.Rows.place", None)
    options = {"cv": 2, "scoring": "neg_log_loss", "use_legacy_attributes": False}
    search = banditcd.LogisticRegressionCV(Cs=2, multi_class="multinomial", **options)
    for refused in (model, search):
        with pytest.raises(ValueError, match="another model in scikit-learn before 1"):
            refused.fit(rows, labels)


@pytest.mark.parametrize("installed", [(1, 7), (1, 8)])
@pytest.mark.parametrize(
    "kind",
    [
        lambda **words: banditcd.LogisticRegression(C=0.1, tol=1e-10, **words),
        lambda **words: banditcd.LogisticRegressionCV(
            Cs=3,
            cv=2,
            tol=1e-10,
            l1_ratios=(0.0,),
            scoring="neg_log_loss",
            use_legacy_attributes=False,
            **words,
        ),
    ],
)
def test_liblinear_is_one_against_the_rest_beside_an_older_scikit_learn(
    kind, installed, monkeypatch
):
    beside(monkeypatch, installed)
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 3
    model = kind(solver="liblinear").fit(X, y)
    same = kind(multi_class="ovr" if installed < (1, 8) else "multinomial").fit(X, y)
    np.testing.assert_array_equal(model.coef_, same.coef_)
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))
    np.testing.assert_array_equal(model.predict_log_proba(X), same.predict_log_proba(X))
    judged = banditcd.verify(model, X, y)
    assert judged.gap <= 1e-6 * judged.objective + judged.rounding


def test_a_path_is_not_compared_with_an_older_scikit_learn(monkeypatch):
    monkeypatch.setattr("banditcd.estimators.checks.logistic.INSTALLED", (1, 7))
    X, y = np.arange(24.0).reshape(12, 2), np.arange(12) % 2
    banditcd.logistic_path(X, y, Cs=[0.1], multi_class="multinomial")  # warnings are errors


@pytest.mark.parametrize("kind", [banditcd.RidgeCV, banditcd.RidgeClassifierCV])
def test_an_older_word_for_the_results_of_leaving_one_out(kind):
    newer = kind(store_cv_results=True).fit(X, PAIR)
    with pytest.warns(FutureWarning, match="'store_cv_values' is deprecated") as caught:
        model = kind(store_cv_values=True).fit(X, PAIR)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(model.cv_results_, newer.cv_results_)
    with pytest.warns(FutureWarning, match="Attribute `cv_values_` is deprecated"):
        assert model.cv_values_ is model.cv_results_
    assert not hasattr(kind().fit(X, PAIR), "cv_values_")
    with pytest.raises(ValueError, match="Both 'store_cv_values' and 'store_cv_results'"):
        kind(store_cv_values=False, store_cv_results=True).fit(X, PAIR)
    with pytest.raises(ValueError, match="store_cv_values=True are incompatible"):
        kind(store_cv_values=True, cv=3).fit(X, PAIR)
    with pytest.raises(ValueError, match="store_cv_values is 'yes'"):
        kind(store_cv_values="yes").fit(X, PAIR)


def test_an_elastic_net_needs_its_share_beside_an_older_scikit_learn(monkeypatch):
    beside(monkeypatch, (1, 7))
    model = banditcd.LogisticRegression(l1_ratio=None)  # the default there
    np.testing.assert_array_equal(
        model.fit(X, PAIR).coef_, banditcd.LogisticRegression(l1_ratio=0.0).fit(X, PAIR).coef_
    )
    with pytest.raises(ValueError, match="l1_ratio is None"):
        model.set_params(penalty="elasticnet").fit(X, PAIR)
