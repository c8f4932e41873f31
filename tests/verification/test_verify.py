"""The judge: agrees with every certificate, sees a moved coefficient, judges other libraries."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import ensemble, linear_model, svm
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import banditcd
from banditcd import Verification, verify

N, P = 50, 16
RNG = np.random.default_rng(3)
X = RNG.normal(size=(N, P)) * (RNG.random((N, P)) < 0.6)
Y = 2.0 * X[:, 0] - X[:, 3] + RNG.normal(size=N) + 3.0
TWO = (Y > 3.0).astype(int)
THREE = np.array(["a", "b", "c"])[np.digitize(Y, [2.0, 4.0])]
WEIGHT = RNG.uniform(0.1, 2.0, N)
HALF_FREE = np.r_[0.0, np.ones(P - 1)]

OURS: list[tuple[Any, Any]] = [
    (banditcd.Lasso(0.1), Y),
    (banditcd.Lasso(0.1, fit_intercept=False, selector="b_max_r", random_state=0), Y),
    (banditcd.Lasso(0.1, standardize=True, upper=0.5), Y),
    (banditcd.Lasso(0.1), np.column_stack([Y, Y**2])),
    (banditcd.ElasticNet(0.1, positive=True), Y),
    (banditcd.ElasticNet(0.1, penalty_weights=HALF_FREE), Y),
    (banditcd.Ridge(0.5), Y),
    (banditcd.Ridge([0.5, 3.0]), np.column_stack([Y, Y**2])),
    (banditcd.RidgeClassifier(0.5, class_weight="balanced"), TWO),
    (banditcd.RidgeClassifier(0.5, class_weight={"a": 2.0}), THREE),
    (banditcd.LogisticRegression(), TWO),
    (banditcd.LogisticRegression(l1_ratio=1.0, class_weight="balanced"), TWO),
    (banditcd.LogisticRegression(l1_ratio=0.5, class_weight={"a": 2.0}), THREE),
    (banditcd.LogisticRegression(class_weight="balanced", standardize=True), THREE),
    (banditcd.LogisticRegression(l1_ratio=1.0, upper=0.3, fit_intercept=False), THREE),
    (banditcd.LogisticRegression(multi_class="ovr", class_weight="balanced"), THREE),
    (banditcd.LassoCV(cv=3, alphas=5), Y),
    (banditcd.ElasticNetCV(cv=3, alphas=5, l1_ratio=[0.3, 0.9]), Y),
    (banditcd.RidgeCV(), Y),
    (banditcd.LogisticRegressionCV(cv=3, Cs=3), TWO),
    (banditcd.LogisticRegressionCV(cv=3, Cs=[0.1, 1.0], l1_ratios=[1.0]), THREE),
    *[
        (banditcd.LinearSVC(loss=loss, class_weight="balanced", **options), labels)
        for loss in ("hinge", "squared_hinge")
        for labels in (TWO, THREE)
        for options in ({}, {"fit_intercept": False}, {"penalize_intercept": False})
    ],
    *[
        (banditcd.LinearSVR(loss=loss, epsilon=0.1, intercept_scaling=2.0, **options), Y)
        for loss in ("epsilon_insensitive", "squared_epsilon_insensitive")
        for options in ({}, {"fit_intercept": False}, {"penalize_intercept": False})
    ],
]
THEIRS: list[tuple[Any, Any]] = [
    (linear_model.Lasso(0.1, tol=1e-10), Y),
    (linear_model.ElasticNet(0.1, tol=1e-10), Y),
    (linear_model.Ridge(0.5), Y),
    (linear_model.RidgeClassifier(0.5, class_weight="balanced"), THREE),
    (linear_model.LassoCV(cv=3, tol=1e-10), Y),
    (linear_model.RidgeCV(), Y),
    (linear_model.LogisticRegression(tol=1e-10, max_iter=2000), TWO),
    (linear_model.LogisticRegression(tol=1e-10, max_iter=2000), THREE),
    (linear_model.LogisticRegression(solver="liblinear", tol=1e-10, intercept_scaling=3.0), TWO),
    (svm.LinearSVC(tol=1e-10, max_iter=10000, class_weight="balanced"), THREE),
    (svm.LinearSVC(penalty="l1", dual=False, tol=1e-8, max_iter=10000), TWO),
    (svm.LinearSVC(loss="hinge", tol=1e-8, max_iter=100000, intercept_scaling=2.0), TWO),
    (svm.LinearSVR(epsilon=0.1, tol=1e-8, max_iter=100000), Y),
]


def fitted(model: Any, data: Any, y: Any, weight: Any, tol: float | None = None) -> Any:
    """Return a fitted copy, without the warnings of a fit that ends early."""
    model = clone(model)
    if tol is not None:
        wanted = {"tol": tol, "max_iter": 20000}
        model.set_params(**{k: v for k, v in wanted.items() if k in model.get_params()})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(data, y, sample_weight=weight)


def claimed(model: Any, name: str) -> float:
    """Return a value of the certificates, summed over classes or targets."""
    given = model.certificate_
    return float(sum(getattr(c, name) for c in (given if isinstance(given, list) else [given])))


def name(case: Any) -> str:
    return type(case).__name__ if hasattr(case, "fit") else ""


@pytest.mark.parametrize("storage", ["dense", "csr", "csc", "float32"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize(("model", "y"), OURS, ids=name)
def test_certificates_of_ours_agree(model: Any, y: Any, weight: Any, storage: str) -> None:
    made = {"dense": X, "csr": sparse.csr_array(X), "csc": sparse.csc_matrix(X)}
    data = made.get(storage, X.astype(np.float32))
    loose = fitted(model, data, y, weight, tol=1e-4)
    seen = verify(loose, data, y, weight)
    assert seen.objective == pytest.approx(claimed(loose, "primal"), rel=1e-10)
    if getattr(model, "selector", "auto") != "auto":
        return  # too slow to a small tolerance
    tight = fitted(model, data, y, weight, tol=1e-11)
    optimum = verify(tight, data, y, weight)
    assert optimum.gap <= 1e-8 * optimum.objective
    assert seen.gap + seen.rounding >= seen.objective - optimum.objective
    assert claimed(loose, "dual") <= optimum.objective + optimum.rounding


@pytest.mark.parametrize(("model", "y"), OURS, ids=name)
def test_a_moved_coefficient_is_seen(model: Any, y: Any) -> None:
    model = fitted(
        model, X, y, None, tol=1e-4 if getattr(model, "selector", "auto") != "auto" else 1e-10
    )
    before = verify(model, X, y)
    model.coef_ = model.coef_.copy()
    model.coef_.flat[5] += 0.05 if getattr(model, "upper", None) is None else -0.05
    after = verify(model, X, y)
    rise = after.objective - before.objective
    assert rise > 1e-5 * before.objective
    assert after.gap + after.rounding >= rise
    assert after.violation > before.violation or not before.exact
    assert "within" in after.sentence


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize(("model", "y"), THEIRS, ids=name)
def test_fits_of_scikit_learn_are_near_the_optimum_they_document(
    model: Any, y: Any, weight: Any
) -> None:
    seen = verify(fitted(model, X, y, weight), X, y, weight)
    assert isinstance(seen, Verification)
    assert -seen.rounding <= seen.gap <= 1e-5 * seen.objective


def test_a_broken_bound_costs_infinity() -> None:
    model = banditcd.Lasso(0.1, positive=True).fit(X, Y)
    model.coef_[3] = -0.1
    seen = verify(model, X, Y)
    assert seen.objective == np.inf
    assert "break a bound" in seen.sentence


@pytest.mark.parametrize(
    ("package", "kind", "options"),
    [
        ("celer", "Lasso", {"alpha": 0.1}),
        ("skglm", "ElasticNet", {"alpha": 0.1, "l1_ratio": 0.5}),
        ("skglm", "SparseLogisticRegression", {"alpha": 0.02, "l1_ratio": 1.0}),
        ("celer", "LogisticRegression", {"C": 1.0 / (0.02 * N)}),
    ],
)
def test_twins_are_known_by_name(package: str, kind: str, options: dict[str, Any]) -> None:
    if "Logistic" in kind:
        model = banditcd.LogisticRegression(C=1.0 / (0.02 * N), l1_ratio=1.0, tol=1e-10)
        model.fit(X, TWO)
    else:
        model = getattr(banditcd, kind)(tol=1e-10, **options).fit(X, Y)
    made = type(kind, (), {"__module__": f"{package}.home", "fit_intercept": True})()
    fitted_values = {"coef_": model.coef_, "intercept_": model.intercept_, "classes_": [0, 1]}
    vars(made).update(options | fitted_values)
    before = package in sys.modules  # imported by other tests, where it is installed
    seen = verify(made, X, TWO if "Logistic" in kind else Y)
    assert seen.gap <= 1e-8 * seen.objective
    assert (package in sys.modules) == before


def test_other_models_are_refused_by_name() -> None:
    forest = ensemble.RandomForestRegressor(2).fit(X, Y)
    with pytest.raises(TypeError, match=r"does not know sklearn\.RandomForestRegressor"):
        verify(forest, X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        verify(banditcd.Lasso(), X, Y)


def test_a_model_around_a_model_is_refused_with_what_to_pass() -> None:
    chain = make_pipeline(StandardScaler(), banditcd.Lasso(0.1)).fit(X, Y)
    with pytest.raises(TypeError, match=r"sklearn\.Pipeline \(pass its last step"):
        verify(chain, X, Y)
    assert verify(chain[-1], chain[:-1].transform(X), Y).gap <= chain[-1].certificate_.target
    search = GridSearchCV(banditcd.Lasso(), {"alpha": [0.1, 1.0]}).fit(X, Y)
    with pytest.raises(TypeError, match=r"sklearn\.GridSearchCV \(pass its best_estimator_\)"):
        verify(search, X, Y)
    assert verify(search.best_estimator_, X, Y).gap <= search.best_estimator_.certificate_.target


@pytest.mark.parametrize("loss", ["epsilon_insensitive", "squared_epsilon_insensitive"])
def test_samples_inside_the_tube_have_no_loss_and_no_rounding(loss: str) -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(20, 3)), rng.uniform(-1.0, 1.0, 20)
    model = banditcd.LinearSVR(C=1e19, epsilon=1.5, loss=loss).fit(X, y)
    seen = verify(model, X, y)
    assert seen.objective == seen.gap == 0.0
    assert seen.rounding < 1e-300
