"""Paths and searches over data that live elsewhere give the answers of data in memory."""

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit

from banditcd import (
    ElasticNetCV,
    LassoCV,
    LogisticRegressionCV,
    RidgeCV,
    enet_path,
    lasso_path,
    logistic_path,
)
from banditcd.places import kinds, matrix_file

da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(4)
N, D = 160, 25
X = RNG.standard_normal((N, D)) + 0.3
Y = X[:, :5] @ RNG.standard_normal(5) + RNG.standard_normal(N) + 2.0
LABELS = np.where(Y > 2.0, "yes", "no")
THREE = np.digitize(Y, [1.0, 3.0])
WEIGHT = RNG.integers(0, 4, N).astype(float)


def on_dask(values, cupy, folder):
    return da.from_array(values, chunks=(50, *values.shape[1:]))


def on_card(values, cupy, folder):
    return cupy.asarray(values) if values.dtype.kind in "fi" else values


def in_file(order):
    def place(values, cupy, folder):
        if values.ndim == 1:
            return values
        np.save(folder / "X.npy", np.asarray(values, order=order))
        return np.load(folder / "X.npy", mmap_mode="r")

    return place


KINDS = {
    "dask": on_dask,
    "card": on_card,
    "file, C order": in_file("C"),
    "file, Fortran order": in_file("F"),
}


@pytest.fixture(params=KINDS)
def placed(request, cupy, tmp_path, monkeypatch):
    monkeypatch.setattr(kinds, "MEMORY_SHARE", 0.0)
    monkeypatch.setattr(matrix_file, "READ_BYTES", 1 << 13)
    return lambda values: KINDS[request.param](values, cupy, tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"alphas": 40, "tol": 1e-9},
        {"alphas": [0.3, 0.01, 0.1], "fit_intercept": True, "positive": True, "tol": 1e-9},
        {"l1_ratio": 0.4, "alphas": 12, "tol": 1e-9, "sample_weight": WEIGHT},
    ],
    ids=["plain", "intercept, bounds", "elastic net, weights"],
)
def test_paths(placed, options):
    path = enet_path if "l1_ratio" in options else lasso_path
    here = path(X, Y, return_n_iter=True, **options)
    there = path(placed(X), placed(Y), return_n_iter=True, **options)
    for found, exact in zip(there[:2], here[:2], strict=True):
        np.testing.assert_allclose(found, exact, atol=1e-4)
    null = 0.5 * np.average(Y**2)
    assert np.all(there[2] <= 1e-9 * null)
    assert len(there[3]) == len(there[0])
    assert len(there) == len(here) == (5 if options.get("fit_intercept") else 4)
    for found, exact in zip(there[4:], here[4:], strict=True):
        np.testing.assert_allclose(found, exact, atol=1e-4)


@pytest.mark.parametrize("labels", [LABELS, THREE], ids=["two classes", "three classes"])
@pytest.mark.parametrize(("ratio", "kind"), [(1.0, "ovr"), (1.0, "auto"), (0.0, "auto")])
def test_logistic_paths(placed, labels, ratio, kind):
    options = {"Cs": 4 if ratio else [0.01, 0.1], "eps": 0.05, "l1_ratio": ratio, "tol": 1e-9}
    options["multi_class"] = kind
    here = logistic_path(X, labels, **options)
    there = logistic_path(placed(X), placed(labels), **options)
    assert np.shape(there[3]) == np.shape(here[3])
    for found, exact in zip(there[:3], here[:3], strict=True):
        assert np.shape(found) == np.shape(exact)
        np.testing.assert_allclose(found, exact, atol=1e-3)


SEARCHES = [
    LassoCV(alphas=15, tol=1e-9, cv=3),
    LassoCV(alphas=15, tol=1e-9, select_alpha="bic", positive=True),
    ElasticNetCV(alphas=8, tol=1e-9, l1_ratio=[0.5, 0.9], select_alpha="1se", store_path=True),
    ElasticNetCV(alphas=8, tol=1e-9, l1_ratio=[0.5, 0.9], select_alpha="aic"),
    LassoCV(alphas=8, tol=1e-9, cv=KFold(3, shuffle=True, random_state=0)),
    LassoCV(alphas=8, tol=1e-9, cv=ShuffleSplit(2, random_state=0), fit_intercept=False),
]


@pytest.mark.parametrize("model", SEARCHES, ids=lambda model: str(model)[:60])
def test_searches_of_alpha(placed, model):
    here = type(model)(**model.get_params()).fit(X, Y, sample_weight=WEIGHT)
    there = type(model)(**model.get_params())
    there.fit(placed(X), placed(Y), sample_weight=placed(WEIGHT))
    for name in ("alpha_", "alphas_", "mse_path_", "criterion_", "coef_path_", "l1_ratio_"):
        assert hasattr(there, name) == hasattr(here, name)
        if hasattr(here, name):
            np.testing.assert_allclose(getattr(there, name), getattr(here, name), atol=1e-4)
    np.testing.assert_allclose(np.asarray(there.coef_), here.coef_, atol=1e-4)
    assert there.certificate_.converged


@pytest.mark.parametrize("scoring", [None, "neg_root_mean_squared_error"])
def test_search_of_ridge(placed, scoring):
    options = {"alphas": [0.1, 10.0, 1000.0], "cv": 3, "tol": 1e-10, "scoring": scoring}
    here = RidgeCV(**options).fit(X, Y, sample_weight=WEIGHT)
    there = RidgeCV(**options).fit(placed(X), placed(Y), sample_weight=placed(WEIGHT))
    np.testing.assert_allclose(there.fold_scores_, here.fold_scores_, atol=1e-6)
    np.testing.assert_allclose(np.asarray(there.coef_), here.coef_, atol=1e-5)
    assert (there.alpha_, there.best_score_) == (here.alpha_, pytest.approx(here.best_score_))


@pytest.mark.parametrize(
    ("labels", "word"),
    [(LABELS, "ovr"), (THREE, "ovr"), (THREE, "auto")],
    ids=["two classes", "each against the rest", "one model"],
)
@pytest.mark.parametrize("options", [{"store_path": True}, {"scoring": "neg_log_loss"}], ids=str)
def test_search_of_logistic_regression(placed, labels, options, word):
    ratios = (0.0, 0.8) if word == "ovr" else (0.0,)
    options = {"Cs": [0.01, 1.0], "l1_ratios": ratios, "cv": 3, "tol": 1e-9, **options}
    options |= {"multi_class": word, "use_legacy_attributes": False}
    here = LogisticRegressionCV(**options).fit(X, labels, sample_weight=WEIGHT)
    there = LogisticRegressionCV(**options)
    there.fit(placed(X), placed(labels), sample_weight=placed(WEIGHT))
    for name in ("scores_", "coefs_paths_", "C_", "l1_ratio_", "intercept_", "coef_path_"):
        assert hasattr(there, name) == hasattr(here, name)
        if hasattr(here, name):
            np.testing.assert_allclose(getattr(there, name), getattr(here, name), atol=2e-3)
    np.testing.assert_allclose(np.asarray(there.coef_), here.coef_, atol=1e-3)
    assert there.classes_.tolist() == here.classes_.tolist()


def test_folds_of_groups():
    groups = np.arange(N) % 7
    here = LassoCV(alphas=5, tol=1e-9, cv=GroupKFold(3)).fit(X, Y, groups=groups)
    there = LassoCV(alphas=5, tol=1e-9, cv=GroupKFold(3))
    there.fit(da.from_array(X, (50, D)), da.from_array(Y, 50), groups=da.from_array(groups, 50))
    np.testing.assert_allclose(there.mse_path_, here.mse_path_, atol=1e-6)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (RidgeCV(), r"Leave-one-out \(cv=None\) is for data in memory; choose folds"),
        (RidgeCV(cv=3, scoring="max_error"), "scoring='max_error' is for data in memory"),
        (RidgeCV([0.0, 1.0], cv=3), "need a penalty; leave out alpha 0"),
        (LassoCV(standardize=True), "standardize=True is for data in memory; LassoCV fits"),
        (LassoCV(cv=[(np.arange(5), np.arange(0))]), "Fold 0 has no test sample"),
        (LogisticRegressionCV(scoring="roc_auc"), "scored by accuracy or neg_log_loss"),
        (LogisticRegressionCV(class_weight="balanced"), "class_weight='balanced' is for data"),
        (LogisticRegressionCV(Cs=[1.0, np.inf]), r"C=inf \(no penalty\) is solved in memory"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refused(model, sentence):
    y = LABELS if isinstance(model, LogisticRegressionCV) else Y
    with pytest.raises(ValueError, match=sentence):
        model.fit(da.from_array(X, (50, D)), y)


def test_a_start_is_refused():
    with pytest.raises(ValueError, match=r"is for data in memory; A path fits"):
        lasso_path(da.from_array(X, (50, D)), Y, coef_init=np.zeros(D))
