"""Every place gives the answer of the solvers in memory, with the same certificate."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from banditcd.places import multinomial, smooth, tasks
from banditcd.places.blocks import ArrayPlace
from banditcd.places.class_pool import ClassPoolLoop
from banditcd.places.class_tasks import class_look
from banditcd.places.disk import FilePlace
from banditcd.places.elastic_net import ElasticNetLoop
from banditcd.places.logistic import STEPS, LogisticLoop, PointSums
from banditcd.places.multinomial import MultinomialLoop
from banditcd.places.penalties import ColumnPenalties
from banditcd.places.place import class_readings, one
from banditcd.places.smooth import SmoothLoop
from banditcd.solvers import (
    ElasticNetSession,
    L2LogisticSession,
    L2MultinomialSession,
    LogisticSession,
    MultinomialSession,
    RidgeSession,
    SvmSession,
)

N, D = 300, 60
TOL = 1e-9
RNG = np.random.default_rng(7)
X = np.where(RNG.random((N, D)) < 0.6, RNG.standard_normal((N, D)), 0.0) + 0.2 * (
    np.arange(D) % 3 == 0
)
Y = X[:, :8] @ RNG.standard_normal(8) + RNG.standard_normal(N) + 1.5
LABELS = np.where(Y > 1.5, 1.0, -1.0)
CLASSES = np.digitize(Y + X[:, 9], [0.0, 2.0, 3.5]).astype(np.float64)
WEIGHT = RNG.integers(1, 4, N).astype(np.float64)
OPTIONS = {
    "plain": {},
    "penalty weights": {"penalty_weights": np.where(np.arange(D) % 7 == 0, 3.0, 1.0)},
    "excluded": {"penalty_weights": np.where(np.arange(D) % 5 == 0, np.inf, 1.0)},
    "bounds": {"lower": np.full(D, -0.1), "upper": np.full(D, 0.3)},
    "positive": {"lower": np.zeros(D)},
}


def penalties(options):
    return ColumnPenalties(
        D, options.get("penalty_weights"), options.get("lower"), options.get("upper")
    )


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(("ratio", "intercept"), [(1.0, True), (0.6, True), (1.0, False)])
def test_elastic_net(make_place, options, ratio, intercept):
    chosen = OPTIONS[options]
    reference = ElasticNetSession(X, Y, fit_intercept=intercept, **chosen)
    alpha = reference.largest_penalty() / 20
    exact = reference.solve(alpha * ratio, alpha * (1 - ratio), tol=1e-13)
    loop = ElasticNetLoop(make_place(X, Y), penalties(chosen), fit_intercept=intercept)
    assert loop.largest_penalty() == pytest.approx(N * reference.largest_penalty())
    result = loop.solve(N * alpha * ratio, N * alpha * (1 - ratio), tol=TOL)
    assert result.status == "converged"
    assert result.primal / N == pytest.approx(exact.primal, rel=1e-7)
    assert result.primal / N - exact.primal <= result.gap / N + 1e-12
    assert result.gap <= result.target == pytest.approx(TOL * loop.null_objective)
    np.testing.assert_allclose(result.coef, exact.coef, atol=2e-4)


@pytest.mark.parametrize("options", ["plain", "bounds", "excluded"])
@pytest.mark.parametrize(("ratio", "intercept"), [(1.0, True), (0.6, True), (1.0, False)])
def test_logistic(make_place, options, ratio, intercept):
    chosen = OPTIONS[options]
    reference = LogisticSession(X, LABELS, fit_intercept=intercept, **chosen)
    alpha = reference.largest_penalty() / 20
    exact = reference.solve(alpha * ratio, alpha * (1 - ratio), tol=1e-12)
    loop = LogisticLoop(make_place(X, LABELS), penalties(chosen), fit_intercept=intercept)
    result = loop.solve(N * alpha * ratio, N * alpha * (1 - ratio), tol=TOL)
    assert result.status == "converged"
    assert result.primal / N - exact.primal <= result.gap / N + 1e-12
    np.testing.assert_allclose(result.coef, exact.coef, atol=2e-4)


@pytest.mark.parametrize("most", [4096, 10])
def test_smooth(make_place, most, monkeypatch):
    """Newton's matrix, or products with it where there are too many columns."""
    monkeypatch.setattr(smooth, "MOST_COLUMNS", most)
    ridge = SmoothLoop(make_place(X, Y), "squared").solve(5.0, tol=TOL)
    exact = RidgeSession(X, Y, fit_intercept=True).solve(5.0 / N, tol=1e-13)[0]
    np.testing.assert_allclose(ridge.coef, exact.coef, atol=1e-4)
    assert ridge.primal / N - exact.primal <= ridge.gap / N + 1e-12
    logistic = SmoothLoop(make_place(X, LABELS), "logistic").solve(2.0, tol=TOL)
    exact = L2LogisticSession(X, LABELS, fit_intercept=True).solve(2.0 / N, tol=1e-13)
    np.testing.assert_allclose(logistic.coef, exact.coef, atol=1e-4)
    assert logistic.primal / N - exact.primal <= logistic.gap / N + 1e-12
    loop = SmoothLoop(make_place(X, LABELS), "squared_hinge", intercept="penalized")
    hinge = loop.solve(2.0, tol=TOL)
    exact = SvmSession(X, LABELS, intercept="penalized").solve(0.5, tol=1e-13)
    np.testing.assert_allclose(hinge.coef, exact.coef, atol=1e-4)
    assert {ridge.status, logistic.status, hinge.status} == {"converged"}


@pytest.mark.parametrize("tol", [1e-3, 1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_products_go_on_until_the_gap_is_reached(loss, tol, monkeypatch):
    """Far from the origin the gap is a multiple of the gradient that conjugate gradients see."""
    monkeypatch.setattr(smooth, "MOST_COLUMNS", 10)
    for offset in (0.0, 1.0, 10.0):
        loop = SmoothLoop(ArrayPlace(X + offset, Y if loss == "squared" else LABELS), loss)
        assert [loop.solve(l2, tol=tol).status for l2 in (300.0, 3.0)] == ["converged"] * 2


@pytest.mark.parametrize(("most", "intercept"), [(4096, True), (10, True), (4096, False)])
def test_multinomial(make_place, most, intercept, monkeypatch):
    """Preconditioned by the Gram matrix, or by its diagonal; zero-sum over the classes."""
    monkeypatch.setattr(multinomial, "MOST_COLUMNS", most)
    reference = L2MultinomialSession(X, CLASSES, 4, fit_intercept=intercept, sample_weight=WEIGHT)
    place = make_place(X, CLASSES, WEIGHT)
    loop = MultinomialLoop(place, 4, fit_intercept=intercept)
    for l2 in (20.0, 2.0) if most > D else (20.0,):  # a diagonal takes many rounds
        exact = reference.solve(l2 / N, tol=1e-13)
        result = loop.solve(l2, tol=TOL)
        assert result.status == "converged"
        assert result.gap <= result.target == pytest.approx(exact.target * N * TOL / 1e-13)
        assert -1e-12 <= result.primal / N - exact.primal <= result.gap / N + 1e-12
        np.testing.assert_allclose(result.coef, exact.coef, atol=1e-4)
        np.testing.assert_allclose(result.intercept, exact.intercept, atol=1e-4)
        assert result.passes < 100 * class_readings(place, 4, with_scores=True)


@pytest.mark.parametrize(
    ("options", "ratio", "intercept"),
    [("plain", 1.0, True), ("plain", 0.6, False), ("bounds", 1.0, True), ("excluded", 0.6, True)],
)
def test_sparse_multinomial(make_place, options, ratio, intercept):
    chosen = OPTIONS[options]
    reference = MultinomialSession(
        np.asfortranarray(X), CLASSES, 4, fit_intercept=intercept, sample_weight=WEIGHT, **chosen
    )
    place = make_place(X, CLASSES, WEIGHT)
    loop = ClassPoolLoop(place, penalties(chosen), 4, fit_intercept=intercept)
    assert loop.largest_penalty() == pytest.approx(N * reference.largest_penalty())
    for share in (4.0, 20.0):
        alpha = reference.largest_penalty() / share
        exact = reference.solve(alpha * ratio, alpha * (1 - ratio), tol=1e-12)
        result = loop.solve(N * alpha * ratio, N * alpha * (1 - ratio), tol=TOL)
        assert result.status == "converged"
        assert -1e-12 <= result.primal / N - exact.primal <= result.gap / N + 1e-12
        assert result.gap <= result.target == pytest.approx(exact.target * N * TOL / 1e-12)
        here, there = (W - W.mean(axis=0) for W in (result.coef, exact.coef))  # what is unique
        np.testing.assert_allclose(here, there, atol=1e-3)
        np.testing.assert_allclose(result.intercept, exact.intercept, atol=1e-3)
        assert result.n_iter <= 12


@pytest.mark.parametrize(("order", "readings"), [("C", 1.0), ("F", 2.0)])
def test_one_reading_of_a_file_serves_all_classes(tmp_path, order, readings):
    """By columns it takes two: the scores must be whole before the pulls are known."""
    np.save(tmp_path / "X.npy", np.asarray(X, order=order))
    place = FilePlace(np.load(tmp_path / "X.npy", mmap_mode="r"), CLASSES)
    one(place, class_look, (np.ones((4, D)), np.zeros(4)))
    assert place.reads == pytest.approx(readings)


def test_a_multinomial_limit_keeps_a_true_certificate(make_place):
    exact = L2MultinomialSession(X, CLASSES, 4, fit_intercept=True).solve(1.0 / N, tol=1e-13)
    loop = MultinomialLoop(make_place(X, CLASSES), 4, fit_intercept=True)
    result = loop.solve(1.0, tol=1e-12, max_iter=2)
    assert result.status == "max_iter"
    assert 0.0 < result.primal / N - exact.primal <= result.gap / N < np.inf


def test_weights_equal_repetition(make_place):
    weighted = ElasticNetLoop(make_place(X, Y, WEIGHT), ColumnPenalties(D), fit_intercept=True)
    rows = np.repeat(np.arange(N), WEIGHT.astype(int))
    repeated = ElasticNetSession(X[rows], Y[rows], fit_intercept=True)
    l1 = repeated.largest_penalty() / 10
    exact = repeated.solve(l1, tol=1e-13)
    result = weighted.solve(len(rows) * l1, 0.0, tol=TOL)
    np.testing.assert_allclose(result.coef, exact.coef, atol=1e-4)
    assert result.intercept == pytest.approx(exact.intercept, abs=1e-4)


def test_a_path_is_warm_and_the_same_bits_come_twice(make_place):
    def path():
        loop = ElasticNetLoop(make_place(X, Y), ColumnPenalties(D), fit_intercept=True)
        grid = loop.largest_penalty() * np.logspace(0, -2, 8)
        return [loop.solve(l1, 0.0, tol=TOL) for l1 in grid] + [loop.solve(grid[-1], 0.0, tol=TOL)]

    first, second = path(), path()
    assert all(result.status == "converged" for result in first)
    assert first[-1].n_iter == 0  # it was solved already
    for a, b in zip(first, second, strict=True):
        assert np.array_equal(a.coef, b.coef)


def test_limits_keep_a_true_certificate(make_place):
    loop = LogisticLoop(make_place(X, LABELS), ColumnPenalties(D), fit_intercept=True)
    l1 = loop.largest_penalty() / 50
    exact = LogisticSession(X, LABELS, fit_intercept=True).solve(l1 / N, tol=1e-12)
    result = loop.solve(l1, 0.0, tol=1e-12, max_iter=1)
    assert result.status == "max_iter"
    assert result.primal / N - exact.primal <= result.gap / N


def test_traffic_is_counted(make_place):
    place = make_place(X, Y)
    loop = ElasticNetLoop(place, ColumnPenalties(D), fit_intercept=True)
    result = loop.solve(loop.largest_penalty() / 10, 0.0, tol=1e-6)
    assert place.traffic.passes >= 1.0 + result.n_iter
    assert 1 + result.n_iter <= place.traffic.rounds <= 1 + place.gathers + 2 * result.n_iter
    assert place.traffic.bytes_moved > 0


@pytest.mark.parametrize(("share", "more"), [(10, 2), (3, 1)])
def test_few_rounds_of_a_logistic_fit(make_place, share, more):
    """Where X is read anyway, a bin is a trial, which brings a small Gram matrix for the next one.

    A larger matrix takes a round of its own; certificates take none.
    """
    place = make_place(X, LABELS)
    loop = LogisticLoop(place, ColumnPenalties(D), fit_intercept=True)
    result = loop.solve(loop.largest_penalty() / share, 0.0, tol=1e-6)
    assert result.status == "converged"
    assert result.n_iter <= 5
    most = (2 * STEPS + 1) * result.n_iter if place.gathers else 2 + more * result.n_iter
    assert place.traffic.rounds <= 1 + most
    if not place.gathers:
        assert result.pool_size < 2 * result.support


@pytest.mark.parametrize("scale", [1.0, 0.99, 0.5, 0.01])
@pytest.mark.parametrize("balance", [-1.0, -0.1, 0.0, 1e-3, 0.7])
def test_sums_at_a_point_bound_the_entropies_of_dual_points(balance, scale):
    model = (np.arange(5), np.array([2.0, -1.0, 0.5, 1.0, 3.0]), 0.3)
    place = ArrayPlace(X, LABELS, WEIGHT)
    sums, _ = one(place, tasks.logistic_trial, model, False)
    least, most = PointSums(*sums).entropies(balance, scale)
    (exact,) = one(place, tasks.logistic_dual, model, balance, scale)
    assert least <= exact + 1e-9
    assert exact <= most + 1e-9
    if scale > 0.98 and abs(balance) < 0.01:
        assert most - least < 1e-2 * exact


def test_sums_of_a_constant_model():
    place, share = ArrayPlace(X, LABELS, WEIGHT), WEIGHT[LABELS > 0].sum() / WEIGHT.sum()
    for intercept in (0.0, 0.8):
        none = (np.empty(0, dtype=np.intp), np.empty(0), intercept)
        sums, _ = one(place, tasks.logistic_trial, none, False)
        np.testing.assert_allclose(PointSums.null(WEIGHT.sum(), share, intercept), sums, rtol=1e-12)


@pytest.mark.parametrize("margin", [-690.0, -40.0, -31.0, -1.0, 0.0, 1e-9, 25.0, 37.5, 700.0])
def test_sums_have_all_their_digits_at_any_margin(margin):
    """Against 800 digits: a difference from 1 has none left where a label is nearly certain."""
    with localcontext(prec=800):
        odds = (-Decimal(margin)).exp()
        q, loss = odds / (1 + odds), (1 + odds).ln()
        bend = odds / (1 + odds) ** 2
        slopes = Decimal(margin) * q, Decimal(margin) * bend
        wanted = [float(value) for value in (loss, q, bend, *slopes, odds, q * q)]
    place = ArrayPlace(np.array([[margin]]), np.ones(1))
    sums, pull, lean = one(place, tasks.logistic_trial, (np.arange(1), np.ones(1), 0.0), True)
    np.testing.assert_allclose(sums, wanted, rtol=1e-14)
    np.testing.assert_allclose([pull[0], lean[0]], margin * np.array(wanted[1:3]), rtol=1e-14)
    _, at, bend = one(place, tasks.smooth_look, "logistic", np.ones(1), 0.0, False)[:3]
    np.testing.assert_allclose([at, bend], wanted[1:3], rtol=1e-14)


def test_responses_far_from_zero(make_place):
    far = Y + 1e6
    exact = ElasticNetSession(X, Y, fit_intercept=True)
    l1 = exact.largest_penalty() / 10
    loop = ElasticNetLoop(make_place(X, far), ColumnPenalties(D), fit_intercept=True)
    result = loop.solve(N * l1, 0.0, tol=TOL)
    assert result.status == "converged"
    np.testing.assert_allclose(result.coef, exact.solve(l1, tol=1e-13).coef, atol=1e-4)
    assert loop.null_objective == pytest.approx(0.5 * N * np.var(Y), rel=1e-7)


def test_a_free_squared_hinge_is_refused(make_place):
    with pytest.raises(ValueError, match="unpenalized intercept is solved in memory only"):
        SmoothLoop(make_place(X, LABELS), "squared_hinge", intercept="free")


def test_a_step_that_leaves_float64_is_cut(monkeypatch):
    """A trial whose losses are not a number is no better than the point it came from."""
    trial, broken = tasks.logistic_trial, [True]

    def overflowing(*arguments):
        sums, *rest = trial(*arguments)
        return sums * np.nan if broken and broken.pop() else sums, *rest

    monkeypatch.setattr(tasks, "logistic_trial", overflowing)
    loop = LogisticLoop(ArrayPlace(X, LABELS), ColumnPenalties(D), fit_intercept=True)
    assert np.isfinite(loop.solve(0.02 * N, 0.0, tol=TOL, max_iter=1).primal)
    assert not broken
    assert loop.solve(0.02 * N, 0.0, tol=TOL).status == "converged"
