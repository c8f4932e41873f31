"""Over shapes, storage and options: every certificate is confirmed by an independent gap."""

from __future__ import annotations

import warnings
from types import SimpleNamespace

import hypothesis
import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold

from banditcd import ElasticNet, ElasticNetCV, enet_path
from banditcd.estimators.backends.fold import FoldBackend
from banditcd.estimators.backends.path_solver import as_path, solve_path
from banditcd.estimators.backends.prepared import prepare
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.inputs import check_training
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.fold_errors import fold_errors, rows_of, shared_errors
from banditcd.estimators.search.shared_folds import share_folds
from banditcd.estimators.search.splits import check_folds
from tests.estimators.conftest import confirmed

TOL = 1e-7
SETTINGS = hypothesis.settings(
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
STORES = {
    "fortran": np.asfortranarray,
    "c": np.ascontiguousarray,
    "float32": lambda X: np.asfortranarray(X, dtype=np.float32),
    "csc": sparse.csc_matrix,
    "csr32": lambda X: sparse.csr_array(X.astype(np.float32)),
}


@st.composite
def cases(draw, fewest_rows=1):
    """Draw data, storage and options in the words of ``conftest.Problem``."""
    n = draw(st.integers(fewest_rows, 40))
    d = draw(st.sampled_from([1, 2, 7, 30, 70]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < draw(st.sampled_from([0.2, 1.0])))
    X += draw(st.sampled_from([0.0, 5.0]))
    X *= 10.0 ** rng.integers(-draw(st.integers(0, 2)), 1, size=d)
    kind = draw(st.sampled_from(["plain", "duplicates", "constant"]))
    if kind == "duplicates" and d > 1:
        X[:, d // 2 :] = -2.0 * X[:, : d - d // 2]
    if kind == "constant":
        X[:, 0] = 3.0
    X = X.astype(np.float32).astype(np.float64)
    y = X @ (rng.standard_normal(d) * (rng.random(d) < 0.4)) + rng.standard_normal(n) + 2.0
    weight = None
    if draw(st.booleans()):
        weight = rng.random(n) * (rng.random(n) < 0.8)
        weight[0] = 1.0
    options = {}
    if draw(st.booleans()):
        options["penalty_weights"] = rng.choice([0.5, 1.0, 3.0, np.inf], size=d)
    bounds = draw(st.sampled_from(["none", "positive", "box"]))
    if bounds == "positive":
        options["positive"] = True
    if bounds == "box":
        options |= {"lower": -rng.random(d), "upper": rng.random(d)}
    return {
        "X": STORES[draw(st.sampled_from(list(STORES)))](X),
        "y": y,
        "alpha": 10.0 ** draw(st.floats(-3.0, 1.0)),
        "l1_ratio": draw(st.sampled_from([1.0, 0.9, 0.3])),
        "fit_intercept": draw(st.booleans()),
        "sample_weight": weight,
        "options": options,
    }


@pytest.fixture(autouse=True)
def _missed_targets_are_checked_not_raised():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def confirm(problem, coef, intercept, proof):
    """The true gap is no larger than the one reported, and the status follows from it."""
    scale = problem.null() + 1e-300
    assert confirmed(problem, coef, intercept, proof, 1e-10 * scale)
    assert proof.primal == pytest.approx(problem.primal(coef, intercept), rel=1e-8, abs=1e-12)
    assert proof.converged == (proof.gap <= proof.target)


@SETTINGS
@given(case=cases())
def test_a_fit(case, make_problem):
    problem = make_problem(**case)
    model = ElasticNet(
        problem.alpha,
        l1_ratio=problem.l1_ratio,
        fit_intercept=problem.fit_intercept,
        tol=TOL,
        **problem.options,
    ).fit(problem.X, problem.y, sample_weight=problem.sample_weight)
    confirm(problem, model.coef_, model.intercept_, model.certificate_)
    assert model.certificate_.converged or model.certificate_.lost_to_float32


@SETTINGS
@given(case=cases())
def test_a_path(case, make_problem):
    # Rounded paths are in test_float32.py.
    problem = make_problem(**case | {"X": case["X"].astype(np.float64)})
    alphas = problem.alpha * np.array([3.0, 1.0, 0.3, 0.1])
    options = problem.options | {"fit_intercept": problem.fit_intercept, "tol": TOL}
    _, coefs, gaps, *_ = enet_path(
        problem.X,
        problem.y,
        alphas=alphas,
        l1_ratio=problem.l1_ratio,
        sample_weight=problem.sample_weight,
        **options,
    )
    X, s, *_ = problem.arrays()
    for alpha, coef, gap in zip(alphas, coefs.T, gaps, strict=True):
        problem.alpha = alpha
        intercept = s @ (problem.y - X @ coef) if problem.fit_intercept else 0.0
        assert problem.gap(coef, intercept) <= gap + 1e-10 * problem.null()
        assert gap <= TOL * problem.null() * (1.0 + 1e-9)


def training(problem):
    data = check_training(None, problem.X, problem.y, problem.sample_weight, multi_output=False)
    columns = check_columns(SimpleNamespace(**problem.options), data.X.shape[1])
    ratio, intercept = problem.l1_ratio, problem.fit_intercept
    return data, columns, LinearSettings(l1_ratio=ratio, fit_intercept=intercept, tol=TOL)


@SETTINGS
@given(case=cases(fewest_rows=12))
def test_folds_shared_and_alone(case, make_problem):
    """Folds by subtraction: certified on their training rows, with the same test errors."""
    if case["sample_weight"] is not None:
        case["sample_weight"] = np.maximum(case["sample_weight"], 1e-3)
    problem = make_problem(**case)
    data, columns, settings = training(problem)
    folds = check_folds(list(KFold(3).split(data.y)), data)
    alphas = problem.alpha * np.array([1.0, 0.1])
    shared = share_folds(data, folds, columns, settings, 100)
    if shared is None:
        assert data.X.shape[0] < 2 * data.X.shape[1]
        return
    everything = problem.arrays()[0]
    for k, fold in enumerate(folds):
        path = as_path(FoldBackend(shared, k, settings).path(alphas))
        weight = problem.sample_weight
        part = make_problem(
            everything[fold.train],
            problem.y[fold.train],
            1.0,
            problem.l1_ratio,
            problem.fit_intercept,
            None if weight is None else weight[fold.train],
            problem.options,
        )
        for t, alpha in enumerate(alphas):
            part.alpha = alpha
            confirm(part, path.coefs[:, t], path.intercepts[t], path.certificates[t])
        errors = shared_errors(data, fold, (shared, k), settings, alphas).errors
        residual = problem.y[fold.test, None] - everything[fold.test] @ path.coefs - path.intercepts
        exact = np.average(
            residual**2, axis=0, weights=None if weight is None else weight[fold.test]
        )
        np.testing.assert_allclose(errors, exact, rtol=1e-7)
        rows = rows_of(data, fold.train)
        prepared = prepare(rows, columns, settings)
        alone = solve_path(prepared, prepared.backend(rows.y, solves=2), alphas, 2)
        for one, other in zip(alone.certificates, path.certificates, strict=True):
            assert abs(one.primal - other.primal) <= one.gap + other.gap + 1e-9 * part.null()
        assert fold_errors(data, fold, columns, settings, alphas).errors.shape == errors.shape


@SETTINGS
@given(case=cases(fewest_rows=12))
def test_a_search_is_its_folds(case, make_problem):
    """``mse_path_`` is that of one path for each fold, and the refit is certified."""
    case["sample_weight"] = None
    problem = make_problem(**case)
    data, columns, settings = training(problem)
    alphas = problem.alpha * np.array([1.0, 0.2])
    search = ElasticNetCV(
        l1_ratio=problem.l1_ratio,
        alphas=alphas,
        cv=3,
        fit_intercept=problem.fit_intercept,
        tol=TOL,
        **problem.options,
    ).fit(problem.X, problem.y)
    assert search.mse_path_.shape == (2, 3)
    best = search.mse_path_.mean(axis=1).argmin()
    assert search.alpha_ == alphas[best]
    problem.alpha = search.alpha_
    confirm(problem, search.coef_, search.intercept_, search.certificate_)
    prepared = prepare(data, columns, settings)
    path = solve_path(prepared, prepared.backend(data.y, solves=2), alphas, 2)
    for alpha, coef, intercept, proof in zip(
        alphas, path.coefs.T, path.intercepts, path.certificates, strict=True
    ):
        problem.alpha = alpha
        confirm(problem, coef, intercept, proof)
