"""``pool_bytes`` limits the memory of a solver, not what it finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

import banditcd
from banditcd import estimators, logistic_path
from tests.faults.fits import X, target

PUBLIC = [getattr(estimators, name) for name in estimators.__all__]
LIMITED = [
    kind
    for kind in PUBLIC
    if isinstance(kind, type)
    and issubclass(kind, BaseEstimator)
    and "pool_bytes" in kind().get_params()
]
SETTINGS: dict[str, dict[str, Any]] = {
    "LogisticRegression": {"l1_ratio": 1.0, "C": 0.2},
    "LogisticRegressionCV": {
        "l1_ratios": (1.0,),
        "Cs": [0.2],
        "cv": 2,
        "scoring": "accuracy",
        "use_legacy_attributes": False,
    },
    "GroupLogisticRegression": {"groups": 2, "C": 0.2},
    "GroupLogisticRegressionCV": {"groups": 2, "Cs": [0.2], "cv": 2},
    "GroupLasso": {"groups": 2, "alpha": 0.05},
    "GroupLassoCV": {"groups": 2, "alphas": [0.05], "cv": 2},
    "LinearSVC": {"penalty": "l1", "C": 0.1},
    "LinearSVR": {"epsilon": 0.1},
}
ON_ROWS = ("LinearSVR",)  # and LinearSVC without an L1 penalty
TWO_CLASSES = ("LogisticRegression", "LogisticRegressionCV", "LinearSVC")


def settings_of(kind: Any) -> dict[str, Any]:
    alpha = {"alphas": [0.05], "cv": 2} if kind.__name__.endswith("CV") else {"alpha": 0.05}
    return {"tol": 1e-10, "max_iter": 1000} | SETTINGS.get(kind.__name__, alpha)


def test_all_solvers_with_an_L1_part_are_limited() -> None:
    assert {kind.__name__ for kind in LIMITED} >= {*SETTINGS, "Lasso", "MultiTaskLasso"}


@pytest.mark.parametrize("kind", LIMITED, ids=lambda kind: kind.__name__)
def test_a_small_pool_gives_the_same_model(kind) -> None:
    model, small = (kind(**settings_of(kind), pool_bytes=size) for size in (2**30, 8))
    y = target(model)
    y = (y > 1).astype(int) if kind.__name__ in TWO_CLASSES else y
    model.fit(X, y)
    small.fit(X, y)
    assert model.certificate_.converged
    assert small.certificate_.converged
    assert np.count_nonzero(model.coef_) > 1
    np.testing.assert_allclose(small.coef_, model.coef_, atol=1e-4)
    if kind.__name__ not in ON_ROWS:
        assert small.certificate_.regime == "residual" != model.certificate_.regime


WIDE = np.random.default_rng(3).standard_normal((300, 2000))  # so wide that a copy is made at once
ONES = sparse.csr_array((np.abs(WIDE) > 1.5).astype(float))


@pytest.mark.parametrize("kind", [banditcd.LinearSVC, banditcd.LinearSVR])
@pytest.mark.parametrize("samples", [WIDE, WIDE[:, :250], ONES], ids=["wide", "tall", "ones"])
@pytest.mark.parametrize("squared", [False, True])
def test_support_vectors_are_found_without_copies(kind, samples, squared) -> None:
    loss = "hinge" if kind is banditcd.LinearSVC else "epsilon_insensitive"
    options = {"loss": f"squared_{loss}" if squared else loss, "C": 0.01, "tol": 1e-9}
    y = np.sign(WIDE[:, :5].sum(axis=1) + 0.1)
    with_copies = kind(**options, pool_bytes=2**30).fit(samples, y)
    without = kind(**options, pool_bytes=8).fit(samples, y)
    one, other = with_copies.certificate_, without.certificate_
    assert one.converged
    assert other.converged
    assert abs(one.primal - other.primal) <= max(one.gap, other.gap) + 1e-12 * one.primal
    np.testing.assert_allclose(without.coef_, with_copies.coef_, atol=1e-4)
    assert other.regime != "gram"


def test_it_limits_several_classes_and_paths_too() -> None:
    y = target(banditcd.LogisticRegression())
    options: dict[str, Any] = {"l1_ratio": 1.0, "tol": 1e-8}
    regimes = {
        size: banditcd.LogisticRegression(**options, pool_bytes=size).fit(X, y).certificate_.regime
        for size in (2**30, 8)
    }
    assert regimes[8] != regimes[2**30]
    paths = [logistic_path(X, y > 1, Cs=[0.1, 1.0], pool_bytes=size, **options) for size in (8, 9)]
    np.testing.assert_array_equal(paths[0][1], paths[1][1])


@pytest.mark.parametrize("kind", LIMITED, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("size", [0, -1, 1.5, None])
def test_a_size_that_is_none_is_refused(kind, size) -> None:
    model = kind(**settings_of(kind), pool_bytes=size)
    with pytest.raises(ValueError, match=r"pool_bytes is .*; it must be an integer, at least 1"):
        model.fit(X, target(model))
