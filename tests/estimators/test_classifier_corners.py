"""Labels, weights and data at the edge."""

from __future__ import annotations

import enum
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning
from sklearn.metrics import f1_score, log_loss
from sklearn.model_selection import KFold

from banditcd import LinearSVC, LogisticRegression, LogisticRegressionCV

OVR = {"max_iter": 5000, "multi_class": "ovr"}
CLASSIFIERS = [
    LogisticRegression(),
    LogisticRegression(l1_ratio=1.0),
    LogisticRegression(selector="shuffled", **OVR),
    LogisticRegression(selector="shuffled", dual=True, fit_intercept=False, **OVR),
    LinearSVC(),
    LinearSVC("l2", "hinge"),
    LinearSVC(penalize_intercept=False),
    LinearSVC("l2", "hinge", penalize_intercept=False),
    LinearSVC(selector="shuffled", max_iter=5000),
]
RNG = np.random.default_rng(0)
X = RNG.standard_normal((30, 4))
SIDE = X[:, 0] + 0.5 * RNG.standard_normal(30) > 0


@pytest.fixture(params=CLASSIFIERS, ids=lambda model: str(model)[:60])
def model(request):
    from sklearn.base import clone

    return clone(request.param)


class Color(enum.Enum):
    RED = 1
    BLUE = 2
    GREEN = 3


def objects(values):
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


KINDS = {
    "bool": SIDE,
    "int": np.where(SIDE, 7, -3),
    "float": np.where(SIDE, 1.0, 2.0),
    "str": np.where(SIDE, "yes", "no"),
    "object str": np.where(SIDE, "yes", "no").astype(object),
    "object int": np.where(SIDE, 5, 3).astype(object),
    "tuple": objects([(1, "a") if side else (0, "b") for side in SIDE]),
    "frozenset": objects([frozenset("ab") if side else frozenset("c") for side in SIDE]),
    "enum": objects([Color.RED if side else Color.BLUE for side in SIDE]),
    "bytes": np.where(SIDE, b"yes", b"no").astype(object),
    "beyond 64 bits": objects([10**20 if side else -(10**20) for side in SIDE]),
    "list": np.where(SIDE, "yes", "no").tolist(),
}


@pytest.mark.parametrize("y", KINDS.values(), ids=KINDS)
def test_labels_of_any_type(model, y):
    model.fit(X, y)
    found = model.predict(X)
    assert len(model.classes_) == 2
    assert {type(label) for label in found.tolist()} == {
        type(label)
        for label in np.asarray(y, dtype=object if isinstance(y, list) else None).tolist()
    }
    agreement = np.mean(
        [a == b for a, b in zip(found.tolist(), list(np.asarray(y, dtype=object)), strict=True)]
    )
    assert agreement > 0.7
    assert model.score(X, y) == pytest.approx(agreement)
    plain = model.fit(X, SIDE).predict(X)
    assert np.mean(plain == SIDE) == pytest.approx(agreement, abs=0.2)


def test_labels_that_are_no_classes(model):
    mixed = np.array([1, "a", None] * 10, dtype=object)
    with pytest.raises(ValueError, match="y mixes labels of type NoneType and number and str"):
        model.fit(X, mixed)
    with pytest.raises(ValueError, match="not hashable"):
        model.fit(X, objects([[1], [2]] * 15))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X, np.where(SIDE, 1.0, np.nan))
    with pytest.raises(ValueError, match="Unknown label type"):
        model.fit(X, RNG.standard_normal(30))
    with pytest.raises(ValueError, match="Unknown label type"):
        model.fit(X, RNG.standard_normal(30).astype(object))
    with pytest.raises(
        ValueError, match=r"only one class; .* at least 2 classes \(found 'a' alone\)"
    ):
        model.fit(X, ["a"] * 30)
    with pytest.raises(ValueError, match="masked value"):
        model.fit(X, np.ma.masked_array(np.arange(30) % 2, SIDE))
    with pytest.raises(ValueError, match="X has 30 masked value"):
        model.fit(np.ma.masked_array(X, np.zeros_like(X, dtype=bool) | (np.arange(4) == 1)), SIDE)


def test_a_weight_of_zero_leaves_a_sample_out(model):
    weight = (np.arange(30) % 3 > 0).astype(float)
    model.set_params(tol=1e-9)
    part = model.fit(X[weight > 0], SIDE[weight > 0]).decision_function(X)
    np.testing.assert_allclose(
        model.fit(X, SIDE, sample_weight=weight).decision_function(X), part, atol=1e-3
    )


def test_a_class_weight_of_zero_leaves_a_class_out(model):
    y = np.where(SIDE, "a", np.where(X[:, 1] > 0, "b", "c"))
    model.set_params(class_weight={"c": 0.0}, tol=1e-9)
    three = model.fit(X, y)
    assert three.coef_.shape == (3, 4)
    assert np.all(np.isfinite(three.decision_function(X)))
    if model.get_params()["fit_intercept"] and not isinstance(model, LinearSVC):
        assert "c" not in three.predict(X)
    two = model.set_params(class_weight={"a": 0.0}).fit(X, np.where(SIDE, "a", "b"))
    proof = two.certificate_
    assert proof.converged
    if getattr(model, "penalize_intercept", True) and isinstance(model, LinearSVC):
        return
    if model.fit_intercept:
        assert set(two.predict(X)) == {"b"}
        assert proof.gap == proof.primal == 0.0
    with pytest.raises(ValueError, match="class_weight is 0 for every class"):
        model.set_params(class_weight={"a": 0.0, "b": 0.0}).fit(X, np.where(SIDE, "a", "b"))


def test_classes_of_one_sample(model):
    model.fit(X, np.array(["a", "b", "c", *["d"] * 27]))
    assert model.coef_.shape == (4, 4)
    assert all(proof.converged for proof in np.ravel(model.certificate_))


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_with_empty_rows_and_columns(model, kind):
    holes = np.where(RNG.random(X.shape) < 0.4, X, 0.0)
    holes[::5] = 0.0
    holes[:, 2] = 0.0
    holes = np.hstack([holes, np.ones((30, 1)), holes[:, :1]])  # constant and repeated columns
    model.set_params(tol=1e-9)
    dense = model.fit(holes, SIDE).decision_function(holes)
    thin = model.fit(kind(holes), SIDE)
    assert thin.certificate_.converged
    assert thin.coef_[0, 2] == 0.0
    np.testing.assert_allclose(thin.decision_function(kind(holes)), dense, atol=1e-3)


def test_separable_data(model):
    wide = np.vstack([X + 10.0, X - 10.0])
    y = np.repeat([1, 0], 30)
    model.fit(wide, y)
    assert model.certificate_.converged
    assert model.score(wide, y) == 1.0
    if hasattr(model, "predict_log_proba"):
        assert np.all(np.isfinite(model.predict_log_proba(1e6 * wide)))
        assert np.all(np.isfinite(model.predict_proba(1e300 * wide)))


@pytest.mark.parametrize("C", [1e-300, 1e-10, 1e6])
def test_tiny_and_huge_C(C):
    for model in (
        LogisticRegression(l1_ratio=1.0),
        LogisticRegression(),
        LinearSVC(max_iter=10**5),
    ):
        model.set_params(C=C).fit(X, SIDE)
        assert model.certificate_.converged
        assert np.all(np.isfinite(model.coef_))
        if C < 1e-9:
            np.testing.assert_allclose(model.coef_, 0.0, atol=1e-8)
    with pytest.raises(ValueError, match="its inverse overflows float64"):
        LogisticRegression(C=5e-324).fit(X[:1].repeat(2, axis=0), [0, 1], sample_weight=0.1)


def test_unpenalized_and_separable_says_so():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model = LogisticRegression(C=np.inf).fit(
            np.vstack([X + 10.0, X - 10.0]), np.repeat([1, 0], 30)
        )
    assert np.all(np.isfinite(model.coef_))
    proof = model.certificate_
    assert proof.converged or any(issubclass(w.category, ConvergenceWarning) for w in seen)
    assert proof.gap <= proof.target or not proof.converged


def test_warnings_say_what_to_do():
    with pytest.warns(ConvergenceWarning, match="max_iter is 1"):
        LinearSVC(selector="cyclic", max_iter=1, tol=1e-12).fit(X, SIDE)
    y = np.array(["a", "b", "c"])[np.arange(30) % 3]
    with pytest.warns(ConvergenceWarning, match="3 of 3 solves; worst: the duality gap"):
        LogisticRegression(selector="cyclic", max_iter=1, tol=1e-12, multi_class="ovr").fit(X, y)


def test_warm_start_starts_where_it_was():
    model = LogisticRegression(l1_ratio=1.0, selector="cyclic", warm_start=True, max_iter=5000)
    model.fit(X, SIDE)
    again = model.fit(X, SIDE)
    assert again.certificate_.passes == 0.0
    with pytest.raises(ValueError, match=r"coefficients of shape \(1, 4\) and these data need"):
        model.fit(X[:, :2], SIDE)
    for native in (
        LogisticRegression(warm_start=True),
        LogisticRegression(l1_ratio=1.0, warm_start=True),
    ):
        first = native.fit(X, SIDE).coef_.copy()
        np.testing.assert_allclose(native.fit(X, SIDE).coef_, first, atol=1e-6)


def test_standardizing_is_scaling_the_columns():
    scaled = X * np.logspace(-1, 1, 4)
    spread = scaled.std(axis=0)
    for ratio in (0.0, 0.5, 1.0):
        direct = LogisticRegression(l1_ratio=ratio, standardize=True, tol=1e-12).fit(scaled, SIDE)
        plain = LogisticRegression(l1_ratio=ratio, tol=1e-12).fit(scaled / spread, SIDE)
        np.testing.assert_allclose(direct.coef_, plain.coef_ / spread, rtol=1e-5, atol=1e-9)
        np.testing.assert_allclose(direct.intercept_, plain.intercept_, rtol=1e-5)


def test_folds_without_a_class_still_count():
    y = np.array(["a"] * 10 + ["b"] * 10 + ["c"] * 10)
    folds = [(np.arange(20), np.arange(20, 30)), (np.arange(10, 30), np.arange(10))]
    model = LogisticRegressionCV(Cs=[1.0], cv=folds, use_legacy_attributes=False).fit(X, y)
    np.testing.assert_array_equal(model.scores_.ravel(), 0.0)  # a class that was never seen


@pytest.mark.parametrize("scoring", ["neg_log_loss", "neg_brier_score", "f1_macro"])
def test_test_folds_of_one_class_are_scored(scoring):
    y = np.repeat([0, 1, 0, 1], [5, 5, 5, 15])  # the last fold has ones alone
    options = {"Cs": [0.1, 1.0], "cv": KFold(3), "scoring": scoring, "tol": 1e-8}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        model = LogisticRegressionCV(**options, use_legacy_attributes=False).fit(X, y)
    expected = np.empty((3, 1, 2))
    for k, (train, test) in enumerate(KFold(3).split(X)):
        for c, C in enumerate(options["Cs"]):
            fold = LogisticRegression(C=C, tol=1e-8).fit(X[train], y[train])
            shares, labels = fold.predict_proba(X[test]), fold.predict(X[test])
            expected[k, 0, c] = {
                "neg_log_loss": -log_loss(y[test], shares, labels=[0, 1]),
                "neg_brier_score": -np.mean((shares[:, 1] - y[test]) ** 2),
                "f1_macro": f1_score(
                    y[test], labels, labels=[0, 1], average="macro", zero_division=0
                ),
            }[scoring]
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-3, atol=1e-3)


def test_older_shapes_by_their_word():
    y = np.repeat([0, 1], [10, 20])
    given = {"Cs": [0.1, 1.0], "cv": 2}
    by_word = LogisticRegressionCV(**given, use_legacy_attributes="warn").fit(X, y)
    assert isinstance(by_word.scores_, dict)
    assert by_word.C_.shape == (1,)
    with pytest.raises(ValueError, match="use_legacy_attributes"):
        LogisticRegressionCV(**given, use_legacy_attributes="perhaps").fit(X, y)


def test_classes_in_turn_are_the_classes_at_once():
    y = np.arange(30) % 3
    options = {"C": 0.5, "l1_ratio": 1.0, "tol": 1e-10, "class_weight": {0: 1.0, 1: 2.0, 2: 0.5}}
    in_turn = LogisticRegression(**options).fit(X, y)  # these share the norms of the columns
    at_once = LogisticRegression(**options, n_jobs=2).fit(X, y)
    np.testing.assert_allclose(in_turn.coef_, at_once.coef_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("positives", [1, 3])
def test_a_free_intercept_of_the_hinge_survives_rare_classes(positives: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 5))
    y = (np.arange(200) < positives).astype(int)
    X[:positives, 0] += 1.0
    model = LinearSVC(loss="hinge", penalize_intercept=False).fit(X, y)
    assert model.certificate_.converged


def test_a_free_intercept_of_the_hinge_survives_heavy_weights() -> None:
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    model = LinearSVC(loss="hinge", penalize_intercept=False)
    model.fit(X, y, sample_weight=[1.0, 1.0, 1e4, 1e4])
    np.testing.assert_allclose(model.coef_, [[1.0]], rtol=1e-6)
    assert model.certificate_.primal == pytest.approx(1.5)


def test_slow_progress_on_badly_scaled_columns_is_not_a_stall() -> None:
    rng = np.random.default_rng(9)
    X = rng.standard_normal((200, 2)) * [1e4, 1.0]
    y = (X @ rng.standard_normal(2) > 0).astype(int)
    model = LogisticRegression(l1_ratio=0.5, fit_intercept=False).fit(X, y)
    assert model.certificate_.converged
