"""A table of the models along a path, as Python and the command line show it."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 20


@dataclass(frozen=True, eq=False)
class PathTable:
    """Models along a path, one row each, from the strongest penalty to the weakest.

    Attributes
    ----------
    penalty : str
        "alpha" or "C".
    penalties : ndarray of shape (n_models,)
        Their values.
    features : ndarray of int of shape (n_models,)
        Number of features in each model.
    explained : ndarray of shape (n_models,)
        Share of the null model's deviance that is explained on the training data (R² for squared
        losses); NaN where it is not known.
    gaps : ndarray of shape (n_models,)
        Duality gaps, relative to the objective of the null model.
    total : int
        Models of the path, of which the table may be a part.
    """

    penalty: str
    penalties: Floats
    features: NDArray[np.intp]
    explained: Floats
    gaps: Floats
    total: int

    def __len__(self) -> int:
        return len(self.penalties)

    def part(self, rows: int) -> PathTable:
        """Return the given number of rows, evenly spread; 0 for all."""
        count = len(self)
        chosen = np.unique(np.linspace(0, count - 1, min(rows or count, count)).round().astype(int))
        columns = ("penalties", "features", "explained", "gaps")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})

    @property
    def head(self) -> tuple[str, str, str, str]:
        """The names of the columns."""
        return self.penalty, "features", "explained", "gap"

    @property
    def cells(self) -> list[tuple[str, str, str, str]]:
        """The rows, as words."""
        return [
            (f"{penalty:.5g}", f"{count:,}", percent(share), f"{gap:.1e}")
            for penalty, count, share, gap in zip(
                self.penalties, self.features, self.explained, self.gaps, strict=True
            )
        ]

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame (pandas must be installed)."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "PathTable.to_pandas needs pandas; install it with 'pip install banditcd[pandas]'."
            ) from error
        return pd.DataFrame(
            {
                self.penalty: self.penalties,
                "features": self.features,
                "explained": self.explained,
                "gap": self.gaps,
            }
        )

    def __str__(self) -> str:
        widths = (12, 8, 9, 8)
        rows = [self.head, *self.cells]
        return "\n".join(
            "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
            for row in rows
        )

    def __repr__(self) -> str:
        """Return at most 20 rows, and how many there are."""
        short = self.part(SHOWN)
        return str(self) if len(short) == len(self) else f"{short}\n{_note(short)}"

    def _repr_html_(self) -> str:
        short = self.part(SHOWN)
        note = "" if len(short) == len(self) else f"<p>{html.escape(_note(short))}</p>"
        head = _row(self.head, "th")
        return f"<table><thead>{head}</thead><tbody>{short.rows}</tbody></table>{note}"

    @property
    def rows(self) -> str:
        """The rows as HTML."""
        return "\n".join(_row(cells, "td") for cells in self.cells)


def _note(short: PathTable) -> str:
    return f"{len(short)} of {short.total} rows; print(table) shows all."


def _row(cells: Any, kind: str) -> str:
    inner = "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in cells)
    return f"<tr>{inner}</tr>"


def percent(share: float) -> str:
    """Return a share in percent, with two decimals and no minus sign before zero."""
    if np.isnan(share):
        return "-"
    value = round(100.0 * float(share), 2) + 0.0  # -0.0 + 0.0 is 0.0
    return f"{value:.2f} %"
