"""A loss and a penalty of one's own: the example of docs/your-own-cost.md, and `Composite`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banditcd import minimize, problems, theory
from banditcd.problems.losses import LogisticLoss, QuadraticLoss
from banditcd.problems.penalties import L1L2
from tests.test_readme import python_blocks

PAGE = Path(__file__).parents[2] / "docs" / "your-own-cost.md"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """What the blocks of the page define."""
    namespace: dict[str, Any] = {"__name__": "page"}
    for _, source in python_blocks(PAGE.read_text("utf-8")):
        exec(source, namespace)
    return namespace


@pytest.fixture
def data() -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 12))
    return X, X[:, 0] - 2.0 * X[:, 1] + rng.standard_t(2, 40)


def _l1(d: int, alpha: float, rho: float = 0.0) -> L1L2:
    return L1L2(np.full(d, alpha), np.full(d, rho), np.full(d, -np.inf), np.full(d, np.inf))


def test_the_huber_loss_is_short_and_its_derivatives_fit(example: Any) -> None:
    loss = example["HuberLoss"](np.array([0.5, 2.0, 1.0]), np.array([0.0, 1.0, -1.0]))
    v, step = np.array([0.4, 3.0, -4.0]), 1e-6
    for j in range(3):
        up, down = v.copy(), v.copy()
        up[j] += step
        down[j] -= step
        slope = (loss.value(up) - loss.value(down)) / (2.0 * step)
        assert loss.gradient(v)[j] == pytest.approx(slope, abs=1e-8)
    w = loss.gradient(v)
    assert loss.conjugate(w) == pytest.approx(w @ v - loss.value(v))  # Fenchel, with equality
    assert loss.conjugate(2.0 * w) == np.inf
    source = PAGE.read_text("utf-8").split("class HuberLoss(Loss):")[1].split("class HuberLasso")[0]
    code = [line for line in source.splitlines()[1:] if line.strip() and '"""' not in line]
    assert len(code) <= 20


@pytest.mark.parametrize("selector", ["uniform", "acf", "b_max_r", "max_r", "ada_gap", "approx"])
def test_huber_reaches_a_certified_optimum(example: Any, data: Any, selector: str) -> None:
    problem = example["HuberLasso"](*data, alpha=0.02)
    result = minimize(
        problem, selector, tol=1e-7, max_epochs=3000, random_state=0, engine="reference"
    )
    assert result.converged, result
    other = minimize(problem, "cyclic", tol=1e-10, max_epochs=3000, engine="reference")
    assert abs(result.objective - other.objective) <= result.gap + other.gap


def test_huber_keeps_lemma_1(example: Any, data: Any) -> None:
    problem = example["HuberLasso"](*data, alpha=0.02)
    run = theory.record(problem, "uniform", steps=300, random_state=1)
    assert theory.lemma_1_along(run).holds
    gaps = problem.bounded_by(problem.start())
    x = run.x[200]
    u, v = gaps.correlations(x), gaps.A.matvec(x)
    whole = gaps.objective(x, v) + gaps.dual_objective(gaps.loss.gradient(v))
    assert np.sum(gaps.gaps(x, u)) == pytest.approx(whole, rel=1e-9)


def test_the_compiled_engine_names_the_way_out(example: Any, data: Any) -> None:
    sentence = r"cannot run HuberLasso: HuberLoss is not built in.*Use engine='reference'"
    with pytest.raises(ValueError, match=sentence):
        minimize(example["HuberLasso"](*data, alpha=0.02), "uniform")
    with pytest.raises(ValueError, match=sentence):
        minimize(example["HuberLasso"](*data, alpha=0.02), "approx")
    X, y = data
    signed = problems.Composite(X, QuadraticLoss(np.ones(40), y), example["TwoSided"](12, 1, 2, 1))
    with pytest.raises(ValueError, match=r"Composite: TwoSided is not built in"):
        minimize(signed, "uniform")


def test_a_subclass_of_a_built_in_loss_is_not_taken_for_it(data: Any) -> None:
    class Doubled(QuadraticLoss):
        def value(self, v: Any) -> float:
            return 2.0 * super().value(v)

    X, y = data
    with pytest.raises(ValueError, match="Doubled is not built in"):
        minimize(problems.Composite(X, Doubled(np.ones(40), y), _l1(12, 1.0)), "uniform")


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("rho", [0.0, 0.3])
def test_composite_of_built_in_parts_is_the_built_in_cost(
    data: Any, engine: str, rho: float
) -> None:
    X, y = data
    mine = problems.Composite(X, QuadraticLoss(np.full(40, 1 / 40), y), _l1(12, 0.1, rho))
    known = problems.ElasticNet(X, y, alpha=0.1 + rho, l1_ratio=0.1 / (0.1 + rho))
    found = [minimize(p, "cyclic", "exact", tol=1e-8, engine=engine) for p in (mine, known)]
    assert all(result.converged for result in found)
    np.testing.assert_allclose(found[0].x, found[1].x, atol=1e-4)
    assert mine.null_objective() == pytest.approx(known.null_objective())
    assert found[0].objective == pytest.approx(found[1].objective, abs=found[0].gap + found[1].gap)


def test_the_certificate_of_a_composite_bounds_the_optimum_from_anywhere(data: Any) -> None:
    X, y = data
    problem = problems.Composite(X, LogisticLoss(np.full(40, 1 / 40), np.sign(y)), _l1(12, 0.02))
    best = minimize(problem, "cyclic", tol=1e-9, max_epochs=5000)
    assert best.converged
    rng = np.random.default_rng(0)
    for scale in (0.0, 0.1, 3.0):
        certificate = problem.certificate(scale * rng.standard_normal(12))
        assert certificate.dual <= best.objective + 1e-12
        assert np.isfinite(certificate.gap)


def test_sizes_are_checked_before_any_work(data: Any) -> None:
    X, y = data
    with pytest.raises(ValueError, match="penalty has 3 coordinates; X has 12 columns"):
        problems.Composite(X, QuadraticLoss(np.ones(40), y), _l1(3, 1.0))
    with pytest.raises(ValueError, match="X has 39 rows"):
        problems.Composite(X[1:], LogisticLoss(np.ones(40), np.sign(y)), _l1(12, 1.0))
