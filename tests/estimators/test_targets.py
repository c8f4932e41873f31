"""What docs/accuracy.md says of ``tol``: the targets, and what small problems get."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import banditcd

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 30))
Y = X[:, 0] + X[:, 1] + RNG.normal(size=400)
BOTH = np.column_stack([Y, Y + RNG.normal(size=400)])
LABELS = Y > 0.3
SQUARES = float(np.sum((Y - Y.mean()) ** 2))
SIGNS = float(np.sum((2.0 * LABELS - np.mean(2.0 * LABELS)) ** 2))
ENTROPY = -float(sum(p * math.log(p) for p in (LABELS.mean(), 1.0 - LABELS.mean())))
# Models whose target is tol times the objective of the null model, with that objective.
BY_NULL: list[tuple[Any, Any, float]] = [
    (banditcd.Lasso(0.1), Y, SQUARES / 800),
    (banditcd.GroupLasso(groups=3, alpha=0.1), Y, SQUARES / 800),
    (banditcd.MultiTaskLasso(0.1), BOTH, float(np.sum((BOTH - BOTH.mean(axis=0)) ** 2)) / 800),
    (banditcd.GroupLogisticRegression(groups=3), LABELS, 400 * ENTROPY),
    (banditcd.LogisticRegression(l1_ratio=1.0), LABELS, 400 * ENTROPY),
    (banditcd.LinearSVC(penalty="l1"), LABELS, 400.0),
    (banditcd.Ridge(solver="cg"), Y, SQUARES),
    (banditcd.RidgeClassifier(solver="cg"), LABELS, SIGNS),
]
DIRECT: list[tuple[Any, Any]] = [(banditcd.Ridge(), Y), (banditcd.RidgeClassifier(), LABELS)]
LOWER: list[tuple[Any, Any]] = [
    (banditcd.LogisticRegression(), LABELS),
    (banditcd.LinearSVC(), LABELS),
]


def name(case: Any) -> str:
    return str(case) if hasattr(case, "fit") else ""


@pytest.mark.parametrize("tol", [1e-3, 1e-6])
@pytest.mark.parametrize(("model", "y", "null"), BY_NULL, ids=name)
def test_the_target_is_tol_times_the_null_model(
    model: Any, y: Any, null: float, tol: float
) -> None:
    found = clone(model).set_params(tol=tol).fit(X, y).certificate_
    assert found.target == pytest.approx(tol * null, rel=1e-6)
    assert found.gap <= found.target


@pytest.mark.parametrize(("model", "y"), LOWER, ids=name)
def test_models_that_need_more_digits_aim_lower(model: Any, y: Any) -> None:
    found = clone(model).fit(X, y).certificate_
    null = 400.0 if "SVC" in str(model) else 400 * ENTROPY
    assert found.target < 0.5 * model.tol * null


SMALL = [(model, y) for model, y, _ in BY_NULL if getattr(model, "solver", "") != "cg"]


@pytest.mark.parametrize("of", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize(("model", "y"), [*SMALL, *LOWER, *DIRECT], ids=name)
def test_small_problems_are_exact_whatever_tol(model: Any, y: Any, of: Any) -> None:
    if of is not np.asarray and (model, y) in DIRECT:
        model = clone(model).set_params(solver="cholesky")
    found = clone(model).set_params(tol=0.1).fit(of(X[:130]), y[:130]).certificate_
    assert found.gap <= 1e-12 * found.primal


def test_an_iterating_ridge_means_its_tol_at_any_size() -> None:
    loose, tight = (
        banditcd.Ridge(solver="cg", tol=tol).fit(X[:80, :12], Y[:80]).certificate_
        for tol in (1e-2, 1e-8)
    )
    assert tight.gap < 1e-6 * tight.primal < loose.gap <= loose.target
