"""Ctrl-C in every fast solver and regime: KeyboardInterrupt, and the session goes on after it."""

from __future__ import annotations

from functools import partial

import pytest

from tests.interrupting import MOMENTS, assert_interrupted, sends_signals
from tests.solvers.group_cases import threes
from tests.solvers.instances import REGIMES, Case

_INTERCEPT = {"fit_intercept": True}
_TUBE = {"epsilon": 0.3}
_THREE = {"classes": 3, "fit_intercept": True}
_CAPPED = {"pool_bytes": 8, "groups": threes}

BY_COLUMNS = (
    "lasso", "elastic_net", "logistic", "l1_svm", "multi_task", "group_lasso", "group_logistic",
)  # fmt: skip

#: Solves of a tenth of a second and more. Null models are found in one pass.
LONG = [
    Case("lasso", "pool", (400, 2000), (1e-3, 0.0), _INTERCEPT),
    Case("lasso", "whole_gram", (3000, 600), (1e-3, 0.0), _INTERCEPT),
    Case("lasso", "residual", (200, 1000), (1e-3, 0.0), {"pool_bytes": 8}),
    Case("lasso", "crowd", (2000, 3000), (1e-4, 0.0), filled=0.02),
    Case("elastic_net", "pool", (400, 2000), (1e-3, 1e-5)),
    Case("elastic_net", "whole_gram", (3000, 600), (1e-3, 1e-5)),
    Case("elastic_net", "residual", (200, 1000), (1e-3, 1e-5), {"pool_bytes": 8}),
    Case("elastic_net", "crowd", (2000, 3000), (1e-4, 1e-7), filled=0.02),
    Case("logistic", "pool", (600, 1500), (1e-3, 0.0), _INTERCEPT),
    Case("logistic", "pool", (20_000, 60), (1e-4, 0.0), _INTERCEPT),
    Case("logistic", "residual", (300, 1500), (5e-4, 0.0), {"pool_bytes": 8}),
    Case("l1_svm", "pool", (600, 1500), (1e-3, 0.0), _INTERCEPT),
    Case("l1_svm", "residual", (300, 1500), (5e-4, 0.0), {"pool_bytes": 8}),
    Case("l2_logistic", "newton", (2000, 500), (1e-5,), _INTERCEPT, forced=True),
    Case("l2_logistic", "newton", (30_000, 100), (1e-5,), _INTERCEPT),  # starts from a sample
    Case("l2_logistic", "newton_cg", (3000, 600), (1e-5,), _INTERCEPT, forced=True),
    Case("l2_logistic", "row_space", (600, 2000), (1e-5,), _INTERCEPT, forced=True),
    Case("l2_logistic", "dual_descent", (600, 2000), (1e-5,), _INTERCEPT, forced=True),
    Case("l2_multinomial", "newton_diagonal", (3000, 400), (1e-6,), _THREE, forced=True),
    Case("l2_multinomial", "quasi_newton", (3000, 400), (1e-6,), _THREE, forced=True),
    Case("l2_multinomial", "newton_shared", (3000, 400), (1e-6,), _THREE, forced=True),
    Case("l2_multinomial", "newton_coupled", (8000, 300), (1e-6,), _THREE, forced=True),
    Case("l2_multinomial", "newton_blocks", (4000, 500), (1e-6,), _THREE, forced=True),
    Case("multinomial", "pool", (600, 200), (2e-4, 0.0), _THREE, forced=True),
    Case("multinomial", "residual", (400, 300), (1e-4, 0.0), _THREE, forced=True),
    Case("ridge", "normal_equations", (2000, 900), (1e-7,), _INTERCEPT, forced=True),
    Case("ridge", "dual_gram", (900, 2000), (1e-7,), _INTERCEPT, forced=True),
    Case("ridge", "cg", (1500, 700), (1e-7,), _INTERCEPT, forced=True),
    Case("ridge", "least_squares", (1000, 400), (1e-7,), _INTERCEPT, forced=True),
    Case("ridge", "singular_values", (1000, 600), (1e-7,), _INTERCEPT, forced=True),
    Case("hinge", "descent", (900, 1500), (1e-2,)),
    Case("hinge", "proximal_newton", (10_000, 30), (100.0,), {"intercept": "free"}),
    Case("hinge", "descent_then_newton", (2000, 300), (1.0,)),
    Case("hinge", "gram", (500, 2000), (0.1,), {"intercept": "free"}),
    Case("squared_hinge", "descent", (1200, 1800), (1e-2,)),
    Case("squared_hinge", "newton", (40_000, 60), (100.0,)),
    Case("squared_hinge", "descent_then_newton", (3000, 500), (1.0,)),
    Case("squared_hinge", "newton", (900, 2100), (10.0,), forced=True),  # conjugate gradients
    Case("squared_hinge", "gram", (600, 2500), (0.1,), {"intercept": "free"}),
    Case("epsilon_insensitive", "descent", (900, 1500), (1e-2,), _TUBE),
    Case("epsilon_insensitive", "proximal_newton", (20_000, 30), (100.0,), _TUBE),
    Case("epsilon_insensitive", "descent_then_newton", (2000, 300), (1.0,), _TUBE),
    Case("epsilon_insensitive", "gram", (500, 2000), (0.1,), _TUBE | {"intercept": "free"}),
    Case("squared_epsilon_insensitive", "descent", (1200, 1800), (1e-2,), _TUBE),
    Case("squared_epsilon_insensitive", "newton", (30_000, 60), (100.0,), _TUBE),
    Case("squared_epsilon_insensitive", "descent_then_newton", (2000, 400), (1.0,), _TUBE),
    Case("squared_epsilon_insensitive", "gram", (600, 2500), (0.1,), _TUBE | {"intercept": "free"}),
    Case("multi_task", "pool", (400, 1500), (1e-3, 0.0), _INTERCEPT),
    Case("multi_task", "residual", (200, 1000), (1e-3, 0.0), {"pool_bytes": 8}),
    Case("group_lasso", "pool", (400, 2000), (1e-3, 0.0), _INTERCEPT | {"groups": threes}),
    Case("group_lasso", "residual", (200, 1000), (1e-3, 0.0), _CAPPED),
    Case("group_logistic", "pool", (600, 1500), (1e-3, 0.0), _INTERCEPT | {"groups": threes}),
    Case("group_logistic", "residual", (200, 1000), (1e-3, 0.0), _CAPPED),
]


def test_every_regime_is_interrupted() -> None:
    reached: dict[str, set[str]] = {model: {"null"} & REGIMES[model] for model in REGIMES}
    for case in LONG:
        reached[case.model].add(case.regime)
    assert reached == REGIMES


@sends_signals
@pytest.mark.parametrize("case", LONG, ids=lambda case: case.name)
def test_ctrl_c_stops_a_solve_and_the_session_goes_on(case) -> None:
    dense = "F64" if case.model in BY_COLUMNS else "C64"
    at = case.build(dense if case.filled > 0.5 else "CSC64")
    sessions = []

    def prepare():
        sessions.append(at.problem.session())
        return partial(at.problem.solve, 1e-12, sessions[-1])

    for moment in MOMENTS:
        assert_interrupted(prepare, moment)
    result = at.problem.solve(1e-2, sessions[-1])
    assert result.converged
    # Against the optimum, not a dual point of the judge: a solver may certify by a better one.
    best = at.problem.solve(1e-6, at.problem.session())
    assert at.problem.primal(result) - at.problem.primal(best) <= 1e-2 * at.problem.null()
    assert result.gap <= result.target
