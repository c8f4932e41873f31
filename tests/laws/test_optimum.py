"""Every selector, rule and accelerated method reaches the optimum of the independent solver."""

import pytest

from banditcd import minimize
from tests.instances import (
    ACCELERATED,
    AT_SIZE,
    INSTANCES,
    RULES,
    SELECTORS,
    rules_for,
    selectors_for,
)

# Lipschitzed gaps and plain acceleration are slow at high accuracy.
SLOW = {
    "max_gap": 1e-3,
    "ada_gap": 1e-3,
    "gap_per_epoch": 1e-3,
    "approx": 1e-4,
}
PAIRS = [(i, s) for i in INSTANCES for s in selectors_for(i)]
FAST_PAIRS = [(i, r) for i in INSTANCES for r in rules_for(i)]
METHODS = [(i, m) for i in INSTANCES for m in selectors_for(i, accelerated=True)]


@pytest.mark.parametrize(("instance", "selector"), PAIRS, ids=str)
def test_every_selector_reaches_the_optimum(instance, selector):
    tol = SLOW.get(selector, 1e-8)
    result = minimize(
        instance.problem, SELECTORS[selector], tol=tol, max_epochs=4000, random_state=0, trace=None
    )
    assert result.converged, result
    scale = instance.problem.null_objective()
    assert -1e-9 * scale <= result.objective - instance.optimum <= 1.01 * tol * scale


@pytest.mark.parametrize(("instance", "rule"), FAST_PAIRS, ids=str)
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_every_rule_reaches_the_optimum(instance, rule, engine):
    limit, tol = (3000, 1e-9) if engine == "compiled" else (30, 0.05)  # NumPy is slow
    result = minimize(
        instance.problem,
        "shuffled",
        RULES[rule],
        tol=tol,
        max_epochs=limit,
        random_state=0,
        trace=None,
        engine=engine,
    )
    assert result.converged, result
    scale = instance.problem.null_objective()
    assert -1e-9 * scale <= result.objective - instance.optimum <= 1.01 * tol * scale


@pytest.mark.parametrize(("instance", "method"), METHODS, ids=str)
def test_every_accelerated_method_reaches_the_optimum(instance, method):
    tol = SLOW.get(method, 1e-6)
    result = minimize(
        instance.problem, ACCELERATED[method], tol=tol, max_epochs=4000, random_state=0, trace=None
    )
    assert result.converged, result
    assert result.update == "accelerated"
    scale = instance.problem.null_objective()
    assert -1e-9 * scale <= result.objective - instance.optimum <= 1.01 * tol * scale


@pytest.mark.full
@pytest.mark.parametrize(
    ("instance", "rule", "selector"),
    [(i, r, s) for i in AT_SIZE for r in rules_for(i) for s in selectors_for(i) if s not in SLOW],
    ids=str,
)
def test_every_combination_reaches_the_optimum_at_size(instance, rule, selector):
    if (selector, rule) == ("ascd", "exact-skip"):
        with pytest.raises(ValueError, match="ascd needs u_i after every step"):
            minimize(instance.problem, SELECTORS[selector], RULES[rule])
        return
    result = minimize(
        instance.problem,
        SELECTORS[selector],
        RULES[rule],
        tol=1e-4,
        max_epochs=2000,
        random_state=0,
        trace=None,
    )
    assert result.converged, result
    scale = instance.problem.null_objective()
    assert -1e-8 * scale <= result.objective - instance.optimum <= 1.01e-4 * scale
