"""Who solves a support vector machine: descent is not sent away while it arrives."""

from __future__ import annotations

from banditcd.data import load
from banditcd.solvers import SvmSession

TOL = 1e-5


def test_descent_that_arrived_goes_on_to_a_share_of_the_objective():
    # Once the first target is reached, a smaller one follows, a share of the objective. Near the
    # optimum a pass gains far less than the gap, which is no sign that descent crawls.
    source = (
        "synthetic:scattered(rows=3806, columns=1530, density=0.0065, task='binary', seed=161178)"
    )
    data = load(source)
    session = SvmSession(data.X.tocsr(), data.y, loss="hinge")
    found = session.solve(1.0, tol=TOL, of_objective=TOL)
    assert found.converged
    assert found.regime == "descent"
    assert found.gap <= TOL * found.primal
