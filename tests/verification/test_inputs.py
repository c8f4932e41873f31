"""The judge knows every model of ours, in any array library, and refuses other data by name."""

from __future__ import annotations

from typing import Any

import array_api_strict as strict
import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn import linear_model
from sklearn.base import BaseEstimator, is_classifier

import banditcd
from banditcd import verify
from banditcd.verification.blocks import BLOCK_READERS
from banditcd.verification.models import READERS
from tests.versions import their_penalties

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 12))
Y = X[:, 0] + RNG.normal(size=80)
LABELS = np.digitize(Y, [-0.5, 0.5])
WEIGHT = RNG.uniform(0.5, 2.0, 80)
FEW = {"cv": 3}
SETTINGS: dict[str, dict[str, Any]] = {
    "LassoCV": FEW,
    "ElasticNetCV": {**FEW, "l1_ratio": [0.2, 0.9]},
    "MultiTaskLassoCV": {**FEW, "alphas": 5},
    "MultiTaskElasticNetCV": {**FEW, "alphas": 5, "l1_ratio": [0.2, 0.9]},
    "LogisticRegressionCV": {**FEW, "Cs": 3, "scoring": "accuracy", "use_legacy_attributes": False},
    "GroupLasso": {"groups": 3, "alpha": 0.1},
    "GroupLassoCV": {**FEW, "groups": 3},
    "GroupLogisticRegression": {"groups": 3, "class_weight": {0: 2.0}},
    "GroupLogisticRegressionCV": {**FEW, "groups": 3, "Cs": 3},
}
OURS = [
    name
    for name in banditcd.__all__
    if isinstance(kind := getattr(banditcd, name), type) and issubclass(kind, BaseEstimator)
]


def made(name: str, package: Any = banditcd) -> tuple[Any, Any]:
    """Return a model, unfitted, and responses that it takes."""
    settings = dict(SETTINGS.get(name, {}))
    if package is linear_model and "alphas" in settings:
        settings |= their_penalties(settings.pop("alphas"))
    model = getattr(package, name)(**settings)
    if is_classifier(model):
        return model, LABELS
    return model, np.column_stack([Y, 2.0 * X[:, 1] - Y]) if name.startswith("MultiTask") else Y


@pytest.mark.parametrize("name", OURS)
def test_every_model_of_ours_is_judged(name: str) -> None:
    model, y = made(name)
    if "tol" in model.get_params():
        model.set_params(tol=1e-10)
    seen = verify(model.fit(X, y), X, y)
    assert abs(seen.gap) <= 1e-8 * seen.objective + seen.rounding
    assert ("banditcd", name) in READERS | BLOCK_READERS


@pytest.mark.parametrize("name", ["MultiTaskLassoCV", "MultiTaskElasticNetCV", "RidgeClassifierCV"])
def test_searches_of_scikit_learn_are_judged_at_what_they_chose(name: str) -> None:
    model, y = made(name, linear_model)
    if "tol" in model.get_params():
        model.set_params(tol=1e-10)
    seen = verify(model.fit(X, y), X, y)
    assert abs(seen.gap) <= 1e-8 * seen.objective + seen.rounding
    model.alpha_ *= 0.5
    assert verify(model, X, y).gap > 1e-6 * seen.objective


@pytest.mark.parametrize(
    ("package", "name"),
    [*((banditcd, name) for name in OURS), (linear_model, "LogisticRegression")],
    ids=[*OURS, "theirs"],
)
def test_arrays_of_another_library_give_the_same_verdict(
    package: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    model, y = made(name, package)
    try:
        context = sklearn.config_context(array_api_dispatch=True)
        context.__enter__()
    except (ImportError, RuntimeError) as error:  # older scikit-learn needs array-api-compat
        pytest.skip(str(error))
    try:
        model.fit(strict.asarray(X), strict.asarray(y))
    finally:
        context.__exit__(None, None, None)
    seen = verify(model, strict.asarray(X), strict.asarray(y), strict.asarray(np.ones(80)))
    assert seen == verify(model, X, y)


def broken(X: Any, row: int, value: float) -> Any:
    """Return a copy with one value replaced."""
    X = X.copy()
    X[row] = value
    return X


def refusals(y: Any) -> dict[str, tuple[Any, Any, Any, str]]:
    """Return data that fit no model of 80 x 12: X, y, weights, what is said."""
    nan = broken(X, 3, np.nan)
    return {
        "nan": (nan, y, None, "X has NaN or infinite values"),
        "sparse nan": (sparse.csr_array(nan), y, None, "X has NaN or infinite values"),
        "rows": (X[:70], y, None, "X has 70 rows and y has 80"),
        "responses": (X, y[:70], None, "X has 80 rows and y has 70"),
        "columns": (X[:, :3], y, None, "X has 3 columns and this .* was fitted to 12"),
        "weights": (X, y, np.ones(70), "X has 80 rows and sample_weight has 70"),
        "negative": (X, y, -np.ones(80), "sample_weight has NaN, infinite or negative"),
        "zeros": (X, y, np.zeros(80), "sample_weight is zero for every sample"),
        "y nan": (X, broken(y.astype(float), 3, np.nan), None, "y has NaN or infinite values"),
        "vector": (X[0], y, None, r"X has 1 dimension\(s\)"),
    }


@pytest.mark.parametrize("name", OURS)
def test_other_data_are_refused_in_a_sentence(name: str, capfd: Any) -> None:
    model, y = made(name)
    model.fit(X, y)
    for data, labels, weight, sentence in refusals(y).values():
        with pytest.raises(ValueError, match=sentence):
            verify(model, data, labels, weight)
    if is_classifier(model):
        for labels in (y + 5, y.astype(str)):
            with pytest.raises(ValueError, match="labels that the model was not fitted to"):
                verify(model, X, labels)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", OURS)
def test_no_distance_is_negative_and_no_coefficient_that_is_not_finite_ends_in_an_error(
    name: str,
) -> None:
    model, y = made(name)
    model.fit(X, y)
    assert "within -" not in verify(model, X, y).sentence
    model.coef_ = np.asarray(model.coef_) * np.nan
    seen = verify(model, X, y)
    assert seen.objective == np.inf
    assert "not finite" in seen.sentence


def test_a_bound_above_the_objective_is_a_distance_of_zero() -> None:
    model = banditcd.RidgeCV().fit(X, X[:, 0])
    seen = verify(model, X, X[:, 0])
    assert seen.gap < 0.0
    assert "within 0 of the optimum" in seen.sentence


def test_integers_beyond_float64_are_refused_by_name():
    model = banditcd.Ridge().fit(X, Y)
    with pytest.raises(ValueError, match="X has an integer beyond float64"):
        verify(model, np.full(X.shape, 10**400, dtype=object), Y)


@pytest.mark.parametrize(
    "groups", [[[0, 3], [1], [4, 2, 5]], np.array(list("abacbc")), (2, 2, 1, 1, 1, 0)]
)
def test_groups_are_read_as_users_give_them(groups):
    """Lists of different lengths were no array."""
    few = X[:, :6]
    model = banditcd.GroupLasso(alpha=0.01, groups=groups, tol=1e-8).fit(few, Y)
    found = verify(model, few, Y)
    assert found.objective == pytest.approx(model.certificate_.primal, rel=1e-9)
    assert found.gap <= model.certificate_.target + found.rounding


@pytest.mark.parametrize("labels", [LABELS, np.minimum(LABELS, 1)], ids=["three", "two"])
def test_a_class_without_weight_is_balanced_to_nothing(labels):
    """Its factor was infinite, times weights of zero: a traceback of SciPy's."""
    weight = np.where(labels == 1, 0.0, WEIGHT)
    for kind in (banditcd.LinearSVC, banditcd.LogisticRegression, banditcd.RidgeClassifier):
        model = kind(class_weight="balanced").fit(X, labels, sample_weight=weight)
        found = verify(model, X, labels, weight)
        targets = np.sum([c.target for c in np.atleast_1d(np.array(model.certificate_))])
        assert found.gap <= targets + found.rounding
