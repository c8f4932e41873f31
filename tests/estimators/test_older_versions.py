"""What a logistic regression of several classes is beside an older scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import banditcd


@pytest.mark.parametrize(
    ("word", "classes", "told"),
    [
        ({"solver": "liblinear"}, 3, None),
        ({"multi_class": "multinomial"}, 2, "fit it with 2 C"),
        ({"multi_class": "multinomial"}, 3, None),
    ],
)
@pytest.mark.parametrize("installed", [(1, 7), (1, 8)])
def test_models_that_differ_with_an_older_scikit_learn_are_told(
    word, classes, told, installed, monkeypatch
):
    monkeypatch.setattr("banditcd.estimators.checks.logistic.INSTALLED", installed)
    X, y = np.arange(24.0).reshape(12, 2), np.arange(12) % classes
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FutureWarning)
        banditcd.LogisticRegression(C=0.1, **word).fit(X, y)
    expected = told is not None and installed < (1, 8)
    assert [told in str(w.message) for w in caught] == [True] * expected
    assert all(w.filename == __file__ for w in caught)


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
    monkeypatch.setattr("banditcd.estimators.checks.logistic.INSTALLED", installed)
    monkeypatch.setattr("banditcd.verification.models._installed", lambda: installed)
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
