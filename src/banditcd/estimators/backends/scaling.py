"""Models of scaled columns: their coefficients and objectives in terms of the columns as given."""

from __future__ import annotations

from banditcd._typing import Floats
from banditcd.estimators.backends.rounding import Objective
from banditcd.estimators.checks.column_options import ColumnOptions


class ScaledColumns:
    """Columns that were divided by ``scale`` (None: by nothing)."""

    __slots__ = ()

    scale: Floats | None
    columns: ColumnOptions

    @property
    def given_columns(self) -> ColumnOptions:
        """The options of the columns as given."""
        return self.columns if self.scale is None else self.columns.scaled(1.0 / self.scale)

    def scaled(self, coef: Floats) -> Floats:
        """Return coefficients of the given columns in terms of the scaled ones."""
        return coef if self.scale is None else coef * self.scale

    def unscaled(self, coef: Floats) -> Floats:
        """Return coefficients of the scaled columns in terms of those given."""
        return coef if self.scale is None else coef / self.scale

    def of_given(self, objective: Objective) -> Objective:
        """Return the objective of models of the columns as given, from that of scaled ones."""
        scale = self.scale
        if scale is None:
            return objective
        return lambda coefs, intercepts: objective(coefs * scale[:, None], intercepts)
