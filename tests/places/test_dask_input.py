"""Dask collections as users have them: taken, or refused by a sentence."""

import pickle
import time

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from banditcd import Lasso, LinearSVC, LogisticRegression, Ridge
from banditcd.places import cluster
from tests.deadlines import HUNG

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
dask = pytest.importorskip("dask")

RNG = np.random.default_rng(5)
X = RNG.standard_normal((200, 10))
Y = X[:, 0] - 2.0 * X[:, 1] + 0.1 * RNG.standard_normal(200)
LABELS = np.where(Y > 0.0, "yes", "no")
THREE = np.digitize(Y, [-1.0, 1.0])
PLACED = da.from_array(X, chunks=(70, 10))
PLACED_Y = da.from_array(Y, chunks=70)
TABLE = pd.DataFrame(X, columns=[f"c{k}" for k in range(10)])
FRAME = dd.from_pandas(TABLE, npartitions=3)
SERIES = dd.from_pandas(pd.Series(Y), npartitions=3)
HERE = Lasso(0.05, tol=1e-9).fit(X, Y)


def lasso(*args, **kwargs):
    return Lasso(0.05, tol=1e-9).fit(*args, **kwargs)


@pytest.mark.parametrize(
    "fit",
    [
        lambda: lasso(X=PLACED, y=PLACED_Y),
        lambda: lasso(FRAME, SERIES),
        lambda: lasso(FRAME.to_dask_array(), Y),
        lambda: lasso(PLACED, list(Y)),
        lambda: lasso(PLACED, da.from_array(Y, chunks=((60, 80, 60),))),
        lambda: lasso(da.from_array(X, chunks=(200, 3)), da.from_array(Y, chunks=50)),
        lambda: lasso(da.from_array(X, chunks=(90, 4)), PLACED_Y),
        lambda: lasso(da.from_array(X, (90, 4)).map_blocks(sparse.csr_matrix), PLACED_Y),
        lambda: lasso(da.concatenate([PLACED[:70].astype("f4"), PLACED[70:]]), PLACED_Y),
        lambda: lasso(PLACED, pd.Series(Y, index=np.arange(200)[::-1])),
        lambda: lasso(PLACED, PLACED_Y, sample_weight=2.0),
        lambda: lasso(da.from_array(X, chunks=((0, 150, 0, 50), 10)), Y),
        lambda: lasso(PLACED.astype(object), PLACED_Y),
        lambda: clone(lasso(PLACED, Y[::-1])).fit(PLACED, PLACED_Y),
        lambda: lasso(PLACED, Y[::-1]).fit(PLACED, PLACED_Y),
        lambda: pickle.loads(pickle.dumps(lasso(PLACED, PLACED_Y))),  # noqa: S301
    ],
    ids=[
        "keywords",
        "data frame and series",
        "unknown sizes and an array in memory",
        "a list",
        "other blocks of y",
        "blocks of columns",
        "blocks of rows and columns",
        "sparse blocks of rows and columns",
        "mixed types",
        "a series is taken by position",
        "one weight for all",
        "empty blocks",
        "objects",
        "clone",
        "a second fit",
        "pickle",
    ],
)
def test_taken(fit):
    there = fit()
    np.testing.assert_allclose(there.coef_, HERE.coef_, atol=1e-6)
    assert there.certificate_.rounds > 0
    samples = TABLE if hasattr(there, "feature_names_in_") else X
    np.testing.assert_allclose(there.predict(samples), HERE.predict(X), atol=1e-5)


def test_rows_that_a_filter_left_have_unknown_sizes():
    keep = TABLE.c0 > -1.0
    there = lasso(FRAME[FRAME.c0 > -1.0], SERIES[FRAME.c0 > -1.0])
    np.testing.assert_allclose(there.coef_, lasso(X[keep], Y[keep]).coef_, atol=1e-6)


def test_labels_of_a_series_are_strings():
    labels = dd.from_pandas(pd.Series(LABELS), npartitions=3)
    model = LogisticRegression().fit(FRAME, labels)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.score(FRAME, labels) > 0.9


def test_one_weight_scales_the_losses_of_a_classifier():
    here = LogisticRegression(tol=1e-9).fit(X, LABELS, sample_weight=3.0)
    there = LogisticRegression(tol=1e-9).fit(PLACED, LABELS, sample_weight=3.0)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)


NEGATIVE = -np.ones(200)


@pytest.mark.parametrize(
    ("model", "data", "sentence"),
    [
        (Lasso(), (PLACED, np.c_[Y, Y]), r"y has 2 dimension\(s\); data that live elsewhere"),
        (Lasso(), (PLACED, da.stack([PLACED_Y, PLACED_Y], 1)), r"y has 2 dimension\(s\)"),
        (Lasso(), (PLACED, Y[:-5]), "X has 200 rows and y has 195"),
        (Lasso(), (PLACED, PLACED_Y[:-5]), "X has 200 rows and y has 195"),
        (Lasso(), (FRAME, SERIES.repartition(npartitions=2)), "rechunk them alike: y.rechunk"),
        (Lasso(), (FRAME, SERIES[SERIES > 0.0]), "and its part of y has shape .* rechunk them"),
        (Lasso(), (PLACED, None), "y is None; a fit needs one response per row"),
        (Lasso(), (PLACED, Y, NEGATIVE), "sample_weight has negative values"),
        (Ridge(), (PLACED, Y, -1.0), "sample_weight has negative values"),
        (Lasso(), (PLACED, Y, np.zeros(200)), "at least one non-zero number"),
        (Lasso(), (PLACED, Y, np.ones(20)), "X has 200 rows and sample_weight has 20"),
        (Lasso(), (PLACED[:, 0], Y), r"X has 1 dimension\(s\); two are needed"),
        (Lasso(), (PLACED.astype(complex), Y), "X has complex values"),
        (Lasso(), (da.ma.masked_array(PLACED), Y), "X has masked blocks"),
        (Lasso(), (PLACED[:0], Y[:0]), "X has no rows in any of its blocks"),
        (LogisticRegression(), (PLACED, Y), "Unknown label type: continuous"),
        (LogisticRegression(), (PLACED, np.where(Y > 2, np.nan, 1.0)), "contains NaN"),
        (LinearSVC(), (PLACED, np.ones(200)), r"y has 1 class\(es\)"),
        (LogisticRegression(C=np.inf), (PLACED, LABELS), "need a finite C"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_refused(model, data, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(*data)


def test_a_delayed_object_is_no_array():
    with pytest.raises(
        TypeError, match=r"X is of type dask\.\S*Delayed\w*; an array or a data frame is needed"
    ):
        Lasso().fit(dask.delayed(X), Y)


@pytest.mark.parametrize(
    "model", [LinearSVC(), LogisticRegression(), LogisticRegression(l1_ratio=1.0)], ids=str
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_classifiers_refuse_values_that_are_not_finite(model, value):
    bad = X.copy()
    bad[3, 4] = value
    with pytest.raises(ValueError, match="not finite"), np.errstate(invalid="ignore"):
        model.fit(da.from_array(bad, chunks=(70, 10)), LABELS)


def test_predictions_check_the_columns():
    model = lasso(FRAME, SERIES)
    assert model.feature_names_in_.tolist() == list(TABLE.columns)
    with pytest.raises(ValueError, match="other names, or another order"):
        model.predict(FRAME[list(TABLE.columns[::-1])])
    with pytest.raises(ValueError, match="X has 4 features, but Lasso is expecting 10"):
        model.predict(PLACED[:, :4])
    assert not hasattr(model.fit(PLACED, Y), "feature_names_in_")


def test_columns_in_chunks_are_fine_for_predictions():
    model = LogisticRegression(multi_class="ovr").fit(PLACED, THREE)
    scores = model.decision_function(PLACED.rechunk((70, 5)))
    np.testing.assert_allclose(scores.compute(), model.decision_function(X))


def test_rows_are_computed_once_whatever_the_number_of_classes(monkeypatch):
    seen, released = [], []

    def count(block, block_info=None):
        if block_info:
            seen.append(block_info[0]["chunk-location"])
        return block

    release = cluster.DaskRows.release
    monkeypatch.setattr(
        cluster.DaskRows, "release", lambda rows: (released.append(len(rows.blocks)), release(rows))
    )
    counted = PLACED.map_blocks(count, dtype=float, meta=np.empty((0, 0)))
    with dask.config.set(scheduler="sync"):
        model = LogisticRegression(multi_class="ovr").fit(counted, da.from_array(THREE, 70))
    assert model.coef_.shape == (3, 10)
    assert sorted(seen) == [(0, 0), (1, 0), (2, 0)]
    assert released == [3]


def test_predictions_of_a_data_frame_are_lazy():
    def fail(part):
        raise AssertionError("computed")

    lazy = lasso(FRAME, SERIES).predict(FRAME.map_partitions(fail, meta=FRAME._meta))
    assert lazy.ndim == 1


def test_labels_may_differ_between_blocks():
    order = np.argsort(THREE, kind="stable")
    model = LogisticRegression(tol=1e-9)
    here = clone(model).fit(X[order], THREE[order])
    placed = da.from_array(X[order], chunks=(40, 10))
    there = model.fit(placed, da.from_array(THREE[order], chunks=40))
    assert there.classes_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)


@pytest.mark.parametrize("lightest", [1, 2])
def test_classes_without_weight(lightest):
    """Two classes, or only one, have samples that count."""
    weight = 1.0 * (lightest <= THREE)
    here = LogisticRegression(tol=1e-9).fit(X, THREE, weight)
    there = LogisticRegression(tol=1e-9).fit(PLACED, THREE, weight)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    np.testing.assert_allclose(there.intercept_, here.intercept_, atol=1e-4)
    assert there.certificate_.converged


def test_names_are_readable_and_graphs_are_small(monkeypatch):
    """What Dask's dashboard shows, and what one round sends beside the numbers of the model."""
    seen = {}

    def watched(value, client):
        graph = dict(value.dask)
        for key in graph:
            seen[str(key)] = len(pickle.dumps(graph[key]))
        return compute(value, client)

    compute = cluster.compute
    monkeypatch.setattr(cluster, "compute", watched)
    rows = da.random.default_rng(0).standard_normal((20_000, 40), chunks=(5_000, 40)).persist()
    with dask.config.set(scheduler="sync"):
        Lasso(0.01).fit(rows, rows[:, 0])
    words = {dask.utils.key_split(key) for key in seen}
    assert all(word.startswith("banditcd-") for word in words), words
    assert {
        "banditcd-rows",
        "banditcd-y",
        "banditcd-squared-look",
        "banditcd-responses-spread-survey",
    } <= words
    sums = {key: size for key, size in seen.items() if "look" in key or "gram" in key}
    assert max(sums.values()) < 4_000


def test_what_the_user_persisted_stays(tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as local,
        distributed.Client(local) as client,
    ):
        kept = PLACED.persist()
        distributed.wait(kept)
        before = {key for keys in client.has_what().values() for key in keys}
        Lasso(0.05).fit(kept, PLACED_Y)
        until = time.monotonic() + HUNG
        while time.monotonic() < until:
            after = {key for keys in client.has_what().values() for key in keys}
            if after == before:
                break
            time.sleep(0.05)
        assert after == before
        del kept
