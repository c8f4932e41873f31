"""The pictures: what is drawn, and what is said when nothing can be."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from banditcd import CVDisplay, ElasticNetCV, Lasso, LassoCV, PathDisplay, RidgeCV, lasso_path


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    yield plt
    plt.close("all")


def test_path(pyplot, make_data):
    X, y = make_data(40, 5)
    model = LassoCV(alphas=10, cv=3, store_path=True)
    model.fit(pd.DataFrame(X, columns=[f"name{j}" for j in range(5)]), y)
    display = PathDisplay.from_estimator(model, n_labels=3)
    assert len(display.lines_) == np.count_nonzero(model.coef_path_.any(axis=1))
    np.testing.assert_array_equal(display.lines_[0].get_xdata(), model.alphas_)
    texts = [text.get_text() for text in display.ax_.texts]
    assert sum(text.startswith("name") for text in texts) == 3
    display.figure_.canvas.draw()
    alphas, coefs, _ = lasso_path(X, y, alphas=10)
    ax = pyplot.subplots()[1]
    assert PathDisplay(alphas, coefs).plot(ax=ax).ax_ is ax


@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error"])
def test_scores_of_ridge(pyplot, scoring, make_data):
    X, y = make_data(40, 5)
    model = RidgeCV(alphas=(10.0, 0.1, 1.0), cv=4, scoring=scoring).fit(X, y)
    display = CVDisplay.from_estimator(model)
    np.testing.assert_array_equal(display.alphas, [0.1, 1.0, 10.0])
    assert display.errors.shape == (3, 4)
    assert display.errors.mean(axis=1).max() == pytest.approx(model.best_score_)
    assert display.alphas[display.errors.mean(axis=1).argmax()] == model.alpha_
    assert display.ax_.get_ylabel() == f"test {scoring or 'R²'}"
    assert display.ax_.get_xlabel().startswith("alpha")
    model.set_params(cv=None).fit(X, y)
    with pytest.raises(ValueError, match=r"RidgeCV with folds"):
        CVDisplay.from_estimator(model)


@pytest.mark.parametrize("ratio", [0.5, [0.2, 0.9]])
def test_errors(pyplot, ratio, make_data):
    X, y = make_data(40, 5)
    model = ElasticNetCV(l1_ratio=ratio, alphas=10, cv=3).fit(X, y)
    display = CVDisplay.from_estimator(model)
    errors = model.mse_path_ if model.mse_path_.ndim == 2 else None
    if errors is None:
        errors = model.mse_path_[list(ratio).index(model.l1_ratio_)]
    np.testing.assert_array_equal(display.errors, errors)
    assert model.alpha_ in display.alphas
    assert f"l1_ratio = {model.l1_ratio_:g}" == display.ax_.get_title()
    display.figure_.canvas.draw()


def test_what_cannot_be_drawn(make_data, monkeypatch):
    X, y = make_data(30, 4)
    with pytest.raises(ValueError, match="store_path=True"):
        PathDisplay.from_estimator(Lasso().fit(X, y))
    with pytest.raises(ValueError, match="no cross-validated errors"):
        CVDisplay.from_estimator(LassoCV(select_alpha="bic").fit(X, y))
    with pytest.raises(ValueError, match="one column for each of the 3 alphas"):
        PathDisplay([1.0, 0.5, 0.1], np.ones((4, 2)))
    with pytest.raises(ValueError, match="one row for each of the 3 alphas"):
        CVDisplay([1.0, 0.5, 0.1], np.ones((4, 2)))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install banditcd\[plots\]"):
        PathDisplay([1.0], np.ones((4, 1))).plot()
