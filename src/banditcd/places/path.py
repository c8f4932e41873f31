"""The Lasso and elastic net along a path, several penalties per reading of X.

Between two readings the pool problems of the next penalties are solved on the host, each from the
point of the one before; one reading then looks at all of these models, which certifies them or
shows what their pools lack. So a path of a hundred penalties takes about as many readings as ten
single fits, and no penalty is accepted without a certificate of its own.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places import tasks
from banditcd.places.elastic_net import ElasticNetLoop
from banditcd.places.place import Job
from banditcd.places.pool import newcomers
from banditcd.places.pool_loop import PATIENCE
from banditcd.solvers.result import Result

#: Penalties that one reading looks at.
WIDTH = 16


@dataclass(slots=True)
class Stop:
    """One penalty of a path, and how far it has come."""

    position: int
    l1: float
    l2: float
    best: float = math.inf
    patience: int = PATIENCE
    n_iter: int = 0
    passes: float = 0.0

    def waits(self, gap: float, progress: float, changed: bool) -> bool:
        """Whether another bin may help, after one that left a gap."""
        moves = changed or gap < progress * self.best
        self.patience = PATIENCE if moves else self.patience - 1
        self.best = min(self.best, gap)
        return self.patience > 0


# Main loop: newcomers, the pool problems of a few penalties, one look at all of them, certificates.
def solve_path(
    loop: ElasticNetLoop,
    penalties: Sequence[tuple[float, float]],
    *,
    tol: float,
    max_iter: float = 1000,
) -> list[Result]:
    """Minimize for pairs (l1, l2) in sums, from strong to weak, and return them in this order."""
    started, target = time.perf_counter(), tol * loop.null_objective
    waiting = [Stop(k, *pair) for k, pair in enumerate(penalties)]
    found: dict[int, Result] = {}
    top = (1.0 - 1e-12) * loop.largest_penalty()  # a grid begins there, up to rounding
    entering = newcomers(loop.pool, _promises(loop, waiting[:WIDTH]))
    while waiting:
        # 1. Newcomers to the pool.
        loop.admit(entering)
        # 2. The problems on the pool, on the host, and one look at all of their solutions.
        batch = waiting[:WIDTH]
        models = []
        for stop in batch:
            at = loop.columns.at(stop.l1, stop.l2)
            if stop.l1 >= top and not at.free.any():
                loop.pool.coef = np.zeros(len(loop.pool))  # the null model is the optimum
            else:
                loop.solve_pool(at, min(target, stop.best))
            models.append(loop.pool.coef.copy())
        looks = _look_at(loop, models)
        # 3. Those with a certificate are done; the others say which columns they lack.
        changed, decrease = len(entering) > 0, np.zeros(loop.place.shape[1])
        for stop, coef, look in zip(batch, models, looks, strict=True):
            loop.pool.coef = coef
            loop.accept(*look)
            at = loop.columns.at(stop.l1, stop.l2)
            primal, gap = loop.certificate(at, target)
            stop.n_iter, stop.passes = stop.n_iter + 1, stop.passes + 1.0 / len(batch)
            status = "converged" if gap <= target else ""
            if not status and not stop.waits(gap, loop.PROGRESS, changed):
                status = "stalled" if math.isfinite(gap) else "uncertified"
            if not status and stop.n_iter >= max_iter:
                status = "max_iter"
            if status:
                waiting.remove(stop)
                cost = (stop.passes, stop.n_iter, 0.0)
                found[stop.position] = loop.result((primal, gap, target), status, cost)
            else:
                np.maximum(decrease, loop.decreases(at), out=decrease)
        if loop.report is not None and batch:
            loop.report(batch[-1].n_iter, batch[-1].best, target)
        fresh = [stop for stop in waiting[:WIDTH] if stop.n_iter == 0]
        entering = newcomers(loop.pool, np.maximum(decrease, _promises(loop, fresh)))
    spent = (time.perf_counter() - started) / len(penalties)
    return [replace(found[k], seconds=spent) for k in range(len(penalties))]


def _promises(loop: ElasticNetLoop, fresh: Sequence[Stop]) -> Floats:
    """Return what columns promise at the weakest of some penalties, by the last look."""
    if not fresh:
        return np.zeros(loop.place.shape[1])
    return loop.decreases(loop.columns.at(fresh[-1].l1, fresh[-1].l2))


def _look_at(loop: ElasticNetLoop, models: Sequence[Floats]) -> list[tuple[float, Any]]:
    """Return the intercepts of some models of the pool, and what one reading says about them."""
    given = []
    for coef in models:
        loop.pool.coef = coef
        given.append(loop.model())
    sums = loop.place.sum(*(Job(tasks.squared_look, (model,)) for model in given))
    loop.place.traffic.passes += 1.0
    return [(model[2], look) for model, look in zip(given, sums, strict=True)]
