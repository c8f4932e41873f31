"""The hyperparameters of classifiers and of support vector regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from banditcd.estimators.checks.settings import Settings

Intercept: TypeAlias = Literal["none", "free", "penalized"]


@dataclass(slots=True)
class BinarySettings(Settings):
    """Checked hyperparameters of a classifier, without C.

    ``intercept`` is "none", "free" (unpenalized) or "penalized" (the coefficient of a constant
    feature ``intercept_scaling``). ``dual`` chooses the cost that a selector minimizes. ``polish``
    lets a native solver go beyond ``tol`` on a small problem. ``regime`` is the only strategy that
    it may use, by the word of the certificate; None: it chooses. ``multinomial`` asks for one model
    of three and more classes, not one of each against the rest.
    """

    loss: str = "logistic"
    intercept: Intercept = "free"
    intercept_scaling: float = 1.0
    dual: bool = False
    polish: bool = False
    regime: str | None = None
    multinomial: bool = False

    @property
    def finds_overflow(self) -> bool:
        """Whether the solver raises OverflowError for squares that are not finite.

        The support vector solver with an L2 penalty does; with a free intercept the columns are
        looked at before it.
        """
        dual = self.loss != "logistic" and self.l1_ratio == 0.0
        return dual and self.selector is None and self.intercept != "free"


@dataclass(slots=True)
class SvrSettings(BinarySettings):
    """Checked hyperparameters of a support vector regression, without C."""

    epsilon: float = 0.0
