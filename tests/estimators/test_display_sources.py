"""Pictures of models inside pipelines and grid searches, ours and scikit-learn's; their labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn.linear_model as theirs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import banditcd as ours
from banditcd import CVDisplay, PathDisplay
from banditcd.estimators.displays.plotting import marks, spread
from tests.versions import their_penalties

GRID = np.geomspace(100.0, 0.01, 9)


@pytest.fixture
def table(make_data):
    X, y = make_data(60, 6)
    return pd.DataFrame(X, columns=[f"name{j}" for j in range(6)]), y


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    yield plt
    plt.close("all")


def _searches(y):
    if y.dtype == bool:
        return [
            ours.LogisticRegressionCV(Cs=5, l1_ratios=(1.0,), use_legacy_attributes=False),
            theirs.LogisticRegressionCV(Cs=5, cv=3, scoring="accuracy"),
            GridSearchCV(ours.LogisticRegression(l1_ratio=1.0), {"C": [0.01, 0.1, 1.0]}, cv=3),
        ]
    return [
        ours.LassoCV(cv=3, alphas=12),
        theirs.LassoCV(cv=3, **their_penalties(12)),
        ours.RidgeCV(GRID, cv=3),
        ours.RidgeCV(GRID, store_cv_results=True),
        theirs.RidgeCV(GRID, store_cv_results=True),
        GridSearchCV(theirs.Ridge(), {"alpha": GRID, "positive": [False, True]}, cv=3),
    ]


@pytest.mark.filterwarnings("ignore:.*(deprecated|legacy|will change).*:FutureWarning")
@pytest.mark.parametrize("classes", [False, True])
def test_any_search_is_drawn(pyplot, table, classes):
    """Scores and path of every search as the last step of a pipeline."""
    X, y = table
    y = y > np.median(y) if classes else y
    for search in _searches(y):
        model = make_pipeline(StandardScaler(), search).fit(X, y)
        scores = CVDisplay.from_estimator(model)
        assert scores.alpha in scores.alphas
        assert scores.alpha_1se >= scores.alpha_best
        assert scores.standard_errors.shape == scores.mean.shape == scores.alphas.shape
        path = PathDisplay.from_estimator(model, X, y)
        assert path.alpha == scores.alpha
        assert (path.alpha_best, path.alpha_1se) == (scores.alpha_best, scores.alpha_1se)
        assert path.coefs.shape[0] == X.shape[1]
        texts = [text.get_text() for text in path.ax_.texts]
        assert sum(text.startswith("name") for text in texts) == len(path.lines_)
        pyplot.close("all")


def test_a_grid_search_around_a_pipeline(pyplot, table):
    X, y = table
    chain = make_pipeline(StandardScaler(), ours.Lasso())
    search = GridSearchCV(chain, {"lasso__alpha": GRID}, cv=3, scoring="neg_mean_squared_error")
    scores = CVDisplay.from_estimator(search.fit(X, y))
    assert scores.ax_.get_ylabel() == "test neg_mean_squared_error"
    assert scores.mean.max() == pytest.approx(search.best_score_)
    assert scores.alpha == scores.alpha_best == search.best_params_["lasso__alpha"]
    assert PathDisplay.from_estimator(search, X, y).feature_names.tolist() == list(X.columns)
    with pytest.raises(ValueError, match="give the data too"):
        PathDisplay.from_estimator(search)
    other = GridSearchCV(ours.Lasso(), {"positive": [True, False]}, cv=3).fit(X, y)
    with pytest.raises(ValueError, match="called alpha or C"):
        CVDisplay.from_estimator(other)


@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_the_rule_of_the_picture_is_that_of_the_search(pyplot, table, ratio):
    X, y = table
    options = {"l1_ratio": ratio, "alphas": 30, "cv": 5}
    best = ours.ElasticNetCV(**options).fit(X, y)
    simple = ours.ElasticNetCV(select_alpha="1se", store_path=True, **options).fit(X, y)
    display = CVDisplay.from_estimator(best)
    assert (display.alpha, display.alpha_1se) == (best.alpha_, simple.alpha_)
    folds = best.mse_path_
    np.testing.assert_allclose(display.standard_errors, folds.std(axis=1, ddof=1) / np.sqrt(5))
    assert best.support_path_.shape == folds.shape
    np.testing.assert_array_equal(display.features, np.median(best.support_path_, axis=1))
    other = CVDisplay.from_estimator(simple)
    np.testing.assert_array_equal(other.features, (simple.coef_path_ != 0.0).sum(axis=0))
    drawn = {text.get_text() for text in other.ax_.texts}
    assert drawn == {f"1-SE rule (chosen): {simple.alpha_:.3g}", f"best: {best.alpha_:.3g}"}


def test_rules_that_agree_share_a_mark():
    assert marks(2.0, 2.0, 2.0) == [(2.0, "1-SE rule and best (chosen): 2", True)]
    assert [text for _, text, _ in marks(1.0, 2.0, 3.0)] == [
        "1-SE rule: 3",
        "best: 2",
        "chosen: 1",
    ]
    assert marks(None, None, None) == []


@pytest.mark.parametrize("seed", range(5))
def test_labels_keep_their_distance(seed):
    places = np.sort(np.random.default_rng(seed).random(12) ** 3)
    moved = spread(places, 0.07)
    assert np.diff(moved).min() >= 0.07 - 1e-12
    assert moved.min() >= 0.0
    assert moved.max() <= 1.0 + 1e-12
    np.testing.assert_allclose(spread(np.linspace(0, 1, 12), 0.07), np.linspace(0, 1, 12))


@pytest.mark.parametrize("layout", ["constrained", None])
def test_labels_do_not_overlap(pyplot, make_data, layout):
    from matplotlib.text import Text

    X, y = make_data(80, 30)
    alphas, coefs, _ = ours.lasso_path(X, y)
    figure, ax = pyplot.subplots(figsize=(6, 4), layout=layout)
    display = PathDisplay(alphas, coefs, alpha=alphas[30], alpha_best=alphas[31], alpha_1se=0.9)
    display.plot(ax=ax, n_labels=15)
    figure.canvas.draw()
    boxes = [Text.get_window_extent(text) for text in ax.texts]  # without the lines to them
    assert len(boxes) >= 15
    for k, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:k])


def test_a_tail_does_not_flatten_the_picture(pyplot):
    """Coefficients that explode at weak penalties are left out, unless all are asked for."""
    alphas = np.geomspace(1.0, 1e-6, 61)
    coefs = np.vstack([1.0 - alphas, np.exp(0.2 * np.arange(61.0)) - 1.0])
    for display in (PathDisplay(alphas, coefs, alpha=alphas[15]), PathDisplay(alphas, coefs)):
        ax = display.plot().ax_
        assert ax.get_ylim()[1] < 0.3 * coefs.max()
        assert ax.get_xlim()[1] > alphas[-1]
        assert "not shown" in ax.get_title()
        whole = display.plot(whole=True).ax_
        assert whole.get_ylim()[1] > coefs.max()
        assert whole.get_xlim()[1] == alphas[-1]


def test_a_class_is_chosen_by_its_label(pyplot, table):
    X, y = table
    labels = np.array(["low", "middle", "high"])[np.digitize(y, np.quantile(y, [0.3, 0.6]))]
    model = ours.LogisticRegressionCV(Cs=4, use_legacy_attributes=False).fit(X, labels)
    assert PathDisplay.from_estimator(model, label="low").title == "mean of 5 folds"
    with pytest.raises(ValueError, match="choose the class to draw among 'high', 'low', 'middle'"):
        PathDisplay.from_estimator(model)


GROUPED = {
    "GroupLasso": lambda: ours.GroupLasso(2, alpha=0.1),
    "GroupLassoCV": lambda: ours.GroupLassoCV(2, alphas=5, cv=3),
    "GroupLogisticRegression": lambda: ours.GroupLogisticRegression(2),
    "GroupLogisticRegressionCV": lambda: ours.GroupLogisticRegressionCV(2, Cs=5, cv=3),
    "MultiTaskLasso": lambda: ours.MultiTaskLasso(0.1),
    "MultiTaskElasticNetCV": lambda: ours.MultiTaskElasticNetCV(alphas=5, cv=3),
}


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.usefixtures("pyplot")
def test_models_with_blocks_are_drawn_along_their_paths(name):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 6))
    y = X[:, 0] + rng.standard_normal(60)
    several = name.startswith("MultiTask")
    target = np.stack([y, -y], axis=1) if several else (y > 0.0 if "Logistic" in name else y)
    model = GROUPED[name]().fit(X, target)
    display = PathDisplay.from_estimator(model, X, target, label=0 if several else None)
    assert display.coefs.shape == (6, len(display.alphas))
    nearest = np.argmin(np.abs(np.log(display.alphas / display.alpha)))
    coef = model.coef_[0] if model.coef_.ndim == 2 else model.coef_
    np.testing.assert_allclose(display.coefs[:, nearest], coef, atol=0.15)
    if name == "GroupLogisticRegressionCV":
        assert PathDisplay.from_estimator(model).coefs.shape == (6, 5)
