"""Splits that are used up by looking at them, and splits that are none."""

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import KFold

from banditcd import (
    CVDisplay,
    ElasticNetCV,
    GroupLogisticRegressionCV,
    LassoCV,
    LogisticRegressionCV,
    RidgeCV,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 6))
y = X[:, 0] - X[:, 1] + 0.1 * rng.normal(size=60)
SIDE = np.sign(y)
SEARCHES = [
    (LassoCV(alphas=5), y),
    (ElasticNetCV(alphas=5), y),
    (RidgeCV(), y),
    (LogisticRegressionCV(Cs=3), SIDE),
    (GroupLogisticRegressionCV(2, Cs=3), SIDE),
]
NAMES = [type(search).__name__ for search, _ in SEARCHES]


@pytest.mark.parametrize(("search", "target"), SEARCHES, ids=NAMES)
def test_no_folds_are_an_error(search, target):
    with pytest.raises(ValueError, match="cv gives no folds"):
        sklearn.clone(search).set_params(cv=[]).fit(X, target)


@pytest.mark.parametrize(("search", "target"), SEARCHES, ids=NAMES)
def test_a_generator_of_splits_survives_routing(search, target):
    usual = sklearn.clone(search).set_params(cv=KFold(3)).fit(X, target)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = sklearn.clone(search).set_params(cv=KFold(3).split(X)).fit(X, target)
    np.testing.assert_allclose(routed.coef_, usual.coef_)


def test_weights_reach_the_default_scorer_of_ridge():
    weight = rng.uniform(0.5, 2.0, size=60)
    usual = RidgeCV(cv=3).fit(X, y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = RidgeCV(cv=3).fit(X, y, sample_weight=weight)
    assert routed.best_score_ == usual.best_score_


def test_a_second_fit_by_another_rule_leaves_nothing_of_the_first():
    model = LassoCV(alphas=10).fit(X, y)
    model.set_params(select_alpha="bic", alphas=7).fit(X, y)
    assert not hasattr(model, "mse_path_")
    assert len(model.criterion_) == 7
    model.set_params(select_alpha="min").fit(X, y)
    assert not hasattr(model, "criterion_")
    pytest.importorskip("matplotlib")
    CVDisplay.from_estimator(model)
