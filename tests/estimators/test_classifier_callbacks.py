"""Callbacks of scikit-learn 1.9: what they see of a fit, and when."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn

from banditcd import (
    GroupLogisticRegressionCV,
    LinearSVC,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeCV,
)
from tests.estimators.recorder import Recorder

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3))
Y = np.where(X[:, 0] + 0.5 * RNG.standard_normal(40) > 0, "yes", "no")


def response(estimator):
    return Y if sklearn.base.is_classifier(estimator) else X[:, 0] - X[:, 1]


@pytest.mark.parametrize("selector", ["auto", "cyclic"])
def test_callbacks(selector):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    for model in (LogisticRegression(l1_ratio=1.0), LogisticRegression(), LinearSVC(), Ridge()):
        recorder = Recorder(X=X)
        model.set_params(selector=selector, max_iter=5000).set_callbacks(recorder)
        model.fit(X, response(model))
        ends = [s for s in recorder.seen if s[0] == "end"]
        assert recorder.seen[0] == "setup"
        assert recorder.seen[-1] == "teardown"
        assert sum(s[2] for s in ends) >= 1
        assert len(ends) == len([s for s in recorder.seen if s[0] == "begin"])
    hasty = LinearSVC(selector="cyclic", tol=1e-14).set_callbacks(Recorder(stop_after=1, X=X))
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="A callback stopped the fit"):
        hasty.fit(X, Y)
    grouped = GroupLogisticRegressionCV(3, Cs=2, cv=3)
    for search in (LogisticRegressionCV(Cs=2, cv=3), RidgeCV(cv=3), grouped):
        recorder = Recorder(X=X)
        search.set_callbacks(recorder).fit(X, response(search))
        names = [s[1] for s in recorder.seen if s[0] == "end"]
        assert names == ["fold", "fold", "fold", "refit", "fit"]


@pytest.mark.parametrize("classes", [2, 3])
def test_callbacks_see_the_model_of_every_iteration(classes):
    """At its end a task has the model of as many iterations, and the next one begins with it."""
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")

    class Models:
        begins, ends = [], []

        def setup(self, estimator, context):
            self.begins, self.ends = [], []

        def teardown(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context, *, fitted_estimator=None):
            if context.task_name == "iteration":
                self.begins.append(fitted_estimator)

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            if context.task_name == "iteration":
                self.ends.append(fitted_estimator)

    seen, y = Models(), np.arange(40) % classes
    model = LogisticRegression().set_callbacks(seen).fit(X, y)
    steps = int(model.n_iter_[0])
    assert len(seen.begins) == len(seen.ends) == steps + 1
    assert seen.ends.pop() is None  # of the iteration that did not happen
    for step, begun in enumerate(seen.begins):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sklearn.exceptions.ConvergenceWarning)
            expected = LogisticRegression(max_iter=step).fit(X, y)
        np.testing.assert_allclose(begun.coef_, expected.coef_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(begun.intercept_, expected.intercept_, rtol=1e-9, atol=1e-12)
        if step > 0:
            np.testing.assert_array_equal(seen.ends[step - 1].coef_, begun.coef_)
