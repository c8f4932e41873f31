"""The loop of the models with an L2 penalty: Newton steps with a certificate after each.

A model adds its mathematics: what one reading of X says about a point (``read``), the penalty of a
point and the duality gap of the present one (``certificate``), Newton's ``direction``, and the
losses along it.
"""

from __future__ import annotations

import math
import time
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from banditcd._typing import Floats
from banditcd.places.place import Place
from banditcd.places.pool_loop import Report
from banditcd.solvers.result import Result

#: Conjugate gradients: how far the residual falls in one Newton step, and the share of the gap
#: wanted beyond which a direction need not be exact.
FORCING, CLOSE_ENOUGH = 0.1, 0.3
#: Shares of a step that are tried at once when the whole step does not lower the objective.
SHARES = (0.5, 0.25, 0.1, 0.03, 0.01, 1e-3)
#: Steps without progress before a solve is called stalled. A step makes progress if the gap falls
#: below the first share of the best one, or the objective by the second share of the gap.
PATIENCE, PROGRESS, GAIN = 3, 0.9, 0.01


class HasLoss(Protocol):
    """What one reading of X says about a point; the sum of the losses is part of it."""

    loss: float


Look = TypeVar("Look", bound=HasLoss)


class NewtonLoop(Generic[Look]):
    """A place and a point, ready to be solved for one penalty after another."""

    place: Place
    w: Floats
    b: Any  #: the intercept, or those of all classes
    look: Look  #: what the last reading said about the point
    null_objective: float
    regime: str  #: how directions are found
    report: Report | None = None

    # Main loop: Newton steps with a certificate after each.
    def solve(self, l2: float, *, tol: float, max_iter: float = 100) -> Result:
        """Minimize for one penalty (in sums), from the point of the last solve."""
        started, passes = time.perf_counter(), self.place.traffic.passes
        target, patience, best = tol * self.null_objective, PATIENCE, math.inf
        last = math.inf
        status, n_iter = "max_iter", 0
        while True:
            # 1. How good is the point?
            primal, gap = self.certificate(l2)
            if self.report is not None:
                self.report(n_iter, gap, target)
            if gap <= target:
                status = "converged"
                break
            if n_iter >= max_iter:
                break
            moves = gap < PROGRESS * best or last - primal > GAIN * gap
            patience = PATIENCE if moves else patience - 1
            best, last = min(best, gap), primal
            # 2. Newton's direction, and the whole step or a share of it.
            if patience == 0 or not self.move(l2, primal, *self.direction(l2, target)):
                status = "stalled"
                break
            n_iter += 1
        return Result(
            self.w.copy(),
            self.intercept(),
            primal,
            gap,
            target,
            status,
            self.regime,
            self.place.traffic.passes - passes,
            n_iter,
            time.perf_counter() - started,
            self.w.size,
            int(np.count_nonzero(self.w)),
        )

    def move(self, l2: float, primal: float, step: Floats, slide: Any) -> bool:
        """Move by the step, or by a share of it; return whether the objective fell."""
        w, b = self.w + step, self.b + slide
        look = self.read(w, b)
        if look.loss + self.penalty(l2, w, b) <= primal + 1e-14 * abs(primal):
            self.w, self.b, self.look = w, b, look
            return True
        losses = self.losses_along(step, slide)
        self.place.traffic.passes += 1.0
        for t, loss in zip(SHARES, losses, strict=True):
            w, b = self.w + t * step, self.b + t * slide
            if float(loss) + self.penalty(l2, w, b) < primal:
                self.w, self.b, self.look = w, b, self.read(w, b)
                return True
        return False

    def intercept(self) -> Any:
        """Return the intercept of a result."""
        return self.b

    def read(self, w: Floats, b: Any) -> Look:
        """Read losses, pulls and curvatures at a point."""
        raise NotImplementedError

    def penalty(self, l2: float, w: Floats, b: Any) -> float:
        """Return the penalty of a point."""
        raise NotImplementedError

    def certificate(self, l2: float) -> tuple[float, float]:
        """Return the objective and the duality gap at the present point."""
        raise NotImplementedError

    def direction(self, l2: float, target: float) -> tuple[Floats, Any]:
        """Return Newton's step for w and b."""
        raise NotImplementedError

    def losses_along(self, step: Floats, slide: Any) -> tuple[Any, ...]:
        """Read the losses of the point moved by every share of a step."""
        raise NotImplementedError
