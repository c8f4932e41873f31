"""The compiled engine is the reference engine: every applicable cost x rule x selector."""

import math

import numpy as np
import pytest

from banditcd import minimize, selectors
from banditcd.engine.applicability import check_fit
from banditcd.engine.prepare import prepare
from tests.instances import (
    ACCELERATED,
    AT_SIZE,
    EXACT,
    INSTANCES,
    RULES,
    SELECTORS,
    rules_for,
    selectors_for,
)
from tests.lockstep import Lockstep, Twins, agree


def fits(instance, selector, rule):
    try:
        check_fit(SELECTORS[selector], RULES[rule], instance.problem)
    except ValueError:
        return False
    return True


def combinations(instances):
    return [
        (instance, rule, selector)
        for instance in instances
        for rule in rules_for(instance)
        for selector in selectors_for(instance)
        if fits(instance, selector, rule)
    ]


@pytest.mark.parametrize(("instance", "rule", "selector"), combinations(EXACT), ids=str)
def test_identical_sequences_where_arithmetic_is_exact(instance, rule, selector):
    runs = Lockstep(instance.problem, SELECTORS[selector], RULES[rule], seed=5)
    for _ in range(2 * instance.problem.d):
        step = runs.step()
        assert step.reference == step.compiled
        agree(runs.compiled.x, runs.reference.x, rtol=0.0, atol=1e-10)
    # Bits run out in the end: a move of the size of one rounding may be zero in one engine only.
    assert runs.compiled.moves == pytest.approx(runs.reference.moves, abs=1)
    assert runs.compiled.entries == pytest.approx(runs.reference.entries, rel=0.02)


# One instance of every cost and storage in make test, all of them in make test-full.
SEEN = {}
for _instance in INSTANCES:
    SEEN.setdefault((_instance.cost, _instance.problem.A.is_sparse), _instance)
EVERYDAY = list(SEEN.values())
REST = [instance for instance in INSTANCES if instance not in EVERYDAY]
PRODUCT = [pytest.param(*c, id="-".join(map(str, c))) for c in combinations(EVERYDAY)]
PRODUCT += [
    pytest.param(*c, id="-".join(map(str, c)), marks=pytest.mark.full)
    for c in combinations([*REST, *AT_SIZE])
]


@pytest.mark.parametrize(("instance", "rule", "selector"), PRODUCT)
def test_every_step_agrees_from_the_same_state(instance, rule, selector):
    twins = Twins(instance.problem, SELECTORS[selector], RULES[rule], seed=5)
    scale = max(1.0, float(np.max(np.abs(twins.problem.correlations(twins.problem.start())))))
    for _ in range(min(2 * twins.problem.d, 150)):
        i, j = twins.choose()
        if i != j:  # only a tie of an argmax may part the two, and then their ways differ
            scores = twins.scores()
            assert scores is not None, (i, j)
            assert scores[j] >= scores.max() - 1e-12 * max(1.0, scores.max())
            return
        report, compiled = twins.move(i)
        agree(twins.descent.x, twins.reference.x, rtol=1e-12, atol=1e-12)
        agree(compiled, report, rtol=1e-9, atol=1e-12 * scale)
        pair = [twins.descent.last_correlation, twins.reference.last_correlation]
        if math.isfinite(pair[0]) and math.isfinite(
            pair[1]
        ):  # a skipped update does not know its own
            agree(*pair, rtol=1e-9, atol=1e-12 * scale)


METHODS = [
    (instance, method)
    for instance in [*EXACT, *INSTANCES]
    for method in selectors_for(instance, accelerated=True)
]


@pytest.mark.parametrize(("instance", "method"), METHODS, ids=str)
def test_accelerated_methods_agree(instance, method):
    both = [
        prepare(instance.problem, ACCELERATED[method], "auto", None, 5, engine).run
        for engine in ("reference", "compiled")
    ]
    for _ in range(12 * instance.problem.d):
        for run in both:
            run.advance(1, 60.0)
        agree(both[1].x, both[0].x, rtol=1e-9, atol=1e-10)
    assert both[0].steps == both[1].steps
    # A step of the size of one rounding may be zero in one engine only.
    assert both[1].entries == pytest.approx(both[0].entries, rel=0.02)


@pytest.mark.parametrize("instance", EXACT, ids=str)
def test_the_same_run_through_minimize(instance):
    results = [
        minimize(
            instance.problem,
            "b_max_r",
            tol=1e-12,
            max_epochs=2,
            random_state=3,
            trace="step",
            engine=engine,
        )
        for engine in ("reference", "compiled")
    ]
    assert [r.engine for r in results] == ["reference", "compiled"]
    for column in ("step", "epoch", "work", "objective", "gap", "support", "certificate_work"):
        np.testing.assert_allclose(
            getattr(results[0].trace, column), getattr(results[1].trace, column), atol=1e-10
        )
    np.testing.assert_allclose(results[0].coef, results[1].coef, atol=1e-10)


def test_a_start_inside_agrees_too():
    instance = EXACT[0]
    x0 = np.arange(8.0) / 16.0
    runs = [
        minimize(instance.problem, "max_r", x0=x0, max_epochs=2, tol=1e-14, engine=engine)
        for engine in ("reference", "compiled")
    ]
    np.testing.assert_allclose(runs[0].x, runs[1].x, atol=1e-12)


def test_python_selectors_and_native_twins_draw_the_same_numbers():
    """A subclass is a user's selector: the same rule, run by Python over native steps."""

    class Mine(selectors.BMaxR):
        pass

    instance = EXACT[0]
    native = minimize(instance.problem, selectors.BMaxR(), max_epochs=5, tol=1e-14, random_state=1)
    python = minimize(instance.problem, Mine(), max_epochs=5, tol=1e-14, random_state=1)
    np.testing.assert_array_equal(native.x, python.x)
    assert native.work == python.work
