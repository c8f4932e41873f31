"""Penalty weights and bounds of the columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.checks.parameters import check_flag


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Checked per-column options; None where nothing was asked for.

    ``penalty_weights`` multiply the L1 and the L2 term of a column (0: unpenalized, inf:
    excluded), ``lower <= 0 <= upper`` bound its coefficient.
    """

    penalty_weights: Floats | None = None
    lower: Floats | None = None
    upper: Floats | None = None

    @property
    def plain(self) -> bool:
        """Whether nothing was asked for."""
        return self.penalty_weights is None and self.lower is None and self.upper is None

    def clip(self, coef: Floats) -> Floats:
        """Return the nearest coefficients that the bounds and exclusions allow."""
        if self.lower is not None or self.upper is not None:
            low = -np.inf if self.lower is None else self.lower
            high = np.inf if self.upper is None else self.upper
            coef = np.clip(coef, low, high)
        if self.penalty_weights is not None:
            coef = np.where(np.isinf(self.penalty_weights), 0.0, coef)
        return coef

    def scaled(self, scale: Floats) -> ColumnOptions:
        """Return the options for columns divided by ``scale`` (coefficients grow by it)."""
        return ColumnOptions(
            self.penalty_weights,
            None if self.lower is None else self.lower * scale,
            None if self.upper is None else self.upper * scale,
        )

    def penalty(self, coefs: Floats, l1: Floats, l2: Floats) -> Floats:
        """Return the penalties of models, a column of ``coefs`` each, with their own l1 and l2.

        Excluded columns have coefficients 0 and cost nothing.
        """
        given = self.penalty_weights
        weights = np.ones(len(coefs)) if given is None else np.where(np.isinf(given), 0.0, given)
        return np.asarray(l1 * (weights @ np.abs(coefs)) + 0.5 * l2 * (weights @ coefs**2))


PLAIN = ColumnOptions()


def check_columns(estimator: Any, n_features: int) -> ColumnOptions:
    """Check the per-column options of an estimator against its number of features."""
    weights = getattr(estimator, "penalty_weights", None)
    low, high = getattr(estimator, "lower", None), getattr(estimator, "upper", None)
    positive = getattr(estimator, "positive", False)
    if weights is None and low is None and high is None and positive is False:
        return PLAIN
    weights = _per_column(weights, "penalty_weights", n_features)
    low = _per_column(low, "lower", n_features)
    high = _per_column(high, "upper", n_features)
    if weights is not None and (weights < 0.0).any():
        raise ValueError(
            "penalty_weights must not be negative; 0 leaves a feature unpenalized and inf "
            "excludes it."
        )
    if check_flag(positive, "positive"):
        if low is not None and (low < 0.0).any():
            raise ValueError(
                "positive=True contradicts a negative value in lower; drop one of the two."
            )
        low = np.zeros(n_features)
    if (low is not None and (low > 0.0).any()) or (high is not None and (high < 0.0).any()):
        raise ValueError("Bounds need lower <= 0 <= upper for every feature.")
    return ColumnOptions(weights, low, high)


def _per_column(value: Any, name: str, n_features: int) -> Floats | None:
    if value is None:
        return None
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from error
    if array.ndim == 0:
        array = np.full(n_features, float(array))
    if array.shape != (n_features,):
        raise ValueError(
            f"{name} has shape {array.shape}; it needs one value, or one per feature "
            f"({n_features})."
        )
    if np.isnan(array).any():
        raise ValueError(f"{name} has NaN values; every feature needs a number (or inf).")
    return array
