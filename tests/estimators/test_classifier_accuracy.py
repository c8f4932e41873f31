"""Default fits are at least as accurate as scikit-learn's (docs/accuracy.md)."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from scipy.special import expit, softmax
from sklearn import linear_model, svm
from sklearn.utils.fixes import parse_version

from banditcd import LinearSVC, LogisticRegression, LogisticRegressionCV
from banditcd.data import apply, load
from banditcd.solvers import L2LogisticSession, L2MultinomialSession, SvmSession

KINDS = ("plain", "scaled", "binary", "mixed", "rare")
SHAPES = ((300, 20), (2000, 30), (200, 600), (900, 60))
SETS = ("mushrooms", "a7a", "colon-cancer", "leu", "usps", "madelon", "phishing", "a9a", "w8a")
SPARSE_SETS = ("mushrooms", "a7a", "colon-cancer", "leu", "madelon", "phishing")  # SAGA is slow
SEVERAL_CLASSES = ("usps", "usps-unsmoothed", "protein.val")
#: Errors below this are rounding of the reference.
ROUNDING = 1e-7
LOSSES = ("hinge", "squared_hinge")


def generated(kind, shape, seed):
    rng = np.random.default_rng([seed, *shape, KINDS.index(kind)])
    n, d = shape
    X = rng.standard_normal(shape)
    if kind == "scaled":
        X *= np.exp(1.5 * rng.standard_normal(d))
    elif kind == "binary":
        X = (rng.random(shape) < 0.1).astype(float)
    elif kind == "mixed":
        X = X @ rng.standard_normal((d, d)) / np.sqrt(d)
    score = X @ (rng.standard_normal(d) * (rng.random(d) < 0.3))
    y = np.where(score + 0.5 * score.std() * rng.standard_normal(n) > 0.0, 1.0, -1.0)
    if kind == "rare":
        y = np.where(score > np.sort(score)[-max(3, n // 100)], 1.0, -1.0)
    return X, y


def stored(name):
    data = apply(load(name), ("halved_classes",))
    return data.X, np.asarray(data.y, dtype=float)


def no_farther_than_scikit_learn(X, y):
    n = len(y)
    best = L2LogisticSession(X, y, fit_intercept=True).solve(1.0 / n, tol=1e-13)
    probability = expit(X @ best.coef + best.intercept)

    def errors(model):
        model.fit(X, y)
        here = expit(X @ model.coef_[0] + model.intercept_[0])
        return np.abs(model.coef_[0] - best.coef).max(), np.abs(here - probability).max()

    ours, theirs = errors(LogisticRegression()), errors(linear_model.LogisticRegression())
    for mine, other in zip(ours, theirs, strict=True):
        assert mine <= other + ROUNDING


def no_farther_with_three_classes(kind, shape, seed):
    X, y = generated(kind, shape, seed)
    no_farther_with_classes(X, np.where(y > 0.0, 2, np.arange(len(y)) % 2))


def no_farther_with_classes(X, codes):
    count = int(codes.max()) + 1
    session = L2MultinomialSession(X, codes.astype(float), count, fit_intercept=True)
    best = session.solve(1.0 / len(codes), tol=1e-13)
    probability = softmax(X @ best.coef.T + best.intercept, axis=1)

    def errors(model):
        model.fit(X, codes)
        here = softmax(X @ model.coef_.T + model.intercept_, axis=1)
        return np.abs(model.coef_ - best.coef).max(), np.abs(here - probability).max()

    ours, theirs = errors(LogisticRegression()), errors(linear_model.LogisticRegression())
    for mine, other in zip(ours, theirs, strict=True):
        assert mine <= other + ROUNDING


def no_farther_with_an_l1_part(X, y, l1_ratio, **words):
    """Compare sparse models of two or more classes, with SAGA or LIBLINEAR."""
    params = {"l1_ratio": l1_ratio, "fit_intercept": words.get("solver") != "liblinear"}
    best = LogisticRegression(tol=1e-15, **params).fit(X, y)
    exact, scale = best.predict_proba(X), max(1.0, np.abs(best.coef_).max())

    def errors(model):
        model.fit(X, y)
        return (
            np.abs(model.coef_ - best.coef_).max() / scale,
            np.abs(model.predict_proba(X) - exact).max(),
        )

    ours = errors(LogisticRegression(**params))
    theirs = errors(linear_model.LogisticRegression(random_state=0, **params, **words))
    for mine, other in zip(ours, theirs, strict=True):
        assert mine <= other + ROUNDING


def no_farther_with_sparse_models(kind, shape, seed):
    X, y = generated(kind, shape, seed)
    codes = np.where(y > 0.0, 2, np.arange(len(y)) % 2)
    no_farther_with_an_l1_part(X, y, 1.0, solver="liblinear")
    for l1_ratio in (1.0, 0.5):
        no_farther_with_an_l1_part(X, y, l1_ratio, solver="saga")
        no_farther_with_an_l1_part(X, codes, l1_ratio, solver="saga")


def no_farther_in_a_search(kind, shape, seed):
    """Compare the scores of folds, all models along the values of C, and the C that is chosen."""
    X, y = generated(kind, shape, seed)
    params = {"Cs": 5, "cv": 2, "l1_ratios": (0.0,), "scoring": "neg_log_loss"}
    if parse_version(sklearn.__version__) >= parse_version("1.8"):
        params["use_legacy_attributes"] = True
    best = LogisticRegressionCV(tol=1e-8, **params).fit(X, y)
    ours = LogisticRegressionCV(**params).fit(X, y)
    theirs = linear_model.LogisticRegressionCV(**params).fit(X, y)
    assert ours.C_[0] == best.C_[0]
    for found in (lambda m: m.scores_[1.0], lambda m: m.coefs_paths_[1.0]):
        exact = found(best)
        mine, other = (np.abs(found(model) - exact).max() for model in (ours, theirs))
        assert mine <= other + ROUNDING * max(1.0, np.abs(exact).max())


def objective_is_within_tol(X, y, loss):
    model = LinearSVC(loss=loss).fit(X, y)
    session = SvmSession(X, y, loss=loss, intercept="penalized")
    best = session.solve(1.0, tol=1e-10, max_iter=1e5)
    slack = np.maximum(0.0, 1.0 - y * (X @ model.coef_[0] + model.intercept_[0]))
    losses = slack.sum() if loss == "hinge" else slack @ slack
    square = model.coef_[0] @ model.coef_[0] + model.intercept_[0] ** 2
    assert 0.5 * square + losses <= best.dual * (1.0 + 2e-5) + best.gap
    assert model.n_iter_ <= model.max_iter


def no_farther_with_a_margin(X, y, loss):
    """Compare support vector machines: coefficients and penalized intercept."""
    session = SvmSession(X, y, loss=loss, intercept="penalized")
    best = session.solve(1.0, tol=1e-14, max_iter=1e5)
    exact = np.append(best.coef, best.intercept)

    def error(model):
        model.fit(X, y)
        return np.abs(np.append(model.coef_[0], model.intercept_) - exact).max()

    theirs = error(svm.LinearSVC(loss=loss, random_state=0))
    assert error(LinearSVC(loss=loss)) <= theirs + ROUNDING * np.abs(exact).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_logistic_regression_is_no_farther_from_the_optimum(kind, shape):
    no_farther_than_scikit_learn(*generated(kind, shape, 0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(300, 20), (200, 60)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_multinomial_model_is_no_farther_from_the_optimum(kind, shape):
    no_farther_with_three_classes(kind, shape, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(300, 20), (200, 60)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_sparse_model_is_no_farther_from_the_optimum(kind, shape):
    no_farther_with_sparse_models(kind, shape, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_search_is_no_farther_from_the_optimum(kind):
    no_farther_in_a_search(kind, (300, 20), 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(300, 20), (200, 600)])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_support_vector_machine_is_no_farther_from_the_optimum(kind, shape, loss):
    no_farther_with_a_margin(*generated(kind, shape, 0), loss)


@pytest.mark.parametrize(
    ("kind", "shape", "seed", "loss"),
    [
        ("plain", (2000, 30), 5, "squared_hinge"),
        ("rare", (300, 20), 25, "squared_hinge"),
        ("rare", (900, 60), 37, "squared_hinge"),
        ("binary", (300, 20), 3, "hinge"),
        ("binary", (2000, 30), 2, "hinge"),
        ("mixed", (300, 20), 7, "hinge"),
    ],
)
def test_last_steps_are_taken_where_liblinear_is_exact(kind, shape, seed, loss):
    no_farther_with_a_margin(*generated(kind, shape, seed), loss)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_support_vector_machine_is_within_its_tolerance(kind, loss):
    objective_is_within_tol(*generated(kind, (2000, 30), 0), loss)
    objective_is_within_tol(*generated(kind, (200, 600), 0), loss)


def test_a_rare_class_counts_by_its_own_weight():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((12_020, 10)), np.repeat([1.0, -1.0], [20, 12_000])
    X[:20, :3] += 2.0
    for loss in LOSSES:
        objective_is_within_tol(X, y, loss)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_law_on_200_generated_sets(seed):
    for kind in KINDS:
        for shape in SHAPES:
            no_farther_than_scikit_learn(*generated(kind, shape, seed))
            no_farther_with_three_classes(kind, shape, seed)
            no_farther_with_sparse_models(kind, shape, seed)
            no_farther_in_a_search(kind, shape, seed)
            for loss in LOSSES:
                objective_is_within_tol(*generated(kind, shape, seed), loss)
                no_farther_with_a_margin(*generated(kind, shape, seed), loss)


@pytest.mark.full
@pytest.mark.parametrize("name", SETS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_law_on_stored_sets(name):
    no_farther_than_scikit_learn(*stored(name))
    for loss in LOSSES:
        objective_is_within_tol(*stored(name), loss)
        no_farther_with_a_margin(*stored(name), loss)


@pytest.mark.full
@pytest.mark.parametrize("name", SPARSE_SETS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_law_of_sparse_models_on_stored_sets(name):
    X, y = stored(name)
    no_farther_with_an_l1_part(X, y, 1.0, solver="liblinear")
    for l1_ratio in (1.0, 0.5):
        no_farther_with_an_l1_part(X, y, l1_ratio, solver="saga")


@pytest.mark.full
@pytest.mark.parametrize("name", SEVERAL_CLASSES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_law_of_several_classes_on_stored_sets(name):
    data = load(name)
    no_farther_with_classes(data.X, np.unique(data.y, return_inverse=True)[1])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_n_iter_never_exceeds_max_iter():
    X, y = generated("scaled", (300, 20), 5)
    for most in (1, 3, 10, 100):
        for C in (0.01, 100.0):
            assert LinearSVC(loss="hinge", C=C, max_iter=most).fit(X, y).n_iter_ <= most


@pytest.mark.parametrize(
    ("tol", "share"), [(1e-2, 1e-2), (1e-3, 1e-5), (1e-4, 1e-8), (1e-6, 1e-10)]
)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_loose_tolerance_of_a_logistic_regression_means_what_it_says(tol, share, classes):
    X, _ = generated("plain", (900, 60), 0)
    y = np.arange(len(X)) % classes
    model = LogisticRegression(tol=tol).fit(X, y)
    null = len(X) * np.log(classes)
    np.testing.assert_allclose(model.certificate_.target, share * null, rtol=1e-6)
