"""Default settings: coefficients no farther from the optimum than scikit-learn's at its own."""

from __future__ import annotations

import functools
import warnings

import numpy as np
import pytest
from sklearn import linear_model as sk
from sklearn.exceptions import ConvergenceWarning

import banditcd
from banditcd import data
from banditcd.data.store import locate

SEEDS = range(200)
# Those of them for which a gap of tol alone would not do.
SAMPLE = (4, 37, 43, 64, 66, 84, 92, 104, 120, 133, 140, 147, 148, 170, 175, 180, 186, 192)
SETS = ("abalone", "cadata", "cpusmall", "colon-cancer", "leukemia", "madelon", "mushrooms")
# Those for which a gap of tol would not do for several responses.
SEVERAL = (5, 9, 12, 14, 16, 18, 40, 46, 64, 80, 84, 104, 130, 161, 193)
LARGER = ("usps", "protein.val", "a9a", "w8a", "phishing")
ROUNDING = 1e-9  # of the largest coefficient: what two exact solutions may differ by


def instance(seed):
    """Return X, y, alpha and l1_ratio: tall or wide, correlated, shifted, on several scales."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.choice([20, 60, 150, 400])), int(rng.choice([5, 30, 120, 500]))
    X = rng.standard_normal((n, d))
    shared = rng.choice([0.0, 0.5, 0.95])
    X = np.sqrt(1.0 - shared) * X + np.sqrt(shared) * rng.standard_normal((n, 1))
    if rng.random() < 0.3:
        X *= 10.0 ** rng.uniform(-2.0, 2.0, d)
    if rng.random() < 0.3:
        X += rng.uniform(-3.0, 3.0, d)
    w = np.zeros(d)
    w[: max(1, int(d * rng.choice([0.05, 0.3])))] = 1.0
    y = X @ (w * rng.standard_normal(d))
    y += (y.std() + 1e-9) * rng.choice([0.1, 1.0]) * rng.standard_normal(n)
    ratio = float(rng.choice([1.0, 1.0, 0.5, 0.9]))
    top = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n / ratio
    return X, y, top * 10.0 ** rng.uniform(-3.0, -0.3), ratio


def distances(X, y, alpha, ratio):
    """Return the largest errors of our coefficients and scikit-learn's, both at their defaults."""
    exact = banditcd.ElasticNet(alpha, l1_ratio=ratio, tol=1e-14)
    ours = banditcd.ElasticNet(alpha, l1_ratio=ratio).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # theirs, and that of 1e-14
        theirs = sk.ElasticNet(alpha, l1_ratio=ratio).fit(X, y)
        best = exact.fit(X, y).coef_
    scale = np.abs(best).max() + np.finfo(float).tiny
    return [float(np.abs(model.coef_ - best).max() / scale) for model in (ours, theirs)]


@pytest.mark.parametrize("seed", SAMPLE)
def test_generated(seed):
    ours, theirs = distances(*instance(seed))
    assert ours <= theirs + ROUNDING


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_all_generated(seed):
    ours, theirs = distances(*instance(seed))
    assert ours <= theirs + ROUNDING


def searched(X, y, alpha, ratio):
    """Hold paths, the errors of folds and the chosen models against scikit-learn's."""
    alphas = alpha * np.geomspace(1.0, 0.01, 8)
    params = {"l1_ratio": ratio, "alphas": alphas}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours, theirs, exact = (
            (path(X, y, **params)[1], search(cv=3, **params).fit(X, y))
            for path, search in (
                (banditcd.enet_path, banditcd.ElasticNetCV),
                (sk.enet_path, sk.ElasticNetCV),
                (
                    functools.partial(banditcd.enet_path, tol=1e-14),
                    functools.partial(banditcd.ElasticNetCV, tol=1e-14),
                ),
            )
        )
    assert ours[1].alpha_ == exact[1].alpha_
    for found in (lambda fit: fit[0], lambda fit: fit[1].mse_path_):
        best = found(exact)
        mine, other = (np.abs(found(fit) - best).max() for fit in (ours, theirs))
        assert mine <= other + 100.0 * ROUNDING * np.abs(best).max()


@pytest.mark.parametrize("seed", SAMPLE[:6])
def test_generated_searches(seed):
    searched(*instance(seed))


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_all_generated_searches(seed):
    searched(*instance(seed))


def several(seed):
    """Return X, three responses, alpha and l1_ratio."""
    X, y, _, ratio = instance(seed)
    rng = np.random.default_rng([seed, 1])
    mixed = 0.5 * y[::-1] + rng.random() * y
    Y = np.column_stack([y, mixed, 0.3 * y + y.std() * rng.standard_normal(len(y))])
    pull = (X - X.mean(axis=0)).T @ (Y - Y.mean(axis=0))
    top = np.linalg.norm(pull, axis=1).max() / len(y) / ratio
    return X, Y, top * 10.0 ** rng.uniform(-3.0, -0.3), ratio


def several_are_no_farther(X, Y, alpha, ratio):
    """Hold a multi-task fit, a path and a search against scikit-learn's."""
    alphas = alpha * np.geomspace(1.0, 0.01, 8)

    def found(library, **words):
        given = {"l1_ratio": ratio, **words}
        model = library.MultiTaskElasticNet(alpha=alpha, **given).fit(X, Y)
        path = library.enet_path(X, Y, alphas=alphas, **given)[1]
        search = library.MultiTaskElasticNetCV(alphas=alphas, cv=3, **given).fit(X, Y)
        return search.alpha_, (model.coef_, path, search.mse_path_)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours, theirs, exact = found(banditcd), found(sk), found(banditcd, tol=1e-14)
    assert ours[0] == exact[0]
    for mine, other, best in zip(ours[1], theirs[1], exact[1], strict=True):
        rounding = 100.0 * ROUNDING * np.abs(best).max()
        assert np.abs(mine - best).max() <= np.abs(other - best).max() + rounding


@pytest.mark.parametrize("seed", SEVERAL)
def test_several_responses(seed):
    several_are_no_farther(*several(seed))


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_all_several_responses(seed):
    several_are_no_farther(*several(seed))


def at_hand(name):
    """Return a set of the catalog if it is here; none is downloaded for a test."""
    if locate(name) is None:
        pytest.skip(f"{name} is not here")
    found = data.load(name)
    return found.X, np.asarray(found.y, dtype=np.float64)


@pytest.mark.full
@pytest.mark.parametrize("share", [0.1, 0.01])
@pytest.mark.parametrize("name", [*SETS, *LARGER])
def test_sets_at_hand(name, share):
    X, y = at_hand(name)
    top = banditcd.lasso_path(X, y, alphas=1, fit_intercept=True)[0][0]
    ours, theirs = distances(X, y, share * top, 1.0)
    assert ours <= theirs + ROUNDING


@pytest.mark.parametrize(("rows", "columns", "density"), [(300, 2000, 0.03), (500, 3000, 0.02)])
def test_digits_that_cost_as_much_as_the_first_are_left_out(rows, columns, density):
    """Sparse data with nearly as many features in use as rows: no Newton steps, slow epochs."""
    source = f"synthetic:scattered(rows={rows}, columns={columns}, density={density}, seed=1)"
    problem = data.load(source)
    X, y = problem.X.tocsc(), problem.y - problem.y.mean()
    null = 0.5 * np.mean(y**2)
    alphas, coefs, gaps = banditcd.lasso_path(X, y)
    assert (gaps <= 0.1 * 1e-4 * null).all()
    assert (gaps > 1e-9 * null).any()  # all were at 1e-11, five times as slow as scikit-learn's
    best = banditcd.lasso_path(X, y, alphas=alphas, tol=1e-10)[1]
    theirs = sk.lasso_path(X, y, alphas=alphas)[1]
    assert np.abs(coefs - best).max() <= np.abs(theirs - best).max()


def test_a_path_is_no_staircase():
    """Every step of a default path moves, and is as exact as one with a tight tolerance."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((38, 400)) + rng.standard_normal((38, 1))
    y = np.sign(X[:, 0] + rng.standard_normal(38))
    alphas, coefs, _ = banditcd.lasso_path(X, y)
    assert np.abs(np.diff(coefs, axis=1)).max(axis=0).min() > 0.0
    best = banditcd.lasso_path(X, y, alphas=alphas, tol=1e-14)[1]
    _, theirs, _ = sk.enet_path(X, y, l1_ratio=1.0, alphas=alphas)
    far = np.abs(coefs - best).max(axis=0)
    assert (far <= np.abs(theirs - best).max(axis=0) + ROUNDING * np.abs(best).max()).all()


@pytest.mark.parametrize(
    ("rows", "columns", "length", "ratio"),
    [(3000, 180, 100, 1.0), (3000, 180, 100, 0.9), (4000, 200, 50, 1.0), (800, 350, 30, 1.0)],
)
def test_a_path_on_many_rows_is_no_staircase(rows, columns, length, ratio):
    """The same where rounding in the space of the Gram matrix ends the work."""
    rng = np.random.default_rng(rows)
    X = rng.standard_normal((rows, columns)) + rng.standard_normal((rows, 1))
    X = np.asfortranarray(X + rng.uniform(-1.0, 1.0, columns))
    y = X[:, ::2] @ rng.standard_normal((columns + 1) // 2) + rng.standard_normal(rows)
    alphas, coefs, _ = banditcd.enet_path(X, y, l1_ratio=ratio, alphas=length)
    assert np.abs(np.diff(coefs, axis=1)).max(axis=0).min() > 0.0
    best = banditcd.enet_path(X, y, l1_ratio=ratio, alphas=alphas, tol=1e-13)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, theirs, _ = sk.enet_path(X, y, l1_ratio=ratio, alphas=alphas)
    far = np.abs(coefs - best).max(axis=0)
    assert (far <= np.abs(theirs - best).max(axis=0) + ROUNDING * np.abs(best).max()).all()


@pytest.mark.parametrize("size", [4096, 40_960])  # small problems are solved further
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_a_joint_path_is_no_staircase(size, ratio):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((64, size // 64)) + rng.standard_normal((64, 1))
    Y = X[:, :3] @ rng.standard_normal((3, 2)) + 0.1 * rng.standard_normal((64, 2))
    coefs = banditcd.enet_path(X, Y, l1_ratio=ratio)[1]
    assert np.abs(np.diff(coefs, axis=-1)).max(axis=(0, 1)).min() > 0.0


def test_last_digits_of_many_responses_on_residuals_are_not_taken():
    """They cost as many epochs as the first ones: beyond a million entries ``tol`` is enough."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 1500))
    ends = {}
    for responses in (2, 12):
        Y = X[:, :40] @ rng.standard_normal((40, responses)) + rng.standard_normal((60, responses))
        top = np.linalg.norm(X.T @ Y, axis=1).max() / 60
        options = {"fit_intercept": False, "pool_bytes": 1000}
        model = banditcd.MultiTaskLasso(0.02 * top, **options).fit(X, Y).certificate_
        assert model.regime == "residual"
        assert model.converged
        ends[responses] = model.gap / model.target
    assert ends[2] <= 1e-6
    assert 1e-5 <= ends[12] <= 1.0


def test_a_callback_takes_no_digits_from_a_fit():
    callback = pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    X, Y, alpha, ratio = several(46)
    model = banditcd.MultiTaskElasticNet(alpha, l1_ratio=ratio)
    plain = model.fit(X, Y).certificate_
    watched = model.set_callbacks(callback.ProgressBar()).fit(X, Y).certificate_
    assert max(plain.gap, watched.gap) <= 1e-6 * plain.target
