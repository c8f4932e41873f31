"""Arrays of other libraries: estimators answer in the library of X, if dispatch is on."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pytest
import sklearn
from sklearn.base import clone

import banditcd

MODELS = {
    "Lasso": lambda: banditcd.Lasso(alpha=0.1),
    "ElasticNet": lambda: banditcd.ElasticNet(alpha=0.1, warm_start=True),
    "LassoCV": lambda: banditcd.LassoCV(alphas=5, cv=3, store_path=True),
    "Ridge": lambda: banditcd.Ridge(),
    "LinearSVR": lambda: banditcd.LinearSVR(epsilon=0.1),
    "LinearSVC": lambda: banditcd.LinearSVC(),
    "LogisticRegression": lambda: banditcd.LogisticRegression(),
}


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


def data(kind):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 8)).astype(kind)
    y = (X[:, 0] - X[:, 1] + rng.standard_normal(60)).astype(kind)
    return X, y


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("name", MODELS)
def test_models_and_predictions_are_in_the_library_of_the_data(name, kind):
    X, y = data(kind)
    model = MODELS[name]()
    y = (y > 0).astype(np.int64) if hasattr(model, "decision_function") else y
    plain = clone(model).fit(X, y)
    for _ in range(2):  # the second one starts at the first where the model does that
        model.fit(strict.asarray(X), strict.asarray(y))
    for attribute in ("coef_", "intercept_"):
        found, expected = getattr(model, attribute), np.asarray(getattr(plain, attribute))
        assert found.__array_namespace__() is strict
        assert found.dtype == getattr(strict, expected.dtype.name)
        np.testing.assert_allclose(np.from_dlpack(found), expected, rtol=1e-4, atol=1e-6)
    for method in ("predict", "decision_function", "predict_proba", "predict_path"):
        if hasattr(model, method) and not (method == "predict_path" and name != "LassoCV"):
            found = getattr(model, method)(strict.asarray(X))
            assert found.__array_namespace__() is strict
            expected = getattr(plain, method)(X)
            np.testing.assert_allclose(np.from_dlpack(found), expected, rtol=1e-4, atol=1e-5)
    assert isinstance(model.n_iter_, (int, np.integer, np.ndarray))


@pytest.mark.usefixtures("_dispatch")
def test_arrays_of_numpy_stay_what_they_are():
    X, y = data("float64")
    model = banditcd.Lasso(alpha=0.1).fit(X, y)
    assert type(model.coef_) is np.ndarray
    assert type(model.intercept_) is np.float64
    assert type(model.predict(X)) is np.ndarray


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("name", MODELS)
def test_tensors_on_the_cpu(name, kind):
    torch = pytest.importorskip("torch")
    X, y = data(kind)
    model = MODELS[name]()
    y = (y > 0).astype(np.int64) if hasattr(model, "decision_function") else y
    plain = clone(model).fit(X, y)
    model.fit(torch.as_tensor(X), torch.as_tensor(y))
    assert isinstance(model.coef_, torch.Tensor)
    assert model.coef_.dtype == getattr(torch, plain.coef_.dtype.name)
    np.testing.assert_allclose(model.coef_.numpy(), plain.coef_, rtol=1e-4, atol=1e-6)
    found = model.predict(torch.as_tensor(X))
    assert isinstance(found, torch.Tensor)
    np.testing.assert_allclose(found.numpy(), plain.predict(X), rtol=1e-4, atol=1e-5)
