"""Every mistake gets a sentence that says what was wrong, before any work."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd import (
    ElasticNet,
    ElasticNetCV,
    GroupLasso,
    GroupLogisticRegressionCV,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeCV,
    enet_path,
    group_lasso_path,
    group_logistic_path,
    lasso_path,
    logistic_path,
)

X = np.arange(12.0).reshape(6, 2) % 5.0
y = np.arange(6.0)

PARAMETERS = [
    ({"alpha": -1.0}, "alpha is -1.0; it must be a number, at least 0 and finite"),
    ({"alpha": "big"}, "alpha is 'big'"),
    ({"alpha": np.inf}, "alpha is inf"),
    ({"l1_ratio": 1.5}, "l1_ratio is 1.5; it must be a number, at least 0 and at most 1"),
    ({"tol": -1e-3}, "tol is -0.001"),
    ({"tol": np.nan}, "tol is nan"),
    ({"max_iter": 0}, "max_iter is 0; it must be an integer, at least 1"),
    ({"max_iter": 2.5}, "max_iter is 2.5"),
    ({"fit_intercept": "yes"}, "fit_intercept is 'yes'; it must be True or False"),
    ({"positive": 1}, "positive is 1; it must be True or False"),
    ({"standardize": None}, "standardize is None"),
    ({"n_threads": 0}, "n_threads is 0"),
    ({"selection": "greedy"}, "selection is 'greedy'.*choose a rule with selector="),
    ({"precompute": "yes"}, "precompute is 'yes'"),
    ({"positive": True, "lower": -1.0}, "positive=True contradicts a negative value in lower"),
    ({"lower": 0.5}, "Bounds need lower <= 0 <= upper"),
    ({"upper": [-1.0, 1.0]}, "Bounds need lower <= 0 <= upper"),
    ({"lower": [0.0, np.nan]}, "lower has NaN"),
    ({"upper": [1.0, 1.0, 1.0]}, r"upper has shape \(3,\); it needs one value, or one per feature"),
    ({"penalty_weights": [1.0, -1.0]}, "penalty_weights must not be negative"),
    ({"penalty_weights": ["a", "b"]}, "penalty_weights must hold numbers"),
    ({"alpha": 10**400}, r"alpha is about 10\*\*400; it must be a number, at least 0 and finite"),
    ({"alpha": -(10**400)}, r"alpha is about -10\*\*400; it must be a number, at least 0"),
    (
        {"max_iter": 2**64},
        "max_iter is 18446744073709551616; it must be at most 92233720368547",
    ),
    ({"n_threads": 2**64}, "n_threads is 18446744073709551616; it must be at most"),
    ({"pool_bytes": 10**5000}, r"pool_bytes is about 10\*\*5000; it must be at most"),
    ({"selection": np.ones(2)}, "selection is array"),
    ({"warm_start": np.ones(2)}, "warm_start is array.*; it must be True or False"),
]


@pytest.mark.parametrize(("parameters", "sentence"), PARAMETERS)
def test_parameters(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        ElasticNet(**parameters).fit(X, y)


SEARCHES = [
    ({"eps": 0.0}, "eps is 0.0; it must be a number between 0 and 1"),
    ({"alphas": 0}, "alphas is 0; it must be an integer, at least 1"),
    ({"alphas": []}, "alphas is empty"),
    ({"alphas": [0.1, -1.0]}, r"alphas\[1\] == -1.0, must be >= 0.0"),
    ({"select_alpha": "best"}, "select_alpha is 'best'; it must be one of min, 1se, aic, bic"),
    ({"store_path": 1}, "store_path is 1"),
    ({"l1_ratio": [0.5, 0.0]}, "not supported for l1_ratio=0"),
    ({"l1_ratio": []}, "l1_ratio is empty; give at least one value"),
    ({"alphas": 10**18}, "alphas is 1000000000000000000; it must be at most 1000000"),
    ({"alphas": 2**63}, "alphas is 9223372036854775808; it must be at most 1000000"),
]


@pytest.mark.parametrize(("parameters", "sentence"), SEARCHES)
def test_search_parameters(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        ElasticNetCV(cv=2, **parameters).fit(X, y)


@pytest.mark.parametrize(
    "estimator",
    [LassoCV, LogisticRegression, LogisticRegressionCV, GroupLogisticRegressionCV, LinearSVC],
)
@pytest.mark.parametrize("n_jobs", ["abc", [], 0, 1.5, np.inf, True, 10**400])
def test_numbers_of_jobs(estimator, n_jobs):
    with pytest.raises(ValueError, match=r"n_jobs is .*; it must be None or an integer"):
        estimator(n_jobs=n_jobs).fit(X, y > 2.0)


@pytest.mark.parametrize("estimator", [Ridge, LogisticRegression, LinearSVC, LinearSVR])
def test_numbers_beyond_64_bits(estimator):
    with pytest.raises(ValueError, match="max_iter is 18446744073709551616; it must be at most"):
        estimator(max_iter=2**64).fit(X, y > 2.0)
    strength = "alpha" if estimator is Ridge else "C"
    with pytest.raises(ValueError, match=rf"{strength} is about 10\*\*400; it must be a number"):
        estimator(**{strength: 10**400}).fit(X, y > 2.0)


def test_one_standard_error_of_no_score():
    def lost(estimator, X, y):
        return np.nan if X[0, 0] > 2.0 else 1.0

    for model in (
        RidgeCV(select_alpha="1se", cv=3, scoring=lost),
        LogisticRegressionCV(select_C="1se", cv=3, scoring=lost),
    ):
        with pytest.raises(ValueError, match="The 1se rule needs a score in every fold"):
            model.fit(X, y % 2.0)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_data(kind):
    for bad in (np.nan, np.inf):
        broken = X.copy()
        broken[1, 1] = bad
        with pytest.raises(ValueError, match=r"Input X contains"):
            Lasso().fit(kind(broken), y)
        with pytest.raises(ValueError, match=r"Input y contains|input y contains"):
            Lasso().fit(kind(X), np.where(y == 2.0, bad, y))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        Lasso().fit(kind(X), y[:-1])
    model = Lasso().fit(kind(X), y)
    with pytest.raises(ValueError, match="expecting 2 features"):
        model.predict(kind(X[:, :1]))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, lambda X: X[:, ::-1]])
@pytest.mark.parametrize("size", [1e308, 1e170])
def test_overflowing_squares(kind, size):
    big = np.where(X > 2.0, size, -size)
    with pytest.raises(ValueError, match=r"X has values whose squares overflow.*rescale the data"):
        Lasso(1e-3).fit(kind(big), y)
    with pytest.raises(ValueError, match="y has values whose squares overflow"):
        Lasso(1e-3).fit(kind(X), size * (y / 10.0))
    assert Lasso(1e99).fit(kind(X * 1e100), y).certificate_.converged


def test_weights():
    for weight, sentence in [
        (np.ones(3), "sample_weight.shape"),
        (np.ones((6, 2)), "must be 1D array or scalar"),
        (-np.ones(6), "sample_weight has negative values"),
        (np.zeros(6), "at least one non-zero number"),
        (np.full(6, np.nan), "sample_weight contains NaN"),
        (np.full(6, 1e308), "sum that overflows"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            Lasso().fit(X, y, sample_weight=weight)


def test_folds_and_responses():
    with pytest.raises(ValueError, match="y has 2 columns; LassoCV fits one response"):
        LassoCV().fit(X, np.column_stack([y, y]))
    weight = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="Fold 0 has no test sample"):
        LassoCV(cv=2).fit(X, y, sample_weight=weight)
    with pytest.raises(ValueError, match=r"LassoCV\.fit got color"):
        LassoCV(cv=2).fit(X, y, color="red")
    with pytest.raises(ValueError, match="fit with store_path=True"):
        LassoCV(cv=2).fit(X, y).predict_path(X)


def test_path_functions():
    with pytest.raises(ValueError, match="Unexpected parameters in params: X_offset"):
        enet_path(X, y, X_offset=0.0)
    with pytest.raises(ValueError, match="positive=True is not allowed for multi-output"):
        lasso_path(X, np.column_stack([y, y]), positive=True)
    with pytest.raises(ValueError, match="not supported for l1_ratio=0"):
        enet_path(X, y, l1_ratio=0.0)
    with pytest.raises(ValueError, match=r"coef_init has shape \(3,\)"):
        lasso_path(X, y, coef_init=np.ones(3))
    with pytest.raises(TypeError, match="lasso_path has no l1_ratio"):
        lasso_path(X, y, l1_ratio=0.5)


@pytest.mark.parametrize("storage", ["csr", "csc"])
@pytest.mark.parametrize("model", [Lasso(), Ridge(), LinearSVC(), LogisticRegression()], ids=repr)
def test_entries_outside_the_shape(model, storage):
    """Also where X has to be converted first, which SciPy does without looking."""
    outside = sparse.random(50, 20, 0.3, random_state=0, format=storage)
    outside.indices[3] = 10**6
    with pytest.raises(ValueError, match=r"outside its shape|outside X|inside X"):
        model.fit(outside, np.where(np.arange(50) % 3 == 0, 1.0, -1.0))


HUGE = np.full((6, 2), 10**400, dtype=object)


@pytest.mark.parametrize("model", [Lasso(), Ridge(), LassoCV(), LogisticRegression(), LinearSVC()])
def test_integers_beyond_float64_and_values_that_are_no_numbers(model):
    labels = np.arange(6) % 2
    fitted = model.fit(X, labels)
    dates, records = np.full((6, 2), np.datetime64("2020")), np.zeros(6, dtype=[("a", float)])
    for use in (lambda data: model.fit(data, labels), fitted.predict):
        with pytest.raises(ValueError, match=r"X( or y)? has an integer beyond float64"):
            use(HUGE)
        for data, word in ((dates, "datetime64"), (records, "'a'")):
            with pytest.raises(ValueError, match=f"X has values of type .*{word}.*; numbers are"):
                use(data)
    if not isinstance(model, LassoCV):
        with pytest.raises(ValueError, match="sample_weight has an integer beyond float64"):
            model.fit(X, labels, sample_weight=HUGE[:, 0])
    if isinstance(model, (Lasso, Ridge)):
        with pytest.raises(ValueError, match="X or y has an integer beyond float64"):
            model.fit(X, HUGE[:, 0])


def test_path_functions_refuse_squares_that_vanish_as_fits_do():
    tiny, labels, both = 5e-324 * X, np.arange(6) % 2, np.c_[y, y]
    for path in (
        lambda: lasso_path(tiny, y),
        lambda: enet_path(tiny, both),
        lambda: group_lasso_path(tiny, y, groups=[[0, 1]]),
        lambda: logistic_path(tiny, labels),
        lambda: group_logistic_path(tiny, labels, groups=[[0, 1]]),
    ):
        with pytest.raises(ValueError, match="squares"):
            path()


def test_a_short_column_without_a_penalty_is_refused_and_not_taken_for_an_empty_one():
    """Its coefficient, 3e170, explains the response; a penalty would outweigh it."""
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(100, 5))
    response = 3.0 * wide[:, 0] + 0.1 * rng.normal(size=100)
    labels = response > 0.0
    short = wide * [1e-170, 1.0, 1.0, 1.0, 1.0]
    weights, groups = [0.0, 1.0, 1.0, 1.0, 1.0], [[0], [1, 2], [3, 4]]
    for unpenalized, penalized, target in (
        (Lasso(0.1, penalty_weights=weights), Lasso(0.1), response),
        (ElasticNet(0.1, penalty_weights=weights), ElasticNet(0.1), response),
        (
            LogisticRegression(l1_ratio=1.0, penalty_weights=weights),
            LogisticRegression(l1_ratio=1.0),
            labels,
        ),
        (GroupLasso(groups, alpha=0.1, weights=[0, 1, 1]), GroupLasso(groups), response),
    ):
        for storage in (np.asarray, sparse.csc_matrix):
            with pytest.raises(ValueError, match="squares of a column without a penalty vanish"):
                unpenalized.fit(storage(short), target)
            assert penalized.fit(storage(short), target).certificate_.converged


def test_squares_of_a_group_overflow_though_none_of_its_columns_does():
    rng = np.random.default_rng(1)
    columns, response = rng.normal(size=(50, 6)), rng.normal(size=50)
    weight = np.repeat([1.0, 1e-3], 25)
    weighted = np.sum(weight[:, None] / weight.mean() * columns**2, axis=0)
    scaled = columns * np.sqrt(9.5e307 / weighted) * [1.0, 1.0, 1.0, 1e-9, 1e-9, 1e-9]
    model = GroupLasso([[0, 1, 2], [3, 4, 5]], alpha=1e150, fit_intercept=False)
    with pytest.raises(ValueError, match="squares"):
        model.fit(scaled, response, sample_weight=weight)


def test_parameters_beyond_float64_get_a_sentence():
    for model in (
        Lasso(penalty_weights=[10**400, 1.0]),
        Lasso(lower=[-(10**400), 0.0]),
        LogisticRegression(class_weight={0: 10**400, 1: 1.0}),
    ):
        with pytest.raises(ValueError, match=r"beyond float64|must hold numbers"):
            model.fit(X, np.arange(6) % 2)


def test_dates_in_a_data_frame_are_no_numbers():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": X[:, 0], "day": pandas.Timestamp("2020-01-01")})
    for model in (Lasso(), LogisticRegression()):
        with pytest.raises(ValueError, match="X has values of type datetime64"):
            model.fit(frame, np.arange(6) % 2)
