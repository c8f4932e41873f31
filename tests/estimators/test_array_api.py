"""Arrays of other libraries: estimators answer in the library of X, if dispatch is on."""

from __future__ import annotations

import warnings

import array_api_strict as strict
import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator, clone, is_classifier

import banditcd

SETTINGS = {
    "Lasso": {"alpha": 0.1},
    "ElasticNet": {"alpha": 0.1, "warm_start": True},
    "LassoCV": {"alphas": 5, "cv": 3, "store_path": True},
    "ElasticNetCV": {"alphas": 5, "cv": 3},
    "MultiTaskLassoCV": {"alphas": 5, "cv": 3},
    "MultiTaskElasticNetCV": {"alphas": 5, "cv": 3},
    "LinearSVR": {"epsilon": 0.1},
    "GroupLasso": {"alpha": 0.1, "groups": np.arange(8) // 2},
    "GroupLassoCV": {"groups": np.arange(8) // 2, "alphas": 5, "cv": 3},
    "GroupLogisticRegression": {"groups": np.arange(8) // 2},
    "GroupLogisticRegressionCV": {"groups": np.arange(8) // 2, "Cs": 3, "cv": 3},
    "LogisticRegressionCV": {
        "Cs": 3,
        "cv": 3,
        "l1_ratios": (0.0,),
        "scoring": "neg_log_loss",
        "use_legacy_attributes": True,
    },
}
MODELS = {
    name: kind(**SETTINGS.get(name, {}))
    for name in banditcd.__all__
    if isinstance(kind := getattr(banditcd, name), type) and issubclass(kind, BaseEstimator)
}
METHODS = ("predict", "decision_function", "predict_proba", "predict_log_proba")


@pytest.fixture
def _dispatch(monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    try:
        context = sklearn.config_context(array_api_dispatch=True)
        context.__enter__()
    except (ImportError, RuntimeError) as error:  # older scikit-learn needs array-api-compat
        pytest.skip(str(error))
    yield
    context.__exit__(None, None, None)


def library(name):
    return strict if name.startswith("strict") else pytest.importorskip("torch")


def put(values, place):
    """Return an array in a library: torch, array-api-strict, or that on another device."""
    where = {"device": strict.Device("device1")} if place == "strict device" else {}
    return library(place).asarray(values, **where)


def taken(values):
    """Return an array of a library as one of NumPy."""
    if hasattr(values, "to_device"):
        values = values.to_device(strict.Device("CPU_DEVICE"))
    return np.asarray(values) if hasattr(values, "numpy") else np.from_dlpack(values)


def data(model, kind, classes=2):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 8)).astype(kind)
    y = (X[:, 0] - X[:, 1] + rng.standard_normal(60)).astype(kind)
    if is_classifier(model):
        return X, np.digitize(y, [0.0] if classes == 2 else [-0.5, 0.5])
    return X, np.column_stack([y, -y]) if "MultiTask" in type(model).__name__ else y


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("place", ["strict", "strict device", "torch"])
@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("name", MODELS)
def test_models_and_predictions_are_in_the_library_of_the_data(name, kind, place):
    model = clone(MODELS[name])
    X, y = data(model, kind, classes=3)
    plain = clone(model).fit(X, y)
    given = put(X, place)
    for _ in range(2):  # the second one starts at the first where the model does that
        model.fit(given, put(y, place))

    def same(found, expected):
        assert type(found) is type(given)
        assert found.device == given.device
        assert found.dtype == getattr(library(place), expected.dtype.name)
        np.testing.assert_allclose(taken(found), expected, rtol=1e-4, atol=1e-5)

    for attribute, expected in vars(plain).items():
        found, fitted = getattr(model, attribute), attribute.endswith("_")
        if fitted and isinstance(expected, dict):
            for key, values in expected.items():
                same(found[key], values)
        elif fitted and isinstance(expected, (np.ndarray, np.floating)):
            same(found, expected)
    for method in [*METHODS, *(["predict_path"] if name == "LassoCV" else [])]:
        if hasattr(model, method):
            same(getattr(model, method)(given), getattr(plain, method)(X))


@pytest.mark.usefixtures("_dispatch")
def test_arrays_of_numpy_stay_what_they_are():
    X, y = data(MODELS["Lasso"], "float64")
    model = banditcd.Lasso(alpha=0.1).fit(X, y)
    assert type(model.coef_) is np.ndarray
    assert type(model.intercept_) is np.float64
    assert type(model.predict(X)) is np.ndarray


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("place", ["strict", "torch"])
@pytest.mark.parametrize("name", ["Lasso", "Ridge", "LogisticRegression", "LinearSVC"])
def test_a_model_of_one_library_answers_in_that_of_its_samples(name, place):
    model = MODELS[name]
    X, y = data(model, "float64")
    there = clone(model).fit(put(X, place), put(y, place))
    here = clone(model).fit(X, y)
    assert type(there.predict(X)) is np.ndarray
    np.testing.assert_allclose(there.predict(X), here.predict(X))
    found = here.predict(put(X, place))
    assert type(found) is type(put(X, place))
    np.testing.assert_allclose(taken(found), here.predict(X))
    with sklearn.config_context(array_api_dispatch=False):
        np.testing.assert_allclose(there.predict(X), here.predict(X))


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("place", ["strict", "torch"])
def test_words_are_labels_beside_arrays_of_any_library(place):
    X, y = data(MODELS["LogisticRegression"], "float64", classes=3)
    words = np.array(["low", "middle", "high"])[y]
    model = banditcd.LogisticRegression(class_weight={"low": 2.0}).fit(put(X, place), words)
    plain = banditcd.LogisticRegression(class_weight={"low": 2.0}).fit(X, words)
    np.testing.assert_array_equal(model.predict(put(X, place)), plain.predict(X))
    assert type(model.coef_) is type(put(X, place))


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("place", ["strict", "torch"])
@pytest.mark.parametrize("name", MODELS)
def test_responses_and_weights_may_come_from_another_library_than_the_samples(name, place):
    model = MODELS[name]
    X, y = data(model, "float64")
    weight = 1.0 + np.arange(60) % 3
    plain = clone(model).fit(X, y, sample_weight=weight)
    for response, given in ((put(y, place), weight), (y, put(weight, place))):
        found = clone(model).fit(X, response, sample_weight=given)
        assert type(found.coef_) is np.ndarray
        np.testing.assert_array_equal(found.coef_, plain.coef_)


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("place", ["strict", "strict device", "torch"])
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_paths_are_in_the_library_of_the_samples(place, kind):
    X, y = data(banditcd.Lasso(), kind)
    weight = 1.0 + np.arange(60) % 3
    labels = (y > 0.0).astype(np.int64)
    for path, target, words in (
        (banditcd.lasso_path, y, {"alphas": 4, "fit_intercept": True}),
        (banditcd.enet_path, np.stack([y, -y], axis=1), {"alphas": 4}),
        (banditcd.group_lasso_path, y, {"alphas": 4, "groups": 2}),
        (banditcd.logistic_path, labels, {"Cs": 4}),
        (banditcd.group_logistic_path, labels, {"Cs": 4, "groups": 2}),
    ):
        plain = path(X, target, sample_weight=weight, **words)
        given = put(X, place)
        found = path(given, put(target, place), sample_weight=put(weight, place), **words)
        for one, other in zip(found, plain, strict=True):
            assert type(one) is type(given)
            assert one.device == given.device
            np.testing.assert_array_equal(taken(one), other)
        assert len(found.table()) == 4


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("place", ["strict", "torch"])
def test_a_sparse_model_of_another_library_predicts(place):
    X, y = data(banditcd.LogisticRegression(), "float64")
    plain = banditcd.LogisticRegression(l1_ratio=1.0).fit(X, y)
    model = banditcd.LogisticRegression(l1_ratio=1.0).fit(put(X, place), put(y, place))
    for change in (model.sparsify, model.densify):
        change()
        np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X))
        found = model.decision_function(put(X, place))
        np.testing.assert_allclose(taken(found), plain.decision_function(X))


@pytest.mark.usefixtures("_dispatch")
def test_warnings_point_to_the_caller_whatever_the_library():
    X, y = data(banditcd.LogisticRegression(), "float64")
    model = banditcd.LogisticRegressionCV(Cs=2, cv=2, penalty="l2")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model.fit(put(X, "strict"), put(y, "strict"))
    assert seen
    assert {warning.filename for warning in seen} == {__file__}
