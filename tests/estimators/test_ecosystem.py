"""The estimators among their neighbours: frames, pickles, searches, pipelines, callbacks."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from banditcd import ElasticNet, ElasticNetCV, Lasso, LassoCV, selectors
from tests.estimators.recorder import Recorder

ESTIMATORS = [Lasso(0.1), ElasticNet(0.1), LassoCV(alphas=5, cv=3), ElasticNetCV(alphas=5, cv=3)]


@pytest.fixture(params=ESTIMATORS, ids=lambda e: type(e).__name__)
def estimator(request):
    return clone(request.param)


def test_pandas_and_polars(estimator, make_data):
    X, y = make_data(30, 3)
    plain = clone(estimator).fit(X, y)
    frames = [pd.DataFrame(X, columns=["a", "b", "c"])]
    if parse_version(sklearn.__version__) >= parse_version("1.9"):  # knows the newest polars
        frames.append(pytest.importorskip("polars").DataFrame(X, schema=["a", "b", "c"]))
    for frame in frames:
        model = clone(estimator).fit(frame, y)
        assert list(model.feature_names_in_) == ["a", "b", "c"]
        np.testing.assert_allclose(model.predict(frame), plain.predict(X))
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            model.predict(X)
    again = clone(estimator).fit(pd.DataFrame(X, columns=["a", "b", "c"]), pd.Series(y))
    assert not hasattr(again.fit(X, y), "feature_names_in_")


def test_pickle_and_clone(estimator, make_data):
    X, y = make_data(30, 3)
    estimator.set_params(selector=selectors.Cyclic()).fit(X, y)
    copy = pickle.loads(pickle.dumps(estimator))  # noqa: S301
    np.testing.assert_array_equal(copy.predict(X), estimator.predict(X))
    assert copy.certificate_ == estimator.certificate_
    fresh = clone(estimator)
    assert not hasattr(fresh, "coef_")
    assert fresh.get_params().keys() == estimator.get_params().keys()


def test_pipeline_search_and_routed_weights(make_data):
    X, y = make_data(40, 4)
    pipeline = make_pipeline(StandardScaler(), Lasso())
    search = GridSearchCV(pipeline, {"lasso__alpha": [0.01, 0.1, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_["lasso__alpha"] in (0.01, 0.1, 1.0)
    weight = np.arange(40.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = Lasso(0.1).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        routed = GridSearchCV(model, {"alpha": [0.1]}, cv=2).fit(X, y, sample_weight=weight)
    direct = Lasso(0.1).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(routed.best_estimator_.coef_, direct.coef_)


def test_sparse_coef(make_data):
    X, y = make_data(30, 6)
    model = Lasso(0.2).fit(X, y)
    assert model.sparse_coef_.shape == (1, 6)
    np.testing.assert_array_equal(model.sparse_coef_.toarray()[0], model.coef_)
    assert Lasso(0.2).fit(X, np.column_stack([y, y])).sparse_coef_.shape == (2, 6)


@pytest.fixture
def callbacks():
    return pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")


@pytest.mark.parametrize("selector", ["auto", "cyclic"])
def test_callbacks_see_every_iteration_and_may_stop(callbacks, selector, make_data):
    X, y = make_data(60, 40)
    recorder = Recorder()
    model = Lasso(0.001, selector=selector, tol=1e-8, max_iter=3000).set_callbacks(recorder)
    model.fit(X, y)
    ends = [s for s in recorder.seen if s[0] == "end"]
    assert recorder.seen[0] == "setup"
    assert recorder.seen[-1] == "teardown"
    assert sum(s[2] for s in ends) >= model.n_iter_
    assert len(ends) == len([s for s in recorder.seen if s[0] == "begin"])
    np.testing.assert_allclose(
        Lasso(0.001, tol=1e-8).fit(X, y).predict(X), model.predict(X), atol=1e-2
    )
    hasty = Lasso(1e-6, selector="cyclic", tol=1e-14).set_callbacks(Recorder(stop_after=1))
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="A callback stopped the fit"):
        hasty.fit(X, y)
    assert hasty.certificate_.status == "stopped"


def test_callbacks_see_every_fold(callbacks, make_data):
    X, y = make_data(40, 4)
    recorder = Recorder()
    LassoCV(alphas=4, cv=3).set_callbacks(recorder).fit(X, y)
    names = [s[1] for s in recorder.seen if s[0] == "end"]
    assert names == ["fold", "fold", "fold", "refit", "fit"]


def test_callbacks_from_a_search(callbacks, make_data):
    X, y = make_data(40, 4)
    search = GridSearchCV(Lasso(), {"alpha": [0.1, 1.0]}, cv=2)
    search.set_callbacks(callbacks.ProgressBar())
    assert search.fit(X, y).best_score_ <= 1.0


def test_importing_the_library_imports_nothing_else():
    code = (
        "import sys, banditcd; banditcd.__version__; "
        "heavy = {'numpy', 'scipy', 'sklearn', 'matplotlib', 'rich', 'pandas'} & set(sys.modules); "
        "assert not heavy, heavy; "
        "from banditcd import Lasso; "
        "heavy = {'matplotlib', 'banditcd.engine', 'banditcd.problems'} & set(sys.modules); "
        "assert not heavy, heavy; "
        "assert 'LassoCV' in dir(banditcd)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
