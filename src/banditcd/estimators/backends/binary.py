r"""One binary problem of a classifier, in the units of its objective.

That is

.. math::

    C \sum_i s_i\,\phi(y_i (x_i^\top w + b))
    + \sum_j p_j \Bigl(\rho |w_j| + \frac{1 - \rho}{2} w_j^2\Bigr), \qquad y_i = \pm 1,

without the factor C where C is infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution, Solver, Watch, constant_solution
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.solvers.arrays import is_sparse

#: Problems with fewer entries are solved as exactly as float64 allows, whatever the tolerance:
#: that costs next to nothing, and equivalent data (a weight of 2, or a sample twice) then give
#: the same model.
SMALL = 1 << 12


@dataclass(slots=True)
class BinaryData:
    """Samples, their target and plain (not normalized) weights.

    The target is -1 or +1 in a classification and the response in a regression.
    """

    X: Any
    target: Floats
    weight: Floats | None
    columns: ColumnOptions

    @property
    def total_weight(self) -> float:
        """Sum of the weights; the number of samples without any."""
        return float(self.target.size if self.weight is None else self.weight.sum())

    @property
    def positive_share(self) -> float:
        """Share of the weight that is positive."""
        weight = np.ones(self.target.size) if self.weight is None else self.weight
        return float(weight[self.target > 0.0].sum() / weight.sum())

    @property
    def is_one_sided(self) -> bool:
        """Whether all weight is on one class."""
        if self.weight is None and len(set(self.target[:16].tolist())) > 1:
            return False  # as a rule the first few tell
        counting = self.target if self.weight is None else self.target[self.weight > 0.0]
        return bool((counting == counting[0]).all())

    def is_polished(self, settings: BinarySettings) -> bool:
        """Whether the problem is so small that it is solved as exactly as float64 allows."""
        return settings.polish and bool(self.X.size <= SMALL)


class BinaryBackend(Solver, Protocol):
    """A binary problem, ready to be solved for one C after another."""

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""


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


def penalized_constant(share: float, loss: str, strength: float) -> tuple[float, float]:
    """Return the b that minimizes the mean loss and ``b**2 / (2 strength)``, and that minimum.

    ``share`` of the weight is positive; 0 without a strength. The hinges alone.
    """
    if strength == 0.0:
        return 0.0, 1.0
    ridge, margin = 1.0 / strength, 2.0 * share - 1.0
    if loss == "hinge":  # between -1 and 1 both classes cost something
        b = min(max(margin / ridge, -1.0), 1.0) if ridge > 0.0 else math.copysign(1.0, margin)
        return b, 1.0 - b * margin + 0.5 * ridge * b * b
    b = margin / (1.0 + 0.5 * ridge)
    return b, 1.0 - b * margin


def with_constant(X: Any, value: float) -> Any:
    """Return X with a constant column at the end, in the same storage, in one copy."""
    rows, columns = X.shape
    if is_sparse(X):
        last = sparse.csc_array(np.full((rows, 1), value, dtype=X.dtype))
        return sparse.hstack([X, last], format=X.format, dtype=X.dtype)
    order: Literal["F", "C"] = "F" if X.flags.f_contiguous else "C"
    out = np.empty((rows, columns + 1), dtype=X.dtype, order=order)
    out[:, :columns], out[:, columns] = X, value
    return out


class OneSided:
    """All weight on one class, with a free intercept: a constant is a perfect model.

    The logistic loss of a constant only tends to 0; at 750 it is 0 in float64.
    """

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        far = 750.0 if settings.loss == "logistic" else 1.0
        self._intercept = far if data.positive_share == 1.0 else -far
        self._n_features = data.X.shape[1]

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Do nothing: the model is known."""

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Return the constant."""
        return constant_solution(self._n_features, self._intercept)
