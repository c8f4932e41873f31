"""Laws of whole costs: duals, gaps, marginal decreases, certificates, constants."""

import numpy as np
import pytest

from banditcd import minimize, problems
from tests.instances import DUAL, INSTANCES, PRIMAL, UNPENALIZED, below_start

GAPPED = [*PRIMAL, *DUAL]  # those with finite G_i
each_instance = pytest.mark.parametrize("instance", INSTANCES, ids=str)
each_gapped = pytest.mark.parametrize("instance", GAPPED, ids=str)


def points(problem, count=6):
    """Points of a descent run, and random ones of the domain that lie below F(start)."""
    rng = np.random.default_rng(1)
    start = problem.start()
    found = [start]
    low = np.maximum(problem.penalty.lower, -0.5)
    high = np.minimum(problem.penalty.upper, 0.5)
    for k in range(1, count):
        x = low + (high - low) * rng.random(problem.d)
        found.append(below_start(problem, x))
        result = minimize(problem, "uniform", max_epochs=k / 2, random_state=k, trace=None)
        found.append(result.x)
    return found


@each_gapped
def test_coordinate_gaps_are_nonnegative_and_sum_to_the_duality_gap(instance):
    problem = instance.problem.bounded_by(instance.problem.start())
    for x in points(problem):
        u = problem.correlations(x)
        w = problem.loss.gradient(problem.A.matvec(x))
        gaps = problem.gaps(x, u)
        total = problem.objective(x) + problem.dual_objective(w)
        assert np.all(gaps >= 0.0)
        assert gaps.sum() == pytest.approx(total, abs=1e-12 * max(1.0, abs(total)))


@each_instance
def test_the_certificate_is_between_the_suboptimality_and_the_raw_gap(instance):
    problem, optimum = instance.problem, instance.optimum
    boxed = problem.bounded_by(problem.start())
    for x in points(problem):
        certificate = problem.certificate(x)
        raw = certificate.primal - certificate.dual  # not cut at zero
        if problem.kind == "primal":
            assert certificate.primal == pytest.approx(problem.objective(x), rel=1e-14)
            assert certificate.dual <= optimum + 1e-9
        else:
            assert certificate.dual == pytest.approx(-problem.objective(x), rel=1e-12, abs=1e-14)
            assert certificate.primal >= -optimum - 1e-9
        assert raw >= -1e-12
        assert raw >= problem.objective(x) - optimum - 1e-9
        if instance not in UNPENALIZED:
            gap = float(np.sum(boxed.gaps(x, boxed.correlations(x))))
            assert raw <= gap + 1e-12 * max(1.0, gap)


@each_instance
def test_the_certificate_closes_at_the_optimum(instance):
    result = minimize(instance.problem, "shuffled", tol=1e-10, max_epochs=5000, random_state=0)
    assert result.status.value == "converged"
    assert result.objective == pytest.approx(instance.optimum, abs=2e-9)
    assert result.gap <= result.tolerance == 1e-10 * instance.problem.null_objective()


@each_instance
def test_curvature_is_the_largest_second_derivative_along_the_coordinate(instance):
    problem = instance.problem
    A = problem.A.to_dense()
    bound = np.broadcast_to(problem.loss.bound, (problem.m,))
    np.testing.assert_allclose(problem.h, bound @ A**2, rtol=1e-13)
    assert problem.h.max() <= (A**2).sum(axis=0).max() / problem.beta * (1.0 + 1e-12)
    np.testing.assert_allclose(
        problem.correlations(problem.start()),
        -A.T @ problem.loss.gradient(A @ problem.start()),
        atol=1e-13,
    )


@pytest.mark.parametrize(
    ("cost", "beta"),
    [
        ("Lasso", lambda n, alpha: n),
        ("ElasticNet", lambda n, alpha: n),
        ("LogisticL1", lambda n, alpha: 4 * n),
        ("Ridge", lambda n, alpha: n),
        ("RidgeDual", lambda n, alpha: alpha * n**2),
        ("HingeDual", lambda n, alpha: alpha * n**2),
        ("SquaredHingeDual", lambda n, alpha: alpha * n**2),
        ("LogisticDual", lambda n, alpha: alpha * n**2),
        ("ElasticNetDual", lambda n, alpha: alpha * 0.5),
    ],
)
def test_beta_of_every_cost(cost, beta):
    X, y = np.eye(4), np.array([1.0, -1.0, 1.0, -1.0])
    assert problems.make(cost, X, y, 0.3).beta == pytest.approx(beta(4, 0.3))


def test_the_rescaled_dual_point_is_feasible_in_spite_of_rounding():
    """At s = lambda / max |u| the largest s |u_i| may round to above lambda."""
    rng = np.random.default_rng(0)
    for _ in range(80):
        X, y = rng.normal(size=(5, 3)), rng.normal(size=5)
        problem = problems.Lasso(X, y, alpha=float(rng.uniform(0.01, 0.3)))
        certificate = problem.certificate(np.zeros(3))
        assert np.isfinite(certificate.dual)
        assert certificate.dual > 0.0  # better than the trivial bound


def test_every_cost_has_instances():
    assert {i.cost for i in INSTANCES} == set(problems.REGISTRY)
    assert {i.problem.A.is_sparse for i in INSTANCES} == {True, False}
    assert any(np.any(i.problem.h == 0.0) for i in PRIMAL)
    assert any(np.any(i.problem.h == 0.0) for i in DUAL)
