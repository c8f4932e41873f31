"""scikit-learn's words and what they mean here: counts, warm starts, warnings, messages."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning

import banditcd
from banditcd import ElasticNet, ElasticNetCV, Lasso, LassoCV, LinearSVC, LinearSVR, Ridge

HAS_INTERFACE = "sparse_interface" in sklearn.get_config()


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 8))
    return X, np.digitize(X[:, 0] + rng.standard_normal(150), [-0.5, 0.5])


# Gram matrices -----------------------------------------------------------------------------------
def test_a_gram_matrix_of_other_data_is_refused(diabetes):
    X, y = diabetes
    for model in (Lasso(precompute=2.0 * X.T @ X), Lasso(precompute=np.eye(3))):
        with pytest.raises(ValueError, match=r"precompute|Gram"):
            model.fit(X, y)
    with pytest.raises(ValueError, match="did not pass validation"):
        banditcd.lasso_path(X, y, precompute=X.T @ X + 1.0)


@pytest.mark.parametrize("store", [np.asarray, np.float32, sparse.csc_array])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_gram_matrix_of_the_data_is_taken(diabetes, store, weighted):
    X, y = store(diabetes[0]), diabetes[1]
    weight = np.linspace(0.5, 2.0, len(y)) if weighted else np.ones(len(y))
    dense = X.toarray() if sparse.issparse(X) else X
    gram = dense.T @ (dense * (weight / weight.mean())[:, None])
    plain = Lasso(alpha=0.1, fit_intercept=False).fit(X, y, weight)
    given = Lasso(alpha=0.1, fit_intercept=False, precompute=gram).fit(X, y, weight)
    np.testing.assert_allclose(given.coef_, plain.coef_, atol=1e-3)


def test_the_gram_matrix_saves_the_passes_that_make_one():
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((2000, 150)))
    y = X[:, :40] @ rng.standard_normal(40) + rng.standard_normal(2000)
    X -= X.mean(axis=0)
    gram = X.T @ X
    plain = Lasso(alpha=0.01, n_threads=1).fit(X, y)
    given = Lasso(alpha=0.01, n_threads=1, precompute=gram).fit(X, y)
    assert given.certificate_.regime == "whole_gram"
    assert given.certificate_.passes < plain.certificate_.passes
    np.testing.assert_allclose(given.coef_, plain.coef_, atol=1e-9)
    several = Lasso(alpha=0.01, precompute=gram).fit(X, np.column_stack([y, X[:, 7]]))
    np.testing.assert_allclose(several.coef_[0], plain.coef_, atol=1e-9)
    scaled = banditcd.ElasticNet(alpha=0.01, standardize=True)
    free = scaled.fit(X, y).coef_
    np.testing.assert_allclose(scaled.set_params(precompute=gram).fit(X, y).coef_, free, atol=1e-6)
    paths = [banditcd.lasso_path(X, y, alphas=5, precompute=g)[1] for g in ("auto", gram)]
    np.testing.assert_allclose(*paths, atol=1e-8)
    searches = [banditcd.LassoCV(alphas=5, cv=3, precompute=g).fit(X, y) for g in ("auto", gram)]
    np.testing.assert_allclose(searches[0].coef_, searches[1].coef_, atol=1e-8)
    with pytest.raises(ValueError, match="did not pass validation"):
        banditcd.LassoCV(cv=3, precompute=2.0 * gram).fit(X, y)


def test_a_gram_matrix_beside_an_intercept_is_that_of_centered_columns(diabetes):
    X, y = diabetes[0] + 1.0, diabetes[1]
    with pytest.warns(UserWarning, match="recomputing Gram"):
        Lasso(precompute=X.T @ X).fit(X, y)


# Iterations --------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{}, {"loss": "hinge"}, {"penalize_intercept": False}])
@pytest.mark.parametrize("limit", [0, 1, 3, 10, 30])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_no_count_exceeds_its_limit(classes, options, limit):
    X, y = classes
    model = LinearSVC(max_iter=limit, **options).fit(X, y)
    assert isinstance(model.n_iter_, int)
    assert model.n_iter_ <= limit
    assert all(c.n_iter <= limit for c in model.certificate_)


@pytest.mark.parametrize("options", [{}, {"record_history": True}, {"selector": "shuffled"}])
@pytest.mark.parametrize("kind", [LinearSVC, LinearSVR])
def test_no_iterations_are_the_null_model_with_a_warning(classes, kind, options):
    X, y = classes
    with pytest.warns(ConvergenceWarning, match="max_iter is 0"):
        model = kind(max_iter=0, **options).fit(X, y > 0)
    assert not model.coef_.any()
    assert model.n_iter_ == 0
    assert np.ravel(model.certificate_)[0].status == "max_iter"


@pytest.mark.parametrize("solver", ["fast", "engine"])
@pytest.mark.parametrize("targets", [1, 3])
def test_a_second_fit_of_a_solved_problem_does_no_work(diabetes, solver, targets):
    X, y = diabetes
    y = y if targets == 1 else np.column_stack([y, -y, 2.0 * y])
    model = ElasticNet(alpha=1e-3, warm_start=True, solver=solver).fit(X, y)
    before = model.coef_.copy()
    assert np.min(model.n_iter_) >= 1
    model.fit(X, y)
    np.testing.assert_array_equal(model.coef_, before)
    assert np.max(model.n_iter_) == 0


# Numbers and matrices ----------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [Lasso, ElasticNet, LassoCV, ElasticNetCV])
def test_intercepts_are_scalars_of_numpy(diabetes, kind):
    assert type(kind().fit(*diabetes).intercept_) is np.float64
    assert kind(fit_intercept=False).fit(*diabetes).intercept_ == 0.0


def test_chosen_penalties_scores_and_gaps_are_scalars_of_numpy(diabetes, classes):
    X, y = diabetes  # code written for scikit-learn rounds them: model.alpha_.round(3)
    for kind in (LassoCV, ElasticNetCV):
        model = kind(alphas=5, cv=3).fit(X, y)
        assert type(model.alpha_) is type(model.dual_gap_) is np.float64
    assert type(model.l1_ratio_) is np.float64
    model = banditcd.MultiTaskElasticNetCV(alphas=5, cv=3).fit(X, np.column_stack([y, -y]))
    assert type(model.alpha_) is type(model.l1_ratio_) is np.float64
    assert type(Lasso().fit(X, y).dual_gap_) is np.float64
    assert type(banditcd.RidgeCV().fit(X, y).best_score_) is np.float64
    assert type(banditcd.RidgeClassifierCV().fit(*classes).best_score_) is np.float64


@pytest.mark.skipif(not HAS_INTERFACE, reason="scikit-learn has one sparse interface")
@pytest.mark.parametrize(
    ("word", "kind"), [("spmatrix", sparse.csr_matrix), ("sparray", sparse.csr_array)]
)
def test_sparse_coefficients_follow_the_configuration(diabetes, classes, word, kind):
    with sklearn.config_context(sparse_interface=word):
        assert type(Lasso().fit(*diabetes).sparse_coef_) is kind
        assert type(LinearSVC().fit(*classes).sparsify().coef_) is kind


def test_coefficients_set_by_hand_predict():
    X = np.arange(6.0).reshape(3, 2)
    line = Lasso()
    line.coef_, line.intercept_ = np.array([1.0, -1.0]), 2.0
    np.testing.assert_array_equal(line.predict(X), [1.0, 1.0, 1.0])
    for kind in (LinearSVC, banditcd.LogisticRegression):
        model = kind()
        model.coef_, model.intercept_ = np.array([[1.0, 0.0]]), np.array([-1.0])
        model.classes_ = np.array(["a", "b"])
        assert model.predict(X).tolist() == ["a", "b", "b"]
        assert model.predict(sparse.csr_array(X)).tolist() == ["a", "b", "b"]
    with pytest.raises(ValueError, match="not fitted"):
        Lasso().predict(X)


def test_a_path_with_intercepts_returns_them(diabetes):
    X, y = diabetes
    alphas, coefs, gaps, intercepts = banditcd.lasso_path(X, y, alphas=5, fit_intercept=True)
    assert alphas.shape == gaps.shape == intercepts.shape == (5,)
    model = Lasso(alpha=alphas[3]).fit(X, y)
    np.testing.assert_allclose(X @ coefs[:, 3] + intercepts[3], model.predict(X), rtol=1e-2)
    found = banditcd.enet_path(X, y, alphas=5, fit_intercept=True, return_n_iter=True)
    assert len(found) == 5
    assert len(found[3]) == 5
    np.testing.assert_allclose(found[4][0], y.mean())


# Warnings and messages ---------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [LassoCV, ElasticNetCV])
def test_the_older_word_for_the_number_of_alphas(diabetes, kind):
    with pytest.warns(FutureWarning, match="use alphas=7") as caught:
        assert kind(n_alphas=7).fit(*diabetes).alphas_.shape == (7,)
    assert caught[0].filename == __file__
    with pytest.warns(FutureWarning, match="leave alphas out"):
        assert kind(alphas=None).fit(*diabetes).alphas_.shape == (100,)


def test_without_a_penalty_there_is_a_warning_only_without_a_certificate(diabetes):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Lasso(alpha=0.0).fit(*diabetes).certificate_.converged


@pytest.mark.parametrize("model", [Lasso(alpha=0.1), LinearSVC(loss="squared_hinge")])
def test_the_advice_of_a_warning_is_right(diabetes, model):
    X, y = diabetes
    y = y if isinstance(model, Lasso) else y > 150.0
    with pytest.warns(ConvergenceWarning, match="Raise tol to") as caught:
        model.set_params(tol=0.0).fit(X, y)
    tol = float(str(caught[0].message).partition("Raise tol to ")[2].partition(":")[0])
    assert tol < 1e-14
    assert model.set_params(tol=tol).fit(X, y).certificate_.converged


def test_no_advice_is_to_ask_for_next_to_nothing(diabetes):
    X, y = diabetes
    nanoseconds = 1.6e18 + 8.64e13 * np.arange(len(y))[:, None]
    for model, data in ((Lasso(alpha=1e-300), X), (Ridge(), nanoseconds)):
        with pytest.warns(ConvergenceWarning, match="Center and scale the columns"):
            model.fit(data, y)
        assert model.certificate_.status == "stalled"


@pytest.mark.parametrize("kind", [Lasso, ElasticNet, LassoCV, ElasticNetCV, LinearSVC, LinearSVR])
def test_an_unknown_parameter_names_the_class(kind):
    with pytest.raises(TypeError, match=rf"^{kind.__name__}\.__init__"):
        kind(unknown=1)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Lasso, ["auto", "fast", "engine"]),
        (LinearSVC, ["auto", "fast", "engine"]),
        (banditcd.LogisticRegression, ["auto", "fast", "engine", "lbfgs", "saga", "liblinear"]),
    ],
)
def test_an_unknown_solver_lists_every_word(diabetes, kind, words):
    X, y = diabetes
    with pytest.raises(ValueError, match="solver is 'cg'") as caught:
        kind(solver="cg").fit(X, y > 100.0)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize("kind", [banditcd.MultiTaskLassoCV, banditcd.MultiTaskElasticNetCV])
def test_several_responses_know_the_older_word_for_a_number_of_alphas(kind, diabetes):
    X, y = diabetes[0], np.column_stack([diabetes[1], diabetes[0][:, 0]])
    with pytest.warns(FutureWarning, match="use alphas=3"):
        model = kind(n_alphas=3, cv=3).fit(X, y)
    assert model.alphas_.shape == (3,)


@pytest.mark.parametrize("method", ["fit", "predict"])
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in banditcd.__all__
        if isinstance(kind := getattr(banditcd, name), type) and issubclass(kind, BaseEstimator)
    ],
)
def test_a_wrong_call_names_the_public_class(name, method):
    kind = getattr(banditcd, name)
    model = kind(groups=[0, 0]) if name.startswith("Group") else kind()
    with pytest.raises(TypeError, match=rf"^{name}\.{method}\(\) missing"):
        getattr(model, method)()


@pytest.mark.parametrize(
    "model",
    [
        banditcd.Lasso(alpha=0.1),
        banditcd.MultiTaskLasso(alpha=0.1),
        banditcd.GroupLasso(alpha=0.1, groups=np.arange(8) // 2),
        banditcd.LogisticRegression(),
        banditcd.LogisticRegression(l1_ratio=1.0),
        banditcd.LogisticRegression(multi_class="multinomial"),
        banditcd.GroupLogisticRegression(groups=np.arange(8) // 2),
    ],
    ids=str,
)
@pytest.mark.parametrize("rows", [150, 1500])  # small problems are polished
def test_a_second_fit_of_a_solved_problem_takes_no_iteration(model, rows):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 8))
    y = X[:, 0] + rng.standard_normal(rows)
    if is_classifier(model):
        several = getattr(model, "multi_class", None) == "multinomial"
        y = np.digitize(y, [-0.5, 0.5] if several else [0.0])
    elif type(model) is banditcd.MultiTaskLasso:
        y = np.column_stack([y, -y])
    model = clone(model).set_params(warm_start=True).fit(X, y)
    assert np.all(np.asarray(model.n_iter_) > 0)
    if type(model) is banditcd.LogisticRegression and not model.l1_ratio:
        model.fit(X, y)  # Newton's last step may be needed again for the dual point that it gives
        assert np.all(model.n_iter_ <= 1)
    solved = model.coef_.copy()
    model.fit(X, y)
    assert np.all(np.asarray(model.n_iter_) == 0)
    np.testing.assert_array_equal(model.coef_, solved)


def test_a_search_one_against_the_rest_counts_the_iterations_of_each_class():
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 3
    options = {"Cs": 2, "cv": 2, "l1_ratios": (0.0,), "scoring": "accuracy", "multi_class": "ovr"}
    older = banditcd.LogisticRegressionCV(**options, use_legacy_attributes=True).fit(X, y)
    newer = banditcd.LogisticRegressionCV(**options, use_legacy_attributes=False).fit(X, y)
    assert older.n_iter_.shape == (3, 2, 2, 1)
    np.testing.assert_array_equal(newer.n_iter_[:, 0], older.n_iter_[..., 0].max(axis=0))
