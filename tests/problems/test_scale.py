"""Best multiples of dual directions: optimal, independent of units, at a bounded cost."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from banditcd import ElasticNet
from banditcd.problems.penalties import L1L2
from banditcd.problems.scale import best_scale


def drawn(rng, *, bounded, curved):
    """A penalty, a direction and a loss along it, whose best multiple is neither end."""
    d = int(rng.integers(1, 30))
    lam = rng.uniform(0.0, 1.0, d) * (rng.random(d) < 0.8)
    rho = rng.uniform(0.01, 2.0, d) * (True if curved else rng.random(d) < 0.5)
    end = np.where(rng.random(d) < 0.5, rng.uniform(0.0, 2.0, d), np.inf)
    lower, upper = (-end, np.roll(end, 1)) if bounded else (np.full(d, -np.inf),) * 2
    upper = upper if bounded else -lower
    return L1L2(lam, rho, lower, upper), rng.normal(size=d), (rng.uniform(0.1, 2.0), -3.0)


def cost(penalty, u, along, s):
    return 0.5 * along[0] * s * s + along[1] * s + float(np.sum(penalty.conjugate(s * u)))


@pytest.mark.parametrize("seed", range(60))
def test_no_multiple_is_better(seed):
    rng = np.random.default_rng(seed)
    penalty, u, along = drawn(rng, bounded=seed % 2 == 0, curved=seed % 3 == 0)
    infinite = (penalty.rho == 0.0) & np.isinf(np.where(u > 0.0, penalty.upper, penalty.lower))
    limit = float(np.min(penalty.lam[infinite] / np.abs(u[infinite]), initial=np.inf))
    found = best_scale(penalty, u, along, limit)
    assert 0.0 <= found <= limit
    best = cost(penalty, u, along, found)
    for s in np.minimum(found * (1.0 + np.linspace(-1.0, 2.0, 2001)), limit):
        assert best <= cost(penalty, u, along, s) + 1e-12


@pytest.mark.parametrize("power", [-300, -120, 120, 300])
def test_units_do_not_matter(power):
    rng, unit = np.random.default_rng(1), 2.0**power
    for _ in range(20):
        penalty, u, (square, linear) = drawn(rng, bounded=True, curved=False)
        ends = penalty.lower * unit, penalty.upper * unit
        other = L1L2(penalty.lam * unit, penalty.rho, *ends)
        along = square * unit * unit, linear * unit * unit
        assert best_scale(other, u * unit, along, 9.0) == best_scale(
            penalty, u, (square, linear), 9.0
        )


@pytest.mark.parametrize("unit", [1.0, 1e-36, 1e-90])
def test_a_certificate_costs_three_conjugates_in_any_unit(unit, monkeypatch):
    """A root was once bracketed to absolute accuracy: 70 evaluations for tiny responses."""
    seen = []
    plain = L1L2._support_point
    monkeypatch.setattr(
        L1L2, "_support_point", lambda self, u, at: seen.append(1) or plain(self, u, at)
    )
    rng = np.random.default_rng(3)
    X = rng.standard_t(1.2, size=(37, 38)) * (rng.random((37, 38)) < 0.5)
    y = unit * (X @ rng.normal(size=38) + rng.normal(size=37))
    alpha = 1e-3 * float(np.abs(X.T @ (y - y.mean())).max()) / 37
    options = {"l1_ratio": 0.1, "selector": "uniform", "random_state": 0, "max_iter": 20}
    with pytest.warns(ConvergenceWarning):
        model = ElasticNet(alpha=alpha, tol=1e-10, **options).fit(sparse.csr_array(X), y)
    assert model.n_iter_ == 20
    assert len(seen) <= 3 * 41  # two certificates an epoch, and one at the end
