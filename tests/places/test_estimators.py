"""Estimators take data that live elsewhere as they are, and answer in their kind."""

import math
import re

import numpy as np
import pytest
from scipy import sparse

from banditcd import (
    ElasticNet,
    GroupLogisticRegression,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    Ridge,
)
from banditcd.places import kinds, matrix_file
from banditcd.places.progress import bins_left

da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(3)
X = RNG.standard_normal((240, 30))
Y = X[:, :5] @ RNG.standard_normal(5) + RNG.standard_normal(240)
LABELS = np.where(Y > 0.0, "yes", "no")
WEIGHT = RNG.integers(1, 4, 240).astype(float)
PLACED = da.from_array(X, chunks=(70, 30))
REGRESSORS = [
    Lasso(0.05, tol=1e-9),
    ElasticNet(0.05, l1_ratio=0.4, tol=1e-9, positive=True),
    Ridge(2.0, tol=1e-10),
    Lasso(0.05, fit_intercept=False, tol=1e-9, penalty_weights=np.linspace(0.5, 2.0, 30)),
]
CLASSIFIERS = [
    LogisticRegression(l1_ratio=1.0, C=0.2, tol=1e-9),
    LogisticRegression(l1_ratio=0.5, C=0.2, tol=1e-9, lower=-0.3),
    LogisticRegression(C=0.2, tol=1e-10),
    LinearSVC(C=0.1, tol=1e-10),
    LogisticRegression(C=0.2, fit_intercept=False, tol=1e-10),
]


def clone(model):
    return type(model)(**model.get_params())


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_regressors_on_dask(model, weight):
    here = clone(model).fit(X, Y, sample_weight=weight)
    placed = None if weight is None else da.from_array(weight, chunks=70)
    there = clone(model).fit(PLACED, da.from_array(Y, chunks=70), sample_weight=placed)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    assert there.intercept_ == pytest.approx(here.intercept_, abs=1e-4)
    assert there.certificate_.converged
    assert there.certificate_.primal == pytest.approx(here.certificate_.primal, rel=1e-6)
    assert there.certificate_.target == pytest.approx(here.certificate_.target, rel=1e-6)
    assert there.certificate_.rounds > 0
    assert there.certificate_.bytes_moved > 0
    lazy = there.predict(PLACED)
    assert isinstance(lazy, da.Array)
    np.testing.assert_allclose(lazy.compute(), here.predict(X), atol=1e-3)
    assert there.score(PLACED, da.from_array(Y, chunks=70)) == pytest.approx(
        here.score(X, Y), abs=1e-4
    )


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_classifiers_on_dask(model):
    here, there = clone(model).fit(X, LABELS), clone(model).fit(PLACED, da.from_array(LABELS, 70))
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    assert there.classes_.tolist() == ["no", "yes"]
    assert there.certificate_.primal == pytest.approx(here.certificate_.primal, rel=1e-6)
    np.testing.assert_array_equal(there.predict(PLACED).compute(), here.predict(X))
    np.testing.assert_allclose(
        there.decision_function(PLACED).compute(), here.decision_function(X), atol=1e-3
    )
    assert there.score(PLACED, LABELS) == pytest.approx(here.score(X, LABELS), abs=0.01)
    if isinstance(model, LogisticRegression):
        np.testing.assert_allclose(
            there.predict_proba(PLACED).compute(), here.predict_proba(X), atol=1e-3
        )


@pytest.mark.parametrize(
    "options",
    [{"l1_ratio": 1.0}, {"l1_ratio": 0.5, "penalty_weights": np.linspace(0.5, 2.0, X.shape[1])}],
    ids=["L1", "elastic net with penalty weights"],
)
def test_three_classes_as_one_sparse_model(options):
    three = np.digitize(Y, [-1.0, 1.0])
    model = LogisticRegression(C=0.3, tol=1e-9, **options)
    here, there = clone(model).fit(X, three), clone(model).fit(PLACED, da.from_array(three, 70))
    assert there.certificate_.converged
    assert there.certificate_.target == pytest.approx(here.certificate_.target)
    assert there.certificate_.primal == pytest.approx(here.certificate_.primal, rel=1e-8)
    np.testing.assert_allclose(
        there.predict_proba(PLACED).compute(), here.predict_proba(X), atol=1e-3
    )


def test_three_classes_one_against_the_rest():
    three = np.digitize(Y, [-1.0, 1.0])
    model = LinearSVC(C=0.1, tol=1e-10)
    here, there = clone(model).fit(X, three), clone(model).fit(PLACED, da.from_array(three, 70))
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    np.testing.assert_array_equal(there.predict(PLACED).compute(), here.predict(X))


def test_a_data_frame_and_sparse_blocks():
    dd = pytest.importorskip("dask.dataframe")
    pd = pytest.importorskip("pandas")
    here = Lasso(0.05, tol=1e-9).fit(X, Y)
    frame = dd.from_pandas(pd.DataFrame(X, columns=[f"c{k}" for k in range(30)]), npartitions=3)
    there = Lasso(0.05, tol=1e-9).fit(frame, Y)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    blocks = PLACED.map_blocks(sparse.csr_array)
    np.testing.assert_allclose(Lasso(0.05, tol=1e-9).fit(blocks, Y).coef_, here.coef_, atol=1e-4)


def test_a_mapped_file_beyond_the_memory_share_is_read_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(kinds, "MEMORY_SHARE", 0.0)
    monkeypatch.setattr(matrix_file, "READ_BYTES", 1 << 13)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    there, here = Lasso(0.05, tol=1e-9).fit(mapped, Y), Lasso(0.05, tol=1e-9).fit(X, Y)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    assert there.certificate_.rounds > 0
    np.testing.assert_allclose(there.predict(mapped), here.predict(X), atol=1e-3)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (Lasso(selector="cyclic"), "selector='cyclic' is for data in memory; Lasso fits"),
        (Lasso(standardize=True), "standardize=True is for data in memory"),
        (LinearSVC(loss="hinge"), "The hinge is solved in memory only"),
        (LinearSVC(penalize_intercept=False), "unpenalized intercept is solved in memory only"),
        (LogisticRegression(class_weight="balanced"), "class_weight='balanced' is for data in"),
        (Ridge(positive=True), "positive=True is for data in memory"),
    ],
    ids=str,
)
def test_what_a_place_cannot_do_is_said_before_any_work(model, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(PLACED, LABELS if "Regression" in str(model) or "SVC" in str(model) else Y)


def test_a_model_without_such_a_solver_is_refused_by_name():
    with pytest.raises(
        TypeError,
        match=r"LinearSVR fits data in memory only, and X is of type dask\.array\.core\.Array",
    ):
        LinearSVR().fit(PLACED, Y)


def test_chunks_that_do_not_fit_are_explained():
    unknown = da.from_array(Y, chunks=50)
    with pytest.raises(ValueError, match=r"y.rechunk\(X.chunks\[0\]\)"):
        Lasso().fit(PLACED, unknown[unknown < np.inf])


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (Lasso(0.05, verbose=1), Y),
        (Ridge(verbose=1), Y),
        (LogisticRegression(verbose=1), LABELS),
        (LogisticRegression(l1_ratio=1.0, C=0.2, verbose=1), LABELS),
        (LassoCV(alphas=3, cv=2, verbose=1), Y),
    ],
    ids=str,
)
def test_progress_is_told_if_asked_for(model, y, capsys):
    model.fit(PLACED, y)
    told = capsys.readouterr().err.splitlines()
    assert re.fullmatch(
        r"banditcd: bin \d+, round \d+, gap [\d.e+-]+ of [\d.e+-]+, [\d.]+ s, done", told[-1]
    )
    if isinstance(model, LassoCV):
        assert "banditcd: folds: round 1, 2 loop(s) running" in told
    model.set_params(verbose=0).fit(PLACED, y)
    assert capsys.readouterr().err == ""


def test_the_time_left_is_that_of_a_steady_fall():
    assert bins_left(1.0, 1e-2, 1e-6, 2) == pytest.approx(4.0)
    assert bins_left(1.0, 2.0, 1e-6, 2) == math.inf
    assert bins_left(math.inf, 1e-2, 1e-6, 2) == math.inf


def test_values_that_are_not_finite_are_refused():
    bad = X.copy()
    bad[3, 4] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        Lasso().fit(da.from_array(bad, chunks=(70, 30)), Y)


@pytest.mark.parametrize(
    "model",
    [LogisticRegression(), LogisticRegression(multi_class="ovr"), GroupLogisticRegression()],
    ids=str,
)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("method", ["predict_proba", "predict_log_proba"])
def test_probabilities_of_dask_are_of_dask(model, classes, method):
    codes = np.digitize(Y, [0.0] if classes == 2 else [-1.0, 1.0])
    fitted = clone(model).fit(X, codes)
    found = getattr(fitted, method)(PLACED)
    assert isinstance(found, da.Array)
    assert found.shape == (len(X), classes)
    np.testing.assert_allclose(found.compute(), getattr(fitted, method)(X), rtol=1e-12)
