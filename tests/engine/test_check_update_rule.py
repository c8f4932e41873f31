"""Membership in the class H, tested numerically."""

import numpy as np
import pytest

from banditcd import problems, updates
from banditcd.updates import check_update_rule
from tests.instances import INSTANCES, RULES, make_data, rules_for

BY_NAME = {instance.name: instance for instance in INSTANCES}
IN_H = [
    (instance, rule)
    for instance in INSTANCES
    for rule in rules_for(instance)
    if (instance.cost, rule) != ("LogisticDual", "sdca")
]


@pytest.mark.parametrize(("instance", "rule"), IN_H, ids=str)
def test_the_rules_of_the_paper_are_in_h(instance, rule):
    report = check_update_rule(RULES[rule], instance.problem)
    assert report, str(report)
    assert report.checked == 3 * 3 * instance.problem.d
    assert report.by_cost + report.by_model == report.checked
    assert "in H" in str(report)


def test_the_logistic_proximal_step_is_in_h_by_the_model_only():
    X, y = make_data("uneven", (24, 8), True, 1)
    problem = problems.LogisticL1(X, y, alpha=0.001)
    report = check_update_rule(updates.Proximal(), problem, runs=6, epochs=6, random_state=1)
    assert report
    assert report.by_model > 0  # a longer step of the reference rule may gain more by luck


@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_the_sdca_logistic_step_is_not_in_h(alpha):
    X, y = make_data("uneven", (30, 5), True, 0)
    report = check_update_rule(updates.Sdca(), problems.LogisticDual(X, y, alpha=alpha))
    assert not report
    violation = report.violation
    assert violation.cost_excess > 0.0
    assert violation.model_excess > 0.0
    assert "sdca on LogisticDual" in str(report)
    assert f"not in H; coordinate {violation.i} moved from" in str(report)
    assert not updates.Sdca.in_class_h or report.rule == "sdca"


class Overrelaxed:
    """Beyond the minimum."""

    name = "overrelaxed"

    def target(self, at):
        g = at.problem.penalty
        z = at.x + 1.5 * (float(g.prox(at.x, at.u, at.h, at.i)) - at.x)
        return float(np.clip(z, g.lower[at.i], g.upper[at.i]))


class Careful:
    """The proximal step with a curvature twice too large: less than the reference rule gains."""

    def target(self, at):
        return float(at.problem.penalty.prox(at.x, at.u, 2.0 * at.h, at.i))


class MyProximal:
    def target(self, at):
        return float(at.problem.penalty.prox(at.x, at.u, at.h, at.i))


@pytest.mark.parametrize("name", ["lasso", "ridge", "ridge-dual"])
def test_rules_of_the_user(name):
    problem = BY_NAME[name].problem
    assert check_update_rule(MyProximal(), problem)
    for rule in (Overrelaxed(), Careful()):
        report = check_update_rule(rule, problem)
        assert not report
        assert report.checked >= 1
    assert check_update_rule(Careful(), problem).rule == "Careful"


def test_the_report_is_of_the_first_violation_and_repeatable():
    problem = BY_NAME["lasso"].problem
    a, b = (check_update_rule(Careful(), problem, random_state=4) for _ in range(2))
    assert a.violation.i == b.violation.i
    np.testing.assert_array_equal(a.violation.x, b.violation.x)
    assert a.checked == b.checked
    longer = check_update_rule(updates.Exact(), problem, runs=5, epochs=2)
    assert longer.checked == 5 * 2 * problem.d


def test_registry_and_representation():
    assert set(updates.REGISTRY) == {"reference", "exact", "proximal", "sdca", "newton"}
    assert repr(updates.make("exact", skip=True)) == "Exact(skip=True)"
