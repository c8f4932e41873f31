"""What models with blocks and paths answer: shapes, types, counts and warnings, as the others."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import enet_path

import banditcd


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 12))
    return X, X[:, 0] + rng.normal(size=80) + 2.0


PATHS = {
    "lasso": (banditcd.lasso_path, False),
    "enet": (banditcd.enet_path, False),
    "lasso joint": (banditcd.lasso_path, True),
    "enet joint": (banditcd.enet_path, True),
    "group lasso": (banditcd.group_lasso_path, False),
}


@pytest.mark.parametrize("return_n_iter", [False, True])
@pytest.mark.parametrize("name", PATHS)
def test_intercepts_are_the_last_of_a_path(name, return_n_iter, data):
    X, y = data
    path, joint = PATHS[name]
    y = np.stack([y, -y, y**2], axis=1) if joint else y
    found = path(X, y, alphas=4, fit_intercept=True, return_n_iter=return_n_iter)
    assert len(found) == 4 + return_n_iter
    assert found[-1] is found.intercepts
    assert found[-1].shape == (*y.shape[1:], 4)
    means = np.broadcast_to(np.mean(y, axis=0), y.shape[1:])
    np.testing.assert_allclose(found[-1][..., 0], means)  # the null model
    assert len(path(X, y, alphas=4, return_n_iter=return_n_iter)) == 3 + return_n_iter


@pytest.mark.parametrize("options", [{}, {"l1_ratio": 0.0}, {"multi_class": "ovr"}])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_path_warns_of_separable_classes_without_a_penalty(classes, options, data):
    X = data[0]
    y = X[:, 0] > 0.0 if classes == 2 else np.digitize(X[:, 0], [-0.5, 0.5])
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        banditcd.logistic_path(X, y, Cs=[1.0, np.inf], **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        banditcd.logistic_path(X, y, Cs=[1.0], **options)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("max_iter", [1, 2, 3, 5, 8, 12])
def test_iterations_stay_within_their_limit(max_iter, data):
    X, y = data
    options = {"alpha": 0.01, "max_iter": max_iter}
    targets = np.stack([y, y**2], axis=1)
    assert banditcd.MultiTaskLasso(**options).fit(X, targets).n_iter_ <= max_iter
    assert banditcd.MultiTaskElasticNet(**options).fit(X, targets).n_iter_ <= max_iter
    assert banditcd.GroupLasso(3, **options).fit(X, y).n_iter_ <= max_iter


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_intercept_of_groups_is_a_scalar_of_numpy(dtype, fit_intercept, data):
    X, y = data
    for kind, options in ((banditcd.GroupLasso, {}), (banditcd.GroupLassoCV, {"cv": 2})):
        model = kind(3, fit_intercept=fit_intercept, **options).fit(X.astype(dtype), y)
        assert type(model.intercept_) is dtype


@pytest.mark.parametrize("seed", range(8))
def test_joint_paths_at_defaults_are_as_close_as_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 30)) @ np.diag(rng.uniform(0.3, 3.0, 30))
    weights = rng.normal(size=(30, 3)) * (rng.random((30, 1)) < 0.3)
    Y = X @ weights + 2.0 * rng.normal(size=(80, 3))
    alphas = banditcd.enet_path(X, Y, alphas=20)[0]
    exact = enet_path(X, Y, alphas=alphas, tol=1e-13, max_iter=100_000)[1]
    theirs = np.abs(enet_path(X, Y, alphas=alphas)[1] - exact).max()
    ours = np.abs(banditcd.enet_path(X, Y, alphas=alphas)[1] - exact).max()
    assert ours <= theirs
