"""Ctrl-C while a solve runs inside a solve: the outer one stops at once."""

from __future__ import annotations

import signal
import time

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import L2LogisticSession
from tests.deadlines import PATIENCE

if not hasattr(signal, "setitimer"):
    pytest.skip("there is no timer of processor time here", allow_module_level=True)

#: Seconds of processor time after which the signal comes.
MOMENTS = (0.0005, 0.01, 0.06, 0.12, 0.2, 0.3)

#: Each takes several ticks of the timer (4 to 10 ms) on a fast machine.
WAYS = {
    "a sample of tall rows": ((32_000, 200), 1e-4, None),
    "row space": ((500, 9_000), 1e-7, "row_space"),
    "Newton": ((9_000, 700), 1e-9, "newton"),
    "conjugate gradients": ((9_000, 700), 1e-9, "newton_cg"),
    "dual descent": ((20_000, 20_000), 1e-6, "dual_descent"),
}


def _data(shape, regime):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(shape[0]) < 0.5, -1.0, 1.0)
    if regime != "dual_descent":
        return rng.standard_normal(shape), y
    places = rng.integers(shape, size=(20 * shape[0], 2)).T
    return sparse.csr_matrix((rng.standard_normal(places.shape[1]), places), shape), y


@pytest.mark.parametrize("way", WAYS)
def test_a_signal_in_an_inner_solve_stops_the_outer_one(way):
    shape, l2, regime = WAYS[way]
    X, y = _data(shape, regime)
    came: list[float] = []

    def interrupt(signum, frame):
        came.append(time.process_time())
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        for moment in MOMENTS:
            session, seen = L2LogisticSession(X, y), len(came)
            if regime is not None:
                session.force_regime(regime)
            try:
                signal.setitimer(signal.ITIMER_PROF, moment)
                session.solve(l2, tol=1e-13)
                signal.setitimer(signal.ITIMER_PROF, 0.0)
                assert len(came) == seen, "the signal came and was lost"
            except KeyboardInterrupt:
                assert time.process_time() - came[-1] < PATIENCE
                assert session.solve(l2 * 1e3, tol=1e-2).converged
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    assert came, "every solve ended before its signal"
