"""A proof of how far a point is from the optimum."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Certificate:
    """A duality gap: ``0 <= primal - optimum <= gap`` whatever the optimum is.

    Attributes
    ----------
    primal : float
        Objective of the primal model.
    dual : float
        Value of a dual feasible point, a lower bound on every primal objective.
    gap : float
        ``max(primal - dual, 0)``; ``inf`` where no dual feasible point is at hand.
    """

    primal: float
    dual: float

    @property
    def gap(self) -> float:
        """The duality gap, cut at zero where rounding makes it negative."""
        return max(self.primal - self.dual, 0.0)
