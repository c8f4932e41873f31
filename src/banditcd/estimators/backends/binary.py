r"""One binary problem of a classifier: its hyperparameters and the solver that runs it.

The objective, in the units of the certificate, is

.. math::

    C \sum_i s_i\,\phi(y_i (x_i^\top w + b))
    + \sum_j p_j \Bigl(\rho |w_j| + \frac{1 - \rho}{2} w_j^2\Bigr), \qquad y_i = \pm 1,

without the factor C where C is infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.solution import Solution, Watch
from banditcd.estimators.checks.column_options import ColumnOptions

Intercept: TypeAlias = Literal["none", "free", "penalized"]


@dataclass(frozen=True, slots=True)
class BinarySettings:
    """Checked hyperparameters of a classifier, without C.

    ``intercept`` is "none", "free" (unpenalized) or "penalized" (the coefficient of a constant
    feature ``intercept_scaling``). ``selector`` is None for a native solver. ``dual`` chooses the
    cost that a selector minimizes. ``polish`` lets a native solver go beyond ``tol`` on a small
    problem.
    """

    loss: str = "logistic"
    l1_ratio: float = 0.0
    intercept: Intercept = "free"
    intercept_scaling: float = 1.0
    tol: float = 1e-4
    max_iter: int = 100
    selector: Any = None
    dual: bool = False
    random_state: Any = None
    keep_history: bool = False
    polish: bool = False

    @property
    def finds_overflow(self) -> bool:
        """Whether the solver raises OverflowError for squares that are not finite.

        The support vector solver does; with a free intercept the columns are looked at before it.
        """
        return self.loss != "logistic" and self.selector is None and self.intercept != "free"


@dataclass(frozen=True, slots=True)
class BinaryData:
    """Samples, signs (responses of a regression) and plain (not normalized) weights."""

    X: Any
    sign: Floats
    weight: Floats | None
    columns: ColumnOptions

    @property
    def total_weight(self) -> float:
        """Sum of the weights; the number of samples without any."""
        return float(self.sign.size if self.weight is None else self.weight.sum())

    @property
    def positive_share(self) -> float:
        """Share of the weight that is positive."""
        weight = np.ones(self.sign.size) if self.weight is None else self.weight
        return float(weight[self.sign > 0.0].sum() / weight.sum())


class BinaryBackend(Protocol):
    """A binary problem, ready to be solved for one C after another."""

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""


def make_backend(
    data: BinaryData, model: BinarySettings, like: BinaryBackend | None = None
) -> BinaryBackend:
    """Return the solver that the hyperparameters ask for.

    ``like`` is the solver of other labels on the same samples: what it knows of X is shared.
    """
    if model.intercept == "free" and data.positive_share in (0.0, 1.0):
        return OneSided(data, model)
    if model.selector is not None:
        from banditcd.estimators.backends.engine_binary import DualBinary, PrimalBinary

        return DualBinary(data, model) if model.dual else PrimalBinary(data, model)
    from banditcd.estimators.backends.native_binary import session_backend

    return session_backend(data, model, like)


def largest_penalty(data: BinaryData, model: BinarySettings) -> float:
    """Return the smallest L1 weight beside the mean logistic loss that keeps every model at 0."""
    if model.intercept == "free" and data.positive_share in (0.0, 1.0):
        return 0.0
    from banditcd.estimators.backends.native_binary import LogisticBackend

    return LogisticBackend(data, model).largest_penalty()


def objective_units(C: float, total: float) -> tuple[float, float]:
    """Return (alpha, unit): the objective is ``unit`` times mean loss + alpha penalty."""
    if math.inf == C:
        return 0.0, total
    alpha = 1.0 / (C * total) if C * total > 0.0 else math.inf
    if not math.isfinite(alpha):
        raise ValueError(f"C is {C!r}: its inverse overflows float64; use a larger C.")
    return alpha, C * total


def constant_loss(share: float, loss: str) -> tuple[float, float]:
    """Return the best constant prediction, and its mean loss, for a share of positive weight."""
    if loss == "logistic":
        entropy = -(share * math.log(share) + (1.0 - share) * math.log1p(-share))
        return math.log(share / (1.0 - share)), entropy
    if loss == "hinge":
        return math.copysign(1.0, share - 0.5), 2.0 * min(share, 1.0 - share)
    return 2.0 * share - 1.0, 4.0 * share * (1.0 - share)


class OneSided:
    """All weight on one class, with a free intercept: a constant is a perfect model.

    The logistic loss of a constant only tends to 0; at 750 it is 0 in float64.
    """

    def __init__(self, data: BinaryData, model: BinarySettings) -> None:
        far = 750.0 if model.loss == "logistic" else 1.0
        self._intercept = far if data.positive_share == 1.0 else -far
        self._n_features = data.X.shape[1]

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Do nothing: the model is known."""

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Return the constant."""
        proof = FitCertificate(0.0, 0.0, 0.0, 0.0, "converged", "null", 0.0, 0.0, 1)
        return Solution(np.zeros(self._n_features), self._intercept, proof)
