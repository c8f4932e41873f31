"""The table of a path: features and deviance explained, as a fit of each model would say."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import d2_log_loss_score, r2_score

from banditcd import enet_path, group_lasso_path, lasso_path, logistic_path


@pytest.mark.parametrize("storage", ["dense", "frame", "map"])
@pytest.mark.parametrize("weighted", [False, True])
def test_squared_losses(make_data, storage, weighted, tmp_path):
    """The share explained is R², with the weights of the samples."""
    X, y = make_data(50, 7)
    weights = np.linspace(0.2, 3.0, 50) if weighted else None
    given = pd.DataFrame(X, columns=list("abcdefg")) if storage == "frame" else X
    if storage == "map":
        np.save(tmp_path / "X.npy", X)
        given = np.load(tmp_path / "X.npy", mmap_mode="r")
    path = enet_path(given, y, alphas=9, fit_intercept=True, sample_weight=weights)
    alphas, coefs, gaps, intercepts = path
    table = path.table()
    expected = [
        r2_score(y, X @ coefs[:, k] + intercepts[k], sample_weight=weights) for k in range(9)
    ]
    np.testing.assert_allclose(table.explained, expected, atol=1e-12)
    np.testing.assert_array_equal(table.features, np.count_nonzero(coefs, axis=0))
    assert table.penalties is alphas
    assert path.feature_names == (list("abcdefg") if storage == "frame" else None)
    assert np.all(table.gaps <= 1e-4)
    assert np.all((table.gaps > 0.0) == (gaps > 0.0))


@pytest.mark.parametrize("multi_class", ["multinomial", "ovr"])
@pytest.mark.parametrize("classes", [2, 3])
def test_logistic_losses(make_data, classes, multi_class):
    X, y = make_data(80, 6)
    labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    path = logistic_path(X, labels, Cs=6, multi_class=multi_class, class_weight="balanced")
    table = path.table()
    assert table.penalty == "C"
    assert table.explained[0] == pytest.approx(0.0, abs=1e-4)
    assert np.all(np.diff(table.explained) > 0.0)
    if classes == 2:
        z = X @ path.coefs[:, -1] + path.intercepts[-1]
        weights = (80 / 2) / np.bincount(labels)[labels]
        share = d2_log_loss_score(
            labels, 1.0 / (1.0 + np.exp(np.column_stack([z, -z]))), sample_weight=weights
        )
        assert table.explained[-1] == pytest.approx(share)
    elif multi_class == "multinomial":
        z = X @ path.coefs[:, :, -1].T + path.intercepts[:, -1]
        z = np.exp(z - z.max(axis=1, keepdims=True))
        weights = (80 / 3) / np.bincount(labels)[labels]
        share = d2_log_loss_score(labels, z / z.sum(axis=1, keepdims=True), sample_weight=weights)
        assert table.explained[-1] == pytest.approx(share)


def test_blocks(make_data):
    X, y = make_data(40, 6)
    single = group_lasso_path(X, y, 1, alphas=5).table()
    np.testing.assert_allclose(
        single.explained, lasso_path(X, y, alphas=5).table().explained, atol=1e-4
    )
    joint = lasso_path(X, np.column_stack([y, -y]), alphas=5).table()
    assert joint.features.max() <= 6
    np.testing.assert_allclose(joint.explained, single.explained, atol=2e-2)


def test_what_is_shown(make_data):
    X, y = make_data(40, 6)
    path = lasso_path(X, y, alphas=50)
    table = path.table()
    assert path.table() is table
    assert len(str(table).splitlines()) == 51
    assert repr(table).splitlines()[-1] == "20 of 50 rows; print(table) shows all."
    assert table._repr_html_().count("<tr>") == 21
    assert "-0.00" not in str(table)
    assert table.to_pandas().columns.tolist() == ["alpha", "features", "explained", "gap"]
    again = pickle.loads(pickle.dumps(path))  # noqa: S301
    assert isinstance(again, tuple)
    np.testing.assert_array_equal(again[1], path[1])
    np.testing.assert_array_equal(again.table().explained, table.explained)


def test_a_path_draws_itself(make_data):
    pytest.importorskip("matplotlib").use("Agg")
    X, y = make_data(40, 4)
    path = logistic_path(pd.DataFrame(X, columns=list("abcd")), y > np.median(y), Cs=10)
    display = path.plot()
    np.testing.assert_array_equal(display.alphas, 1.0 / path.penalties)
    assert display.ax_.get_xlabel().startswith("1 / C")
    assert {text.get_text() for text in display.ax_.texts} <= set("abcd")
    with pytest.raises(ValueError, match="several rows"):
        lasso_path(X, np.column_stack([y, y]), alphas=3).plot()
