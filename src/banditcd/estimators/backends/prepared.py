r"""From checked data to solvers, with standardized columns where asked for.

Standardizing divides column j by its spread :math:`\sigma_j`; coefficients are reported for the
columns as given. In their terms the penalty of column j becomes
:math:`\alpha(\rho\,\sigma_j|w_j| + \tfrac{1-\rho}{2}\sigma_j^2 w_j^2)`. Without an L2 part that
is a penalty weight and X is used as it is; with one, X is scaled in one copy.

The engine is imported on first use: a fit by a fast solver does not load it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.runs import runs
from banditcd.estimators.backends.elastic_net import ElasticNetBackend
from banditcd.estimators.backends.rounding import Objective, squared_objective
from banditcd.estimators.backends.scaling import ScaledColumns
from banditcd.estimators.backends.solution import Backend
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.moments import column_spreads
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.solvers.arrays import is_sparse


@dataclass(slots=True)
class Prepared(ScaledColumns):
    """Columns ready to be solved for any response.

    ``scale`` is what the columns were divided by (None: nothing), ``gram`` their Gram matrix where
    the caller gave one.
    """

    X: Any
    sample_weight: Floats | None
    columns: ColumnOptions
    settings: LinearSettings
    scale: Floats | None
    gram: Floats | None = None

    def backend(self, y: Floats, solves: int = 1) -> Backend:
        """Return a solver for one response."""
        if self.settings.selector is None:
            return ElasticNetBackend(
                self.X, y, self.sample_weight, self.columns, self.settings, solves, gram=self.gram
            )
        from banditcd.estimators.backends.engine_elastic_net import EngineBackend

        return EngineBackend(self.X, y, self.sample_weight, self.columns, self.settings)

    def objective(self, y: Floats, alphas: Floats) -> Objective:
        """Return the objective of models of the columns as given, one alpha for each."""
        weight, (l1, l2) = self.sample_weight, self.settings.penalties(alphas)
        total = float(len(y) if weight is None else weight.sum())
        inner = squared_objective(self.X, y, weight, self.columns, factor=0.5 / total, l1=l1, l2=l2)
        return self.of_given(inner)

    def fitted(self, coef: Floats, intercept: float) -> dict[str, Any]:
        """Return the attributes of an estimator at this point, for callbacks."""
        return {"coef_": self.unscaled(coef), "intercept_": intercept}


def prepare(
    data: Training, columns: ColumnOptions, settings: LinearSettings, gram: Floats | None = None
) -> Prepared:
    """Standardize if asked for, without touching the caller's arrays."""
    if not settings.standardize:
        return Prepared(data.X, data.sample_weight, columns, settings, None, gram)
    X, columns, scale = standardized(data, columns, settings.l1_ratio, settings.fit_intercept)
    if gram is not None and scale is not None:
        gram = gram / np.outer(scale, scale)
    return Prepared(X, data.sample_weight, columns, settings, scale, gram)


def standardized(
    data: Training, columns: ColumnOptions, l1_ratio: float, about_mean: bool
) -> tuple[Any, ColumnOptions, Floats | None]:
    """Return X, the options of its columns and what they were divided by (None: nothing)."""
    spread = column_spreads(data.X, data.sample_weight, about_mean)
    spread[spread == 0.0] = 1.0
    if l1_ratio == 1.0:
        weights = spread if columns.penalty_weights is None else columns.penalty_weights * spread
        return data.X, ColumnOptions(weights, columns.lower, columns.upper), None
    return _divided(data.X, spread), columns.scaled(spread), spread


def _divided(X: Any, spread: Floats) -> Any:
    """Return X with its columns divided, in float64 and in the order that X is stored in."""
    if is_sparse(X):
        return _divided_sparse(X, spread)
    out: Floats = np.empty_like(X, dtype=np.float64)
    np.divide(X, spread, out=out)
    return out


def _divided_sparse(X: Any, spread: Floats) -> Any:
    """Return the same by columns or by rows; places of entries are shared with X."""
    by_rows = X.format == "csr"
    kind, given = (sparse.csr_array, X) if by_rows else (sparse.csc_array, X.tocsc())
    made = kind((given.data.astype(np.float64), given.indices, given.indptr), shape=X.shape)
    if not made.has_canonical_format:
        made = made.copy()
        made.sum_duplicates()
    for first, last in runs(made.indptr):
        starts = made.indptr[first : last + 1]
        part = slice(starts[0], starts[-1])
        if by_rows:
            made.data[part] /= spread[made.indices[part]]
        else:
            made.data[part] /= np.repeat(spread[first:last], np.diff(starts))
    return made
