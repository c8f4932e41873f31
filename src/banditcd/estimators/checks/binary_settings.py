"""The hyperparameters of classifiers and of support vector regression."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from banditcd.estimators.checks.settings import OPENING, Settings
from banditcd.solvers import POOL_BYTES

_OURS = "(This is how scikit-learn's warning begins, for filters; the solver is banditcd's own.)"
_STOCHASTIC = "The max_iter was reached which means the coef_ did not converge."
#: How the warning of a fit begins that ``max_iter`` ended, by scikit-learn's word for the solver:
#: filters of warnings look at these words.
OPENINGS = {
    "lbfgs": f"lbfgs failed to converge. {_OURS}",
    "newton-cg": f"newton-cg failed to converge. Increase the number of iterations. {_OURS}",
    "newton-cholesky": f"Newton solver did not converge after {{n_iter}} iterations. {_OURS}",
    "liblinear": f"Liblinear failed to converge, increase the number of iterations. {_OURS}",
    "sag": _STOCHASTIC,
    "saga": _STOCHASTIC,
}

Intercept: TypeAlias = Literal["none", "free", "penalized"]


@dataclass(slots=True)
class BinarySettings(Settings):
    """Checked hyperparameters of a classifier, without C.

    ``intercept`` is "none", "free" (unpenalized) or "penalized" (the coefficient of a constant
    feature ``intercept_scaling``). ``dual`` chooses the cost that a selector minimizes. ``polish``
    lets a native solver go beyond ``tol`` on a small problem. ``regime`` is the only strategy that
    it may use, by the word of the certificate; None: it chooses. ``multinomial`` asks for one model
    of three and more classes, not one of each against the rest. ``word`` is
    scikit-learn's for the solver. ``pool_bytes`` limits the matrix and the copies of the columns in
    use, with an L1 part, or the copies that a support vector machine makes. ``continues``: a start
    is the model of the last fit.
    """

    loss: str = "logistic"
    intercept: Intercept = "free"
    intercept_scaling: float = 1.0
    dual: bool = False
    polish: bool = False
    regime: str | None = None
    multinomial: bool = False
    word: str = "auto"
    pool_bytes: int = POOL_BYTES
    continues: bool = False

    @property
    def least(self) -> int:
        """Iterations that a solve from a start counts at least: a fit that goes on may need none.

        Other starts are guesses, whose exact solution is worth a step.
        """
        return 0 if self.continues else 1

    @property
    def opening(self) -> str:
        """How the warning of a fit begins that ``max_iter`` ended."""
        return OPENINGS.get(self.word, OPENING)

    def terms(self, C: float) -> tuple[float, float, float]:
        """Return the weights of the loss, of ``|w|`` and of ``w²/2``; no penalty where C is inf."""
        if math.isinf(C):
            return 1.0, 0.0, 0.0
        return C, *self.penalties(1.0)

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
