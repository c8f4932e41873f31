"""The answer of a path function: scikit-learn's tuple, with a table and a picture."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.bases.deviance import PathData
from banditcd.estimators.bases.libraries import Library, to_library
from banditcd.estimators.bases.path_table import PathTable


class FittedPath(tuple[Any, ...]):
    """The values that a path function documents, in its order; as NumPy's also as attributes.

    Attributes
    ----------
    penalty : str
        "alpha" or "C".
    penalties : ndarray of shape (n_models,)
        Their values, from the strongest penalty to the weakest.
    coefs : ndarray of shape (n_features, n_models) or (n_rows, n_features, n_models)
        Coefficients along the path.
    intercepts : ndarray of shape (n_models,) or (n_rows, n_models)
        Intercepts; 0 without one.
    dual_gaps : ndarray of shape (n_models,)
        Duality gaps in the units of the objective; (n_classes, n_models) of one against the rest.
    feature_names : list of str or None
        Names of the columns, if X had some.

    Notes
    -----
    Until the first :meth:`table`, the path holds on to X and y, which it was fitted on.
    """

    penalty: str
    penalties: Floats
    coefs: Floats
    intercepts: Floats
    dual_gaps: Floats
    feature_names: list[str] | None
    _data: PathData | None
    _table: PathTable | None

    @classmethod
    def of(
        cls,
        values: tuple[Any, ...],
        models: tuple[str, Floats, Floats, Floats, Floats],
        data: PathData | None,
        names: Any = None,
    ) -> FittedPath:
        """Return the values with what is known about them.

        ``models``: the name of the penalty, penalties, coefficients, intercepts and gaps; ``data``
        is None where X lives elsewhere.
        """
        path = cls(values)
        path.penalty, path.penalties, path.coefs, path.intercepts, path.dual_gaps = models
        path.feature_names = None if names is None else [str(name) for name in names]
        path._data, path._table = data, None
        return path

    def in_library(self, library: Library | None) -> FittedPath:
        """Return the path with its values as arrays of a library (None: as it is).

        Attributes stay NumPy's: the table and the picture are made of them.
        """
        if library is None:
            return self
        path = type(self)(to_library(value, library) for value in self)
        vars(path).update(vars(self))
        return path

    def table(self) -> PathTable:
        """Return penalty, number of features, deviance explained and gap of every model.

        The deviance explained is the share of the null model's loss (the best constant with an
        intercept, zero without) that a model explains on the training data. It reads X once; for X
        on a cluster or a GPU it is NaN.

        Returns
        -------
        PathTable
            ``print`` shows all rows, ``to_pandas()`` is a data frame.
        """
        if self._table is None:
            self._table, self._data = self._measured(), None
        return self._table

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the coefficients; options are those of :meth:`banditcd.PathDisplay.plot`.

        Returns
        -------
        PathDisplay
        """
        from banditcd.estimators.displays.path_display import PathDisplay

        if self.coefs.ndim == 3:
            raise ValueError("There are several rows of coefficients; draw one of path.coefs.")
        strengths = self.penalties if self.penalty == "alpha" else 1.0 / self.penalties
        name = self.penalty if self.penalty == "alpha" else "1 / C"
        display = PathDisplay(
            strengths, self.coefs, feature_names=self.feature_names, penalty_name=name
        )
        return display.plot(ax=ax, **options)

    def _measured(self) -> PathTable:
        used = self.coefs if self.coefs.ndim == 2 else self.coefs.any(axis=0)
        features = np.asarray(np.count_nonzero(used, axis=0))
        explained, gaps = np.full(len(features), np.nan), np.atleast_2d(self.dual_gaps).sum(axis=0)
        if self.penalty == "C":
            gaps = gaps / self.penalties
        if self._data is not None:
            losses, null = self._data.losses(self.coefs, self.intercepts)
            if null > 0.0:
                explained, gaps = 1.0 - losses / null, gaps / null
            else:
                explained = np.zeros(len(features))
        return PathTable(self.penalty, self.penalties, features, explained, gaps, len(features))

    def __reduce__(self) -> Any:
        """Travel without the data: the table is made first."""
        self.table()
        return _restored, (tuple(self), vars(self))


def _restored(values: tuple[Any, ...], state: dict[str, Any]) -> FittedPath:
    path = FittedPath(values)
    vars(path).update(state)
    return path


def names_of(X: Any) -> Any:
    """Return the names of the columns of a data frame, or None."""
    columns = getattr(X, "columns", None)
    return columns if columns is not None and len(columns) == np.shape(X)[1] else None
