"""Theorems 1 and 2 along max_r runs, and their printed forms refuted."""

import numpy as np
import pytest

from banditcd import problems, theory

SLACK = 1e-12


def _strongly_convex(problem):
    return bool(np.all(problem.mu > 0.0))


def test_theorem_1_holds_along_max_r(problem, optimum):
    run = theory.record(problem, "max_r", steps=100)
    bound = theory.theorem_1(run, optimum.lower)
    assert bound.applies == _strongly_convex(problem)
    if bound.applies:
        eps = run.suboptimality(optimum.lower)
        assert bound.violations(eps, SLACK).size == 0
        assert bound.values[0] == eps[0]
        assert np.all(np.diff(bound.values) < 0.0)
        assert bound.values[-1] < 0.95 * eps[0]  # it says something


def test_theorem_1_says_which_assumption_fails(cost, best):
    lasso = theory.record(cost("Lasso"), "max_r", steps=10)
    assert "strongly convex" in theory.theorem_1(lasso, best("Lasso").lower).failures[0]
    uniform = theory.record(cost("Ridge"), "uniform", steps=30)
    assert "max_r" in theory.theorem_1(uniform, best("Ridge").lower).failures[0]


@pytest.mark.parametrize("by", ["gap", "ratio"])
def test_theorem_2_holds_along_max_r(problem, optimum, by):
    run = theory.record(problem, "max_r", steps=100)
    bound = theory.theorem_2(run, optimum.lower, by=by)
    assert bound.applies == bool(np.isfinite(theory.support_bound(run.problem)))
    assert bound.violations(run.suboptimality(optimum.lower), SLACK).size == 0
    assert bool(np.isfinite(bound.values).any()) == bound.applies


def test_theorem_2_is_about_the_gap_share_of_one_coordinate(cost):
    run = theory.record(cost("HingeDual", unit=False), "max_r", steps=30)
    norms = theory.effective_norms(run.problem)
    by_gap, by_ratio = theory.gap_ratios(run, "gap"), theory.gap_ratios(run, "ratio")
    printed = (run.gap[:-1, None] * norms / np.maximum(run.gaps[:-1], 1e-300)).min(axis=1)
    np.testing.assert_allclose(by_ratio.eta, printed, rtol=1e-12)
    np.testing.assert_allclose(by_gap.spread, run.gap[:-1] / run.gaps[:-1].max(axis=1))
    assert np.all(by_gap.eta >= by_ratio.eta - 1e-15)
    assert np.any(by_gap.eta > 1.01 * by_ratio.eta)
    assert by_gap.spread.max() <= run.problem.d
    with pytest.raises(ValueError, match="'gap' or 'ratio'"):
        theory.gap_ratios(run, "size")


@pytest.mark.parametrize(("h", "t0"), [(1.0, 1.0), (1e-3, 72.6)])
def test_theorem_2_on_an_instance_known_by_hand(orthogonal_hinge, h, t0):
    """12 orthogonal samples: G_i = 1/12 each, so eta^2 / beta = 144 h; L = 1, D = d."""
    problem = orthogonal_hinge(12, h=h)
    run = theory.record(problem, "max_r", steps=80)
    f_star = -1.0 / (2.0 * h * 12.0) if h >= 1.0 / 12.0 else 6.0 * h - 1.0
    assert run.objective[12] == pytest.approx(f_star)
    for by in ("gap", "ratio"):
        values = theory.theorem_2(run, f_star, by=by).values
        np.testing.assert_allclose(values[-1], 8.0 * 144.0 * h / (24.0 + 80.0 - t0), rtol=0.01)
        assert np.flatnonzero(np.isfinite(values))[0] == int(np.ceil(t0))


def test_theorem_2_recursion_ends_below_its_bound():
    """The recursion behind the bound, worst case, from any start: base case and induction."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        D, C = rng.uniform(1.0, 30.0), 10.0 ** rng.uniform(-2.0, 3.0)
        eps = eps0 = C / (2.0 * D) * 10.0 ** rng.uniform(-2.0, 3.0)
        t0 = max(1.0, 2.0 * D * np.log(2.0 * D * eps0 / C))
        for t in range(1, int(t0) + 60):
            eps -= min(eps / (2.0 * D), eps**2 / C)
            if t >= t0:
                assert eps <= C / (2.0 * D + t - t0) * (1.0 + 1e-12)


# -- what the paper prints ----------------------------------------------------------------------


def test_theorem_1_as_printed_fails(solve):
    """Orthogonal columns, one step per coordinate: the gap is the more concentrated the later."""
    d = 8
    problem = problems.Ridge(np.eye(d), np.ones(d), alpha=50.0)
    run, f_star = theory.record(problem, "max_r", steps=d - 1), solve(problem).lower
    eps = run.suboptimality(f_star)
    bound = theory.theorem_1(run, f_star)
    assert bound.applies
    assert bound.violations(eps, 1e-14).size == 0
    np.testing.assert_allclose(eps, bound.values, rtol=0.03)  # tight here
    for reading in ("last", "shifted"):
        printed = theory.as_printed.theorem_1(run, f_star, reading)
        assert np.all(eps[1:] > 1.01 * printed[1:])


def _unequal_norms():
    """HingeDual whose optimum is x = 1, with many long samples that cancel and a few short ones.

    Long columns sum to zero: each alone gains next to nothing, together they are free. Short
    ones start at 0.8, with a fifth of the gap of a long one, which one step takes away.
    """
    n_long, n_short = 20, 6
    n = n_long + n_short
    short = 0.02133  # the length at which the printed t0 is 1
    long_part = 30.0 * (np.eye(n_long) - 1.0 / n_long)
    columns = np.zeros((n, n))
    columns[:n_long, :n_long] = long_part
    columns[n_long:, n_long:] = short * np.eye(n_short)
    y = np.array([1, -1] * (n // 2))
    problem = problems.HingeDual(columns * y[:, None], y, alpha=1.0 / n**2)
    x0 = np.concatenate([np.zeros(n_long), np.full(n_short, 0.8)])
    return problem, x0


def test_theorem_2_as_printed_fails_for_unequal_norms():
    problem, x0 = _unequal_norms()
    ones = np.ones(problem.d)
    assert theory.gap_identity(problem, ones).gap <= 1e-14  # so x = 1 is optimal
    f_star = problem.objective(ones)
    run = theory.record(problem, "max_r", steps=4, x0=x0)
    eps = run.suboptimality(f_star)
    printed = theory.as_printed.theorem_2(run, f_star)
    assert np.all(np.isfinite(printed[1:]))
    assert np.all(eps[1:] > 1.003 * printed[1:])
    for by in ("gap", "ratio"):
        bound = theory.theorem_2(run, f_star, by=by)
        assert bound.applies
        assert bound.violations(eps).size == 0


def test_theorem_2_needs_bounded_support_also_where_mu_is_positive(solve):
    """Two correlated ridge coordinates and one in a tiny box: L of the box says nothing."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    X[:, 1] = X[:, 0] + 0.2 * X[:, 1]
    L = 1e-3
    wide = [np.inf, np.inf, L]
    problem = problems.Ridge(
        X,
        X[:, 0] - X[:, 1],
        alpha=1e-3,
        penalty_weights=[1, 1, 0],
        lower=-np.array(wide),
        upper=wide,
    )
    f_star = solve(problem, max_epochs=200).upper  # eps(x^t) is at least what is computed here
    run = theory.record(problem, "max_r", steps=150)
    eps, printed = run.suboptimality(f_star), theory.as_printed.theorem_2(run, f_star)
    assert np.any(eps > 2.0 * printed)
    assert "bounded support" in theory.theorem_2(run, f_star).failures[0]


def _random_points(count, seed):
    """(G, kappa, mu, h) as any strongly convex g_i can have them: G >= mu kappa^2 / 2."""
    rng = np.random.default_rng(seed)
    kappa, mu, h = np.exp(2.0 * rng.standard_normal((3, count)))
    return mu * kappa**2 / 2.0 + h * kappa**2 * rng.exponential(size=count), kappa, mu, h


def test_s_less_2_is_false_for_positive_mu_and_its_repair_is_not():
    gap, kappa, mu, h = _random_points(40_000, 0)
    s, r = theory.marginal_decrease(gap, kappa, mu, h)
    claimed = theory.as_printed.s_less_2(gap, kappa, h)
    wrong = (s < 1.0) & (r < claimed * (1.0 - 1e-9))
    assert wrong.sum() >= 1000
    repaired = np.where(gap >= h * kappa**2, gap / 2.0, claimed)
    assert np.all(r >= repaired * (1.0 - 1e-12))
    flat = theory.marginal_decrease(gap, kappa, np.zeros_like(mu), h)
    assert np.all(flat[1][flat[0] < 1.0] >= claimed[flat[0] < 1.0] * (1.0 - 1e-12))


def test_s_less_2_is_false_on_a_ridge_problem():
    problem = problems.Ridge(np.eye(4), [1.0, 2.0, 3.0, 4.0], alpha=2.0)  # h < mu / 3
    x = np.zeros(4)
    u = problem.correlations(x)
    claimed = theory.as_printed.s_less_2(problem.gaps(x, u), problem.kappas(x, u), problem.h)
    assert np.all(problem.steps(x, u) < 1.0)
    assert np.all(problem.marginal_decreases(x, u) < claimed)


def test_s_less_4_needs_the_square_of_kappa():
    gap, kappa, mu, h = _random_points(20_000, 1)
    s, _ = theory.marginal_decrease(gap, kappa, mu, h)
    printed = theory.as_printed.s_less_4(kappa, mu, h)
    assert np.any((s < 1.0) & (gap > 1.1 * printed))  # the line (s_less_4)
    assert np.any((s == 1.0) & (gap < 0.9 * printed))  # the line of case (a)
    right = h * kappa**2 + mu * kappa**2 / 2.0
    assert np.all((s < 1.0) == (gap < right) | np.isclose(gap, right, rtol=1e-12))


def test_advantage_over_ada_gap_is_overstated_for_small_c():
    for d in (100, 10_000):
        claimed, actual = theory.as_printed.advantage_over_ada_gap(1.0, d)
        assert actual == pytest.approx(claimed, rel=2.0 / d)
        claimed, actual = theory.as_printed.advantage_over_ada_gap(1.0 / d, d)
        assert claimed == pytest.approx(d**1.5)
        assert actual < 1.0
