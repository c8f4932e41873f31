"""LinearSVR: scikit-learn's model, certified, by the native solver or any selector."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn import svm
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from banditcd import LinearSVR, solvers

RNG = np.random.default_rng(12)
X = RNG.standard_normal((60, 5)) + 0.5
Y = X @ np.array([1.0, -2.0, 0.0, 0.5, 3.0]) + 0.5 * RNG.standard_normal(60) + 2.0
WEIGHT = RNG.uniform(0.0, 2.0, 60) * (np.arange(60) % 7 > 0)
LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")
STORES = {
    "c": np.asarray,
    "fortran": np.asfortranarray,
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_array,
}


def objective(model, weight=None):
    """Return the documented objective of a fitted model."""
    u = np.maximum(np.abs(Y - model.predict(X)) - model.epsilon, 0.0)
    loss = (np.ones(60) if weight is None else weight) @ (u if model.loss == LOSSES[0] else u * u)
    bias = 0.0
    if model.fit_intercept and model.penalize_intercept:
        bias = 0.5 * float(model.intercept_[0] / model.intercept_scaling) ** 2
    return 0.5 * model.coef_ @ model.coef_ + bias + model.C * loss


def test_words_and_defaults_are_scikit_learns():
    theirs = inspect.signature(svm.LinearSVR).parameters
    ours = inspect.signature(LinearSVR).parameters
    assert list(ours)[: len(theirs)] == list(theirs)
    for name, parameter in theirs.items():
        assert ours[name].default == parameter.default, name


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("intercept", [{}, {"intercept_scaling": 3.0}, {"fit_intercept": False}])
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_model_is_scikit_learns(loss, weight, intercept, epsilon):
    options = {"loss": loss, "epsilon": epsilon, "C": 0.5, **intercept}
    theirs = svm.LinearSVR(dual=True, tol=1e-11, max_iter=10**7, random_state=0, **options)
    theirs.fit(X, Y, sample_weight=weight)
    for store in STORES.values():
        ours = LinearSVR(tol=1e-11, **options).fit(store(X), Y, sample_weight=weight)
        assert ours.certificate_.converged
        assert ours.coef_.shape == theirs.coef_.shape
        assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-5)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-5)
        np.testing.assert_allclose(ours.predict(store(X)), theirs.predict(X), atol=1e-4)
        assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), abs=1e-5)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("penalize", [True, False])
def test_certificate_is_that_of_the_documented_objective(loss, penalize):
    exact = LinearSVR(epsilon=0.2, loss=loss, penalize_intercept=penalize, tol=1e-12)
    optimum = objective(exact.fit(X, Y, sample_weight=WEIGHT), WEIGHT)
    for tol in (1e-1, 1e-3):
        # A wide matrix of zeros beside X: problems as small as X alone are solved beyond tol.
        wide = sparse.csr_matrix(np.hstack([X, np.zeros((60, 100))]) + 0.0)
        model = clone(exact).set_params(tol=tol).fit(wide, Y, sample_weight=WEIGHT)
        proof = model.certificate_
        assert proof.gap <= proof.target
        assert proof.dual <= optimum * (1.0 + 1e-9)
        assert proof.primal - optimum <= proof.gap + 1e-9 * optimum
        assert model.dual_gap_ == proof.gap
        assert proof.primal - proof.dual == pytest.approx(proof.gap)
    assert exact.certificate_.primal == pytest.approx(optimum, rel=1e-9)


def test_a_weak_penalty_of_the_intercept_is_hardly_one():
    for loss in LOSSES:
        free = LinearSVR(loss=loss, penalize_intercept=False, tol=1e-10).fit(X, Y)
        weak = LinearSVR(loss=loss, intercept_scaling=1e3, tol=1e-10).fit(X, Y)
        np.testing.assert_allclose(free.coef_, weak.coef_, atol=1e-3)
        assert free.intercept_ == pytest.approx(weak.intercept_, abs=1e-2)


@pytest.mark.parametrize("name", ["b_max_r", "uniform", "shuffled", "acf", "sqrt_r"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", [True, False])
def test_any_selector_reaches_the_same_certificate(name, kind, loss, intercept):
    options = {"loss": loss, "epsilon": 0.2, "fit_intercept": intercept, "intercept_scaling": 2.0}
    model = LinearSVR(C=0.1, tol=1e-5, max_iter=20_000, **options)
    native = clone(model).fit(kind(X), Y, sample_weight=WEIGHT)
    model.set_params(selector=name, random_state=0).fit(kind(X), Y, sample_weight=WEIGHT)
    ours, other = model.certificate_, native.certificate_
    assert ours.regime == name
    assert ours.converged
    assert ours.target == pytest.approx(other.target)
    assert max(ours.dual, other.dual) <= min(ours.primal, other.primal) * (1.0 + 1e-12)
    assert ours.primal == pytest.approx(objective(model, WEIGHT), rel=1e-9)


@pytest.mark.parametrize("selector", ["auto", "cyclic"])
def test_a_tube_around_all_responses_is_the_zero_model(selector):
    model = LinearSVR(epsilon=100.0, selector=selector).fit(X, Y)
    assert not model.coef_.any()
    assert model.certificate_.gap == 0.0
    assert model.certificate_.converged


@pytest.mark.parametrize("selector", ["auto", "cyclic"])
def test_histories(selector):
    model = LinearSVR(selector=selector, record_history=True, max_iter=5000, C=0.1).fit(X, Y)
    trace = model.history_
    assert trace.gap[-1] == pytest.approx(model.dual_gap_, abs=1e-12)
    assert trace.objective[-1] == pytest.approx(model.certificate_.primal)
    assert np.all(np.diff(trace.seconds) >= 0.0)
    assert not hasattr(model.set_params(record_history=False).fit(X, Y), "history_")


def test_callbacks():
    callback = pytest.importorskip("sklearn.callback", reason="needs scikit-learn >= 1.9")
    assert issubclass(LinearSVR, callback.CallbackSupportMixin)
    seen = []

    class Recorder:
        def setup(self, estimator, context):
            seen.append("setup")

        def teardown(self, estimator, context):
            seen.append("teardown")

        def on_fit_task_begin(self, estimator, context):
            seen.append("begin")

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            if fitted_estimator is not None and hasattr(fitted_estimator, "coef_"):
                assert fitted_estimator.predict(X).shape == (60,)
                seen.append("model")
            seen.append("end")
            return False

    LinearSVR().set_callbacks(Recorder()).fit(X, Y)
    assert seen[0] == "setup"
    assert seen[-1] == "teardown"
    assert "model" in seen
    assert seen.count("begin") == seen.count("end")


def test_pickles_names_types_and_searches():
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = LinearSVR(epsilon=0.1).fit(frame, Y)
    assert list(model.feature_names_in_) == list("abcde")
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    assert again.certificate_ == model.certificate_
    single = LinearSVR(epsilon=0.1).fit(X.astype(np.float32), Y)
    assert single.coef_.dtype == np.float64
    assert single.predict(X.astype(np.float32)).dtype == np.float64  # as in scikit-learn
    np.testing.assert_allclose(single.coef_, model.coef_, atol=1e-4)
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), LinearSVR()), {"linearsvr__C": [1e-6, 1.0]}, cv=3
    ).fit(X, Y)
    assert grid.best_params_ == {"linearsvr__C": 1.0}
    assert grid.best_score_ > 0.9


def test_the_response_may_be_in_any_unit():
    """Centimeters or kilometers, far from zero or not: predictions follow."""
    plain = LinearSVR(penalize_intercept=False, tol=1e-9).fit(X, Y)
    for unit, shift in ((1e-6, 0.0), (1e5, 0.0), (1.0, 1e6)):
        model = LinearSVR(C=unit, penalize_intercept=False, tol=1e-9).fit(X, unit * Y + shift)
        expected = unit * plain.predict(X) + shift
        np.testing.assert_allclose(model.predict(X), expected, atol=1e-4 * unit, rtol=1e-9)


BAD = [
    ({"loss": "hinge"}, "loss is 'hinge'; it must be one of epsilon_insensitive"),
    ({"epsilon": -0.1}, "epsilon is -0.1; it must be a number, at least 0 and finite"),
    ({"epsilon": np.inf}, "epsilon is inf"),
    ({"C": 0.0}, "C is 0.0; it must be a number, greater than 0"),
    ({"dual": "maybe"}, "dual is 'maybe'"),
    ({"intercept_scaling": 0.0}, "intercept_scaling is 0.0"),
    ({"selector": "magic"}, "Unknown selector 'magic'"),
    ({"selector": "cyclic", "penalize_intercept": False}, "an unpenalized intercept"),
    ({"solver": "fast", "selector": "cyclic"}, "solver='fast' chooses its coordinates"),
]


@pytest.mark.parametrize(("options", "sentence"), BAD)
def test_bad_parameters_have_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        LinearSVR(**options).fit(X, Y)


def test_bad_data_have_a_sentence():
    with pytest.raises(ValueError, match="NaN"):
        LinearSVR().fit(X, np.where(np.arange(60) == 3, np.nan, Y))
    with pytest.raises(ValueError, match="squares overflow"):
        LinearSVR().fit(X, 1e200 * Y)
    with pytest.raises(ValueError, match="negative values"):
        LinearSVR().fit(X, Y, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match="1d array"):
        LinearSVR().fit(X, np.column_stack([Y, Y]))


def test_limits_warn():
    with pytest.warns(ConvergenceWarning, match="increase the number of iterations"):
        LinearSVR(selector="cyclic", max_iter=1, tol=1e-12).fit(X, Y)


def test_an_interrupt_leaves_the_estimator_unfitted(monkeypatch):
    model = LinearSVR().fit(X, Y)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(solvers.svr.SvrSession, "solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, Y)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        model.predict(X)
