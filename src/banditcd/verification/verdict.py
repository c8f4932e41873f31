"""The verdict on a fitted model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verification:
    """How far a fitted model is from the optimum of its documented objective.

    ``objective - optimum <= gap + rounding``. Several classes or targets are separate problems:
    objective, dual bound, gap and rounding are their sums, the violation is the worst.

    Attributes
    ----------
    objective : float
        The objective of the fitted coefficients and intercept; inf if a bound is broken.
    dual_bound : float
        A lower bound on the objective of every model, up to ``rounding``.
    gap : float
        ``objective - dual_bound``.
    rounding : float
        Bound of the rounding error of the gap.
    violation : float
        Largest distance of a partial derivative of the losses from the subdifferential of its
        penalty, in the units of objective over coefficient.
    coordinate : str
        Where it is: "feature 3", "intercept", with the class or target where there are several.
    exact : bool
        Whether the coefficients fix the dual point. False for the hinge and epsilon-insensitive
        losses, unpenalized features and intercepts: the point was found by a search, and the gap
        can exceed the true distance by what the search left.
    sentence : str
        The verdict in a sentence.
    """

    objective: float
    dual_bound: float
    gap: float
    rounding: float
    violation: float
    coordinate: str
    exact: bool
    sentence: str
