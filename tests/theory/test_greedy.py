"""Proposition 1 and Lemma 2."""

import numpy as np
import pytest

from banditcd import problems, theory


def test_max_r_takes_the_best_bound_at_every_step(problem):
    run = theory.record(problem, "max_r", steps=40)
    bounds = theory.guaranteed_bounds(run)
    chosen = bounds[np.arange(run.steps), run.indices]
    assert np.all(chosen <= bounds[:-1].min(axis=1) + 1e-14 * run.scale[:-1])
    assert theory.proposition_1(run) <= 1e-14
    assert theory.takes_largest_r(run)


def test_other_selectors_do_not(problem):
    for selector in ("uniform", "cyclic"):
        run = theory.record(problem, selector, steps=30)
        assert theory.proposition_1(run) > 1e-6
        assert not theory.takes_largest_r(run)


def _random_ridge(seed: int, unit: bool, alpha: float) -> tuple[problems.Ridge, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((12, 8))
    X *= (1.0 if unit else rng.uniform(0.3, 3.0, 8)) / np.linalg.norm(X, axis=0)
    problem = problems.Ridge(X, rng.standard_normal(12), alpha=alpha)
    return problem, rng.standard_normal(8)


@pytest.mark.parametrize("unit", [True, False])
def test_lemma_2_corrected_is_s_and_r_of_the_engine(unit):
    for seed in range(40):
        problem, x = _random_ridge(seed, unit, alpha=10.0 ** (seed % 5 - 3))
        lemma, u = theory.lemma_2(problem, x), problem.correlations(x)
        np.testing.assert_allclose(lemma.s, problem.steps(x, u), rtol=1e-12)
        np.testing.assert_allclose(lemma.r, problem.marginal_decreases(x, u), rtol=1e-10)
        assert lemma.s.max() < 1.0
        exact = theory.lemma_1(problem, "exact", x, lemma.max_r)
        assert exact.decrease == pytest.approx(lemma.r.max(), rel=1e-9)


def test_lemma_2_gradient_is_the_gradient():
    problem, x = _random_ridge(3, unit=False, alpha=0.1)
    step, gradient = 1e-5, theory.lemma_2(problem, x).gradient
    for i, direction in enumerate(np.eye(problem.d)):
        up, down = problem.objective(x + step * direction), problem.objective(x - step * direction)
        assert (up - down) / (2.0 * step) == pytest.approx(gradient[i], abs=1e-8)


def test_lemma_2_refuses_other_penalties(cost):
    for name in ("Lasso", "ElasticNet", "HingeDual"):
        with pytest.raises(ValueError, match="Lemma 2"):
            theory.lemma_2(cost(name), np.zeros(cost(name).d))


def test_lemma_2_max_r_is_gauss_southwell_with_unit_columns():
    for seed in range(300):
        lemma = theory.lemma_2(*_random_ridge(seed, unit=True, alpha=0.02))
        assert lemma.max_r == lemma.gauss_southwell


def test_lemma_2_max_r_is_gauss_southwell_lipschitz_and_not_gauss_southwell_otherwise():
    differs = 0
    for seed in range(300):
        problem, x = _random_ridge(seed, unit=False, alpha=0.02)
        r = problem.marginal_decreases(x, problem.correlations(x))
        lemma = theory.lemma_2(problem, x)
        lipschitz = int(np.argmax(lemma.gradient**2 / (problem.mu + problem.h)))
        assert int(np.argmax(r)) == lipschitz
        differs += lipschitz != lemma.gauss_southwell
    assert differs >= 60


def test_lemma_2_as_printed_promises_more_than_exact_minimization_gains():
    for seed in range(300):
        problem, x = _random_ridge(seed, unit=True, alpha=0.02)
        assert problem.alpha / 2.0 < 1.0 / problem.beta  # the printed case "otherwise"
        s, r = theory.as_printed.lemma_2(problem, x)
        i = theory.lemma_2(problem, x).max_r
        best = theory.lemma_1(problem, "exact", x, i)
        assert r[i] == pytest.approx(1.5 * best.decrease, rel=1e-9)
        assert not np.allclose(s, problem.steps(x, problem.correlations(x)))


def test_lemma_2_as_printed_is_valid_but_weaker_for_large_lambda():
    for seed in range(50):
        problem, x = _random_ridge(seed, unit=True, alpha=2.0)
        assert problem.alpha / 2.0 >= 1.0 / problem.beta
        s, r = theory.as_printed.lemma_2(problem, x)
        assert np.all(s == 1.0)
        assert np.all(r <= theory.lemma_2(problem, x).r * (1.0 - 1e-4))


def test_lemma_2_as_printed_may_be_kept_where_f_is_not_quadratic():
    kept = broken = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((12, 8))
        X /= np.linalg.norm(X, axis=0)
        problem = problems.LogisticElasticNet(X, np.sign(X[:, 0] + 0.1), alpha=0.005, l1_ratio=0.0)
        assert problem.alpha / 2.0 < 1.0 / problem.beta
        # Far out the logistic loss is nearly straight; near 0 it is as curved as its bound.
        x = (20.0 if seed % 2 else 0.01) * rng.standard_normal(8)
        lemma = theory.lemma_2(problem, x)
        best = theory.lemma_1(problem, "exact", x, lemma.max_r).decrease
        assert best >= lemma.r[lemma.max_r] * (1.0 - 1e-9)
        promised = theory.as_printed.lemma_2(problem, x)[1][lemma.max_r]
        kept, broken = kept + (best >= promised), broken + (best < promised)
    assert kept >= 10
    assert broken >= 10
