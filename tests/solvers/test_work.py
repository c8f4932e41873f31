"""The bound on work without progress: tiny problems at extreme settings, counted, not timed.

What a solve did is in its native report: epochs over the pool, Newton steps, and passes.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd import MultiTaskElasticNet
from banditcd.solvers import ElasticNetSession, GroupSession, LogisticSession, MultinomialSession

KINDS = ["plain", "low rank", "heavy tails", "sparse", "correlated", "duplicates", "far"]
MOST = 2e9  # multiplications: a fraction of a second
SESSIONS = {
    "elastic_net": (ElasticNetSession, lambda y: y),
    "logistic": (LogisticSession, lambda y: np.where(y > np.median(y), 1.0, -1.0)),
}
SETTINGS = [(1e-12, 1e-6), (1e-2, 1e-9), (1e-12, 1e-2)]  # tol, and a share of the largest penalty


def drawn(kind: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(6, 180)), int(rng.integers(2, 400))
    X = rng.standard_normal((n, d))
    if kind == "low rank":
        X = X[:, :3] @ rng.standard_normal((min(3, d), d))
    elif kind == "heavy tails":
        X = rng.standard_t(1.0, (n, d))
    elif kind == "sparse":
        X = X * (rng.random((n, d)) < 0.1)
    elif kind == "correlated":
        X = rng.standard_normal((n, 1)) + 0.1 * X
    elif kind == "duplicates":
        X = X[:, rng.integers(0, d, d)]
    elif kind == "far":
        X = X + 1e6
    return X


def response(X: np.ndarray, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return X @ rng.standard_normal(X.shape[1]) + rng.standard_t(1.0, len(X))


def stored(X: np.ndarray, seed: int):
    return [np.asfortranarray, sparse.csc_matrix, lambda A: A.astype(np.float32)][seed % 3](X)


def free_columns(d: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([0.0, 1.0, 1.0, 1.0, 0.01, 100.0], d)


def work(report, entries: int) -> float:
    pool = report.pool_size
    return report.passes * entries + (report.epochs + report.newtons) * float(pool) ** 2


def reports(session, l1: np.ndarray, l2: float, tol: float):
    n, d = session.shape
    coef = np.empty(d)
    return [session._native.solve(n * a, n * l2 * a, tol, 1000, np.inf, coef) for a in l1]


@pytest.mark.parametrize("l2", [0.0, 1e-3])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", ["elastic_net", "logistic"])
def test_no_solve_of_a_tiny_problem_works_on_without_progress(model, kind, seed, l2) -> None:
    X = drawn(kind, seed)
    y = response(X, seed)
    weights = free_columns(X.shape[1], seed) if seed == 1 else None
    options = {"fit_intercept": seed != 2, "penalty_weights": weights}
    for tol, share in SETTINGS:
        make, target = SESSIONS[model]
        session = make(stored(X, seed), target(y), **options)
        grid = session.largest_penalty() * share * np.array([1.0, 0.5, 0.25])
        done = [work(report, X.size) for report in reports(session, grid, l2, tol)]
        assert max(done) <= MOST, (done, tol, share)


@pytest.mark.parametrize("rows", [155, 103])
@pytest.mark.parametrize("seed", range(3))
def test_a_path_over_far_columns_without_an_intercept_ends_soon(seed, rows) -> None:
    """A search over such folds took 8 to 17 s: no model of theirs has enough digits."""
    rng = np.random.default_rng(seed)
    X = (1e6 + rng.standard_normal((155, 169))).astype(np.float32)
    signal = X @ rng.standard_normal(169)
    y = np.where(signal > np.median(signal), 1.0, -1.0)
    session = LogisticSession(X[:rows], y[:rows], fit_intercept=False)
    grid = 0.5 * np.logspace(4, -4, 10) / rows  # of l1 and l2, as in a search with l1_ratio=0.5
    coef, total = np.empty(169), 0.0
    for penalty in grid:
        report = session._native.solve(rows * penalty, rows * penalty, 1e-10, 100, np.inf, coef)
        assert report.primal <= rows * np.log(2.0) * (1.0 + 1e-12)
        total += work(report, X.size)
    assert total <= MOST / 4, total


def crowd(columns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 1)) + 0.1 * rng.standard_normal((30, columns))
    return X, rng.standard_normal((30, 3))


@pytest.mark.parametrize("pool_bytes", [8, 1 << 30], ids=["epochs", "matrix"])
@pytest.mark.parametrize("columns", [48, 120])
def test_tasks_on_correlated_columns_end_soon(columns, pool_bytes) -> None:
    """Bins of epochs crept on to the limit of bins, up to a minute, and so did Newton steps."""
    session = GroupSession(*crowd(columns, 1), pool_bytes=pool_bytes)
    result = session.solve(1e-6 * session.largest_penalty(), 0.0, tol=1e-10)
    assert result.n_iter <= 100, result.status


@pytest.mark.parametrize("free", [False, True], ids=["hardly any", "none"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_groups_without_room_for_a_matrix_end_soon(kind, seed, free) -> None:
    """Epochs on X itself crept for seconds; what they read of X is counted."""
    X = drawn(kind, seed)[:60, :60]
    y = response(X, seed)
    groups = np.array_split(np.random.default_rng(seed).permutation(X.shape[1]), 8)
    weights = np.zeros(len(groups)) if free else None
    session = GroupSession(
        stored(X, seed),
        np.where(y > np.median(y), 1.0, -1.0),
        groups=groups,
        weights=weights,
        logistic=True,
        pool_bytes=8,
    )
    penalty = 0.0 if free else 1e-9 * session.largest_penalty()
    result = session.solve(penalty, 0.0, tol=1e-7)
    assert result.passes >= 3 * result.n_iter  # epochs are among them
    assert result.passes * X.size <= MOST / 2, result.status


def test_a_fit_without_room_for_a_matrix_is_not_polished() -> None:
    X, Y = crowd(60, 0)
    model = MultiTaskElasticNet(alpha=1e-2, tol=0.01, pool_bytes=8).fit(X, Y)
    assert model.certificate_.regime == "residual"
    assert model.certificate_.converged
    assert model.n_iter_ <= 15


#: Shares of the largest penalty at which nothing is left to penalize: where X separates the classes
#: the objective falls for ever, by a few percent a step.
HARDLY_ANY = [1e-13, 1e-18, 1e-49]
MOST_OF_CLASSES = 5e9  # three times the coordinates of a binary model; about half a second


@pytest.mark.parametrize("tol", [1e-20, 1e-4])
@pytest.mark.parametrize("bounded", [False, True], ids=["l1", "bounded l2"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["correlated", "far", "low rank", "heavy tails"])
def test_no_multinomial_solve_works_on_without_progress(kind, seed, bounded, tol) -> None:
    X = drawn(kind, seed)[:48, :70]
    n, d = X.shape
    y = np.random.default_rng(seed).integers(0, 3, n).astype(float)
    lower = np.zeros(d) if bounded else None
    session = MultinomialSession(stored(X, seed), y, 3, fit_intercept=seed == 2, lower=lower)
    largest = n * session.largest_penalty()
    coef, intercept = np.empty(3 * d), np.empty(3)
    for share in HARDLY_ANY:
        penalties = (0.0, share * largest) if bounded else (share * largest, 0.0)
        report = session._native.solve(*penalties, tol, 100, np.inf, coef, intercept)
        assert work(report, X.size) <= MOST_OF_CLASSES, (work(report, X.size), share)
        assert report.primal <= report.target / tol * (1.0 + 1e-12)  # the null model's
        assert (report.status == "converged") == (report.gap <= report.target)
