"""Estimators on arrays of a GPU, with a NumPy double of CuPy in its place.

The double's arrays are NumPy's under another name, so that every branch for arrays on a card runs;
that the kernels themselves are right is measured by ``python -m benchmarks.gpu``.
"""

import numpy as np
import pytest

from banditcd import Lasso, LinearSVC, LogisticRegression, Ridge
from banditcd.places import smooth
from banditcd.places.card import CardPlace
from banditcd.places.card_columns import CardColumns
from banditcd.places.elastic_net import ElasticNetLoop
from banditcd.places.logistic import LogisticLoop
from banditcd.places.penalties import ColumnPenalties
from banditcd.places.smooth import SmoothLoop
from tests.places.doubles import Array, NumpyCalls

RNG = np.random.default_rng(5)
X = RNG.standard_normal((200, 20))
Y = X[:, :4] @ RNG.standard_normal(4) + RNG.standard_normal(200)
LABELS = (Y > 0.0).astype(int)
MODELS = [
    (Lasso(0.05, tol=1e-9), Y),
    (Ridge(2.0, tol=1e-10), Y),
    (LogisticRegression(l1_ratio=1.0, C=0.2, tol=1e-9), LABELS),
    (LogisticRegression(C=0.2, tol=1e-10), LABELS),
    (LinearSVC(C=0.1, tol=1e-10), LABELS),
]


@pytest.mark.parametrize(("model", "y"), MODELS, ids=lambda part: str(part)[:40])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_answer_is_that_of_memory(cupy, model, y, weighted):
    weight = np.random.default_rng(0).random(200) + 0.5 if weighted else None
    here = type(model)(**model.get_params()).fit(X, y, sample_weight=weight)
    there = type(model)(**model.get_params())
    there.fit(
        cupy.asarray(X),
        cupy.asarray(y),
        sample_weight=None if weight is None else cupy.asarray(weight),
    )
    np.testing.assert_allclose(np.asarray(there.coef_), here.coef_, atol=1e-4)
    assert there.certificate_.converged
    assert there.certificate_.rounds > 0
    assert isinstance(there.coef_, Array)
    np.testing.assert_allclose(there.predict(X), here.predict(X), atol=1e-3)
    assert there.sparse_coef_.shape == (1, 20)
    found = there.predict(cupy.asarray(X))
    assert isinstance(found, Array)
    np.testing.assert_allclose(np.asarray(found), here.predict(X), atol=1e-3)
    assert there.score(cupy.asarray(X), cupy.asarray(y)) == pytest.approx(
        here.score(X, y), abs=0.01
    )


@pytest.mark.parametrize("seed", [8, 26, 44])
def test_a_last_step_below_the_rounding_of_the_objective_is_taken(cupy, seed):
    """It was refused where rounding made the objective larger, and the fit called stalled."""
    weight = np.random.default_rng(seed).random(200) + 0.5
    model = LogisticRegression(l1_ratio=1.0, C=0.2, tol=1e-9)
    model.fit(cupy.asarray(X), cupy.asarray(LABELS), sample_weight=cupy.asarray(weight))
    assert model.certificate_.converged


def test_values_that_are_not_finite_are_refused(cupy):
    bad = X.copy()
    bad[3, 4] = np.inf
    with pytest.raises(ValueError, match="not finite"):
        Lasso().fit(cupy.asarray(bad), cupy.asarray(Y))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_coefficients_have_the_type_of_x(cupy, dtype):
    model = LogisticRegression(C=0.2).fit(cupy.asarray(X, dtype=dtype), cupy.asarray(LABELS))
    assert isinstance(model.intercept_, Array)
    assert model.coef_.dtype == model.intercept_.dtype == dtype
    again = model.set_params(warm_start=True).fit(X, LABELS)
    assert type(again.coef_) is np.ndarray


FORMS = {
    "a slice that is not contiguous": lambda cupy: cupy.asarray(np.repeat(X, 2, axis=1))[:, ::2],
    "integers": lambda cupy: cupy.asarray(np.round(3.0 * X).astype(np.int32)),
    "half precision": lambda cupy: cupy.asarray(X.astype(np.float16)),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(("model", "y"), MODELS, ids=lambda part: str(part)[:40])
def test_arrays_of_any_layout_and_real_type_are_read_rightly(cupy, model, y, form):
    there, placed = type(model)(**model.get_params()), form(cupy)
    plain = np.ascontiguousarray(np.asarray(placed), dtype=np.float64)
    here = type(model)(**model.get_params()).fit(plain, y)
    there.fit(placed, cupy.asarray(y))
    np.testing.assert_allclose(np.asarray(there.coef_), here.coef_, atol=1e-4)
    np.testing.assert_allclose(np.asarray(there.predict(placed)), here.predict(plain), atol=1e-2)


def test_words_as_labels_are_predicted_as_words(cupy):
    words = np.where(LABELS == 1, "yes", "no")
    model = LogisticRegression(C=0.2).fit(cupy.asarray(X), words)
    assert set(model.predict(cupy.asarray(X))) == {"yes", "no"}


def test_complex_values_are_refused(cupy):
    with pytest.raises(ValueError, match="real numbers"):
        Lasso().fit(cupy.asarray(X.astype(complex)), cupy.asarray(Y))


class CountedCalls(NumpyCalls):
    """Counts the passes over X, and how often the host waits for results."""

    def __init__(self):
        self.count = self.waits = 0

    def host(self, values):
        self.waits += 1
        return super().host(values)

    def passed(self, *arguments, **named):
        self.count += 1
        return super().passed(*arguments, **named)

    def times(self, *arguments):
        self.count += 1
        return super().times(*arguments)


@pytest.mark.parametrize(
    ("loss", "intercept"),
    [
        ("squared", "free"),
        ("squared", "none"),
        ("logistic", "free"),
        ("squared_hinge", "penalized"),
    ],
)
def test_a_look_of_a_smooth_loss_is_a_product_and_one_pass(loss, intercept):
    """A zero model needs no product; the curvatures share the pass of the pulls."""
    calls = CountedCalls()
    loop = SmoothLoop(CardPlace(X, np.sign(Y), calls=calls), loss, intercept=intercept)
    assert calls.count == 1
    calls.count = 0
    loop.read(np.ones(X.shape[1]), 0.1)
    assert calls.count == 2


@pytest.mark.parametrize(("loss", "intercept"), [("squared", "free"), ("logistic", "none")])
def test_passes_are_the_readings_of_x(loss, intercept, monkeypatch):
    """A product with X and one with its transpose are two, as X does not stay at hand."""
    monkeypatch.setattr(smooth, "MOST_COLUMNS", 10)
    calls = CountedCalls()
    place = CardPlace(X, np.sign(Y), calls=calls)
    result = SmoothLoop(place, loss, intercept=intercept).solve(3.0, tol=1e-9)
    assert result.status == "converged"
    assert place.traffic.passes == calls.count
    assert place.traffic.rounds <= 3 + 2 * result.n_iter
    assert loss != "squared" or result.n_iter == 1


@pytest.mark.parametrize(("l2", "rare"), [(15.0, 0.1), (1500.0, 0.01)])
def test_products_get_as_close_as_the_intercept_needs(l2, rare, monkeypatch):
    """An intercept weighs more in the gap than in the gradient: runs ended before it counted."""
    monkeypatch.setattr(smooth, "MOST_COLUMNS", 0)
    rng = np.random.default_rng(0)
    factors = 0.5 * rng.standard_normal((1500, 16)) @ rng.standard_normal((16, 300))
    A = np.asfortranarray(rng.standard_normal((1500, 300)) + factors)
    z = A[:, :50] @ rng.standard_normal(50)
    labels = np.where(z > np.quantile(z, rare), 1.0, -1.0)
    loop = SmoothLoop(CardPlace(A, labels, calls=NumpyCalls()), "logistic")
    assert loop.solve(l2, tol=1e-6).status == "converged"


def test_columns_of_any_order_and_shift_are_those_of_x():
    """Columns are kept less the first shifts they were asked for with."""
    columns, weight = CardColumns(X, X.shape, NumpyCalls()), RNG.random(200)
    first, more = np.array([3, 7, 2]), np.array([7, 11, 3])
    for shift in (X.mean(axis=0), None, X.max(axis=0)):
        A = X if shift is None else X - shift
        found = columns.gram(first, more, weight, shift)
        np.testing.assert_allclose(found, A[:, first].T @ (weight[:, None] * A[:, more]))
        gram, (sums,) = columns.gram_and_sums(more, weight, (weight,), shift)
        np.testing.assert_allclose(gram, A[:, more].T @ (weight[:, None] * A[:, more]))
        np.testing.assert_allclose(sums, weight @ A[:, more])
        for coef in (RNG.random(3), RNG.random((3, 2))):
            np.testing.assert_allclose(columns.times(more, coef), X[:, more] @ coef)


def test_responses_and_weights_that_are_not_contiguous():
    pair = np.stack([Y, RNG.random(200) + 0.5], axis=1)
    loops = [
        ElasticNetLoop(CardPlace(X, y, s, NumpyCalls()), ColumnPenalties(20), fit_intercept=True)
        for y, s in ((pair[:, 0], pair[:, 1]), (pair[:, 0].copy(), pair[:, 1].copy()))
    ]
    here, there = (loop.solve(5.0, 0.0, tol=1e-9).coef for loop in loops)
    np.testing.assert_array_equal(here, there)


NEEDS_MORE = {
    "a copy of integers": (lambda cupy: cupy.asarray(np.ones((200, 20), dtype=int)), Lasso()),
    "a copy of a slice": (lambda cupy: cupy.asarray(np.repeat(X, 2, axis=1))[:, ::2], Ridge()),
    "columns of the pool": (lambda cupy: cupy.asarray(X), Lasso(0.05)),
    "the Gram matrix": (lambda cupy: cupy.asarray(X), Ridge()),
}


@pytest.mark.parametrize(("form", "model"), NEEDS_MORE.values(), ids=NEEDS_MORE)
def test_memory_that_is_not_there_is_named_before_it_is_asked_for(cupy, form, model, monkeypatch):
    monkeypatch.setattr(NumpyCalls, "free", 1e4)
    with pytest.raises(MemoryError, match=r"GB are needed on the card, and 1e-05 GB are free"):
        model.fit(form(cupy), cupy.asarray(Y))


def test_a_ridge_of_tolerance_zero_ends_where_rounding_does(monkeypatch):
    monkeypatch.setattr(smooth, "MOST_COLUMNS", 10)
    result = SmoothLoop(CardPlace(X, Y, calls=NumpyCalls()), "squared").solve(3.0, tol=0.0)
    assert np.isfinite(result.coef).all()
    assert result.gap < 1e-20 * result.primal


@pytest.mark.parametrize("loop_of", [ElasticNetLoop, LogisticLoop])
def test_a_round_waits_for_the_card_once(loop_of):
    calls = CountedCalls()
    place = CardPlace(X, np.sign(Y), calls=calls)
    loop = loop_of(place, ColumnPenalties(20), fit_intercept=True)
    assert loop.solve(loop.largest_penalty() / 20.0, 0.0, tol=1e-9).status == "converged"
    assert calls.waits == place.traffic.rounds
