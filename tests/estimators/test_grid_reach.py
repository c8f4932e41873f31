"""``eps``, by which automatic grids reach from the strongest penalty to the weakest."""

from __future__ import annotations

import numpy as np
import pytest

import banditcd

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 6))
y = X[:, 0] + rng.normal(size=60)
CALLS = {
    "lasso_path": lambda eps: banditcd.lasso_path(X, y, eps=eps),
    "enet_path": lambda eps: banditcd.enet_path(X, np.stack([y, -y], axis=1), eps=eps),
    "group_lasso_path": lambda eps: banditcd.group_lasso_path(X, y, 2, eps=eps),
    "logistic_path": lambda eps: banditcd.logistic_path(X, y > 0.0, eps=eps),
    "group_logistic_path": lambda eps: banditcd.group_logistic_path(X, y > 0.0, 2, eps=eps),
    "LassoCV": lambda eps: banditcd.LassoCV(eps=eps).fit(X, y),
    "ElasticNetCV": lambda eps: banditcd.ElasticNetCV(eps=eps).fit(X, y),
    "MultiTaskLassoCV": lambda eps: banditcd.MultiTaskLassoCV(eps=eps).fit(X, y[:, None]),
    "MultiTaskElasticNetCV": lambda eps: banditcd.MultiTaskElasticNetCV(eps=eps).fit(X, y[:, None]),
    "GroupLassoCV": lambda eps: banditcd.GroupLassoCV(2, eps=eps).fit(X, y),
    "GroupLogisticRegressionCV": lambda eps: banditcd.GroupLogisticRegressionCV(2, eps=eps).fit(
        X, y > 0.0
    ),
}


@pytest.mark.parametrize("eps", [1, 1.0, 2, np.inf, np.nan, 0, -0.1, True, "a", None])
@pytest.mark.parametrize("name", CALLS)
def test_a_grid_that_reaches_nowhere_is_refused(name, eps):
    with pytest.raises(ValueError, match=r"eps is .* between 0 and 1"):
        CALLS[name](eps)


def test_a_grid_of_one_value_reaches_as_far_as_itself():
    top = banditcd.lasso_path(X, y, alphas=3)[0][0]
    np.testing.assert_allclose(banditcd.lasso_path(X, y, alphas=1, eps=1)[0], [top])


def test_a_search_on_groups_does_not_pass_for_one_fit():
    search = banditcd.GroupLogisticRegressionCV(2)  # which has neither C nor warm_start
    assert not isinstance(search, banditcd.GroupLogisticRegression)
