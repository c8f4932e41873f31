"""What a fitted estimator says of its certificate: on standard error, and in a notebook."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import config_context
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import banditcd as ours

MODELS = [
    ours.Lasso(alpha=0.1),
    ours.LassoCV(cv=3, alphas=5),
    ours.Ridge(),
    ours.LinearSVR(),
    ours.GroupLassoCV(groups=2, cv=3, alphas=5),
]
CLASSIFIERS = [
    ours.LogisticRegression(),
    ours.LinearSVC(),
    ours.RidgeClassifier(),
    ours.GroupLogisticRegressionCV(groups=2, cv=3, Cs=4),
]


@pytest.mark.parametrize("model", MODELS + CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_notebooks_show_the_certificate(model, make_data):
    X, y = make_data(40, 6)
    model.fit(X, np.digitize(y, np.quantile(y, [0.3, 0.6])) if model in CLASSIFIERS else y)
    for text in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert "sk-container-id" in text  # scikit-learn's diagram
        assert text.count('<div class="caption">Certificate converged') == 1
        assert ("worst of 3" in text) == isinstance(model.certificate_, list)
    assert "Certificate" not in type(model)()._repr_html_()
    with config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()


@pytest.mark.parametrize("around", ["pipeline", "search"])
def test_notebooks_show_the_certificate_inside_of_others(around, make_data):
    X, y = make_data(40, 6)
    inner = ours.Lasso(alpha=0.1)
    model: Any = make_pipeline(StandardScaler(), inner)
    if around == "search":
        model = GridSearchCV(model, {"lasso__alpha": [0.1]})
    assert "Certificate" not in model._repr_html_()
    assert model.fit(X, y)._repr_html_().count("Certificate converged: gap") == 1


@pytest.mark.parametrize("verbose", [0, 1])
def test_verbose_tells_gap_and_iterations(verbose, make_data, capfd):
    X, y = make_data(40, 6)
    model = ours.ElasticNet(alpha=0.1, verbose=verbose).fit(X, y)
    told = capfd.readouterr().err
    expected = (
        f"banditcd: ElasticNet converged: gap {model.dual_gap_:.2g} of the "
        f"{model.certificate_.target:.2g} asked for"
    )
    assert told.startswith(expected) if verbose else told == ""
    assert (f"{model.n_iter_} iteration" in told) == bool(verbose)


def test_verbose_says_that_a_fit_fell_short(make_data, capfd):
    X, y = make_data(40, 60)
    with pytest.warns(UserWarning, match="did not converge"):
        ours.Lasso(alpha=1e-3, max_iter=1, tol=1e-14, verbose=1, selector="cyclic").fit(X, y)
    assert "Lasso max_iter: gap" in capfd.readouterr().err
