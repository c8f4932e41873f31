"""The rows a run leaves behind."""

from __future__ import annotations

import csv
import json
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class TraceRow:
    """One record of a run.

    ``work`` counts the matrix entries the method touched, in units of ``2 nnz(A)`` (one dot and
    one axpy with every column); refreshes and zero moves are counted honestly. ``seconds`` is
    the method's own time: evaluating the objective and the certificate is excluded, and the
    entries read for that are in ``certificate_work``.

    Attributes
    ----------
    step : int
        Steps so far.
    epoch : float
        Steps over d.
    work, seconds, certificate_work : float
        See above.
    objective, gap : float
        F(x), and the duality gap at x.
    support : int
        Number of coordinates that are not zero.
    """

    step: int
    epoch: float
    work: float
    seconds: float
    objective: float
    gap: float
    support: int
    certificate_work: float


@dataclass(repr=False)
class Trace:
    """Rows of a run, in order; each column is an array of the same length.

    Parameters
    ----------
    rows : list of TraceRow
        The records.
    """

    rows: list[TraceRow] = field(default_factory=list)

    def __repr__(self) -> str:
        """Return one sentence; the rows are in their field."""
        if not self.rows:
            return "Trace of 0 rows"
        first, last = self.rows[0], self.rows[-1]
        return (
            f"Trace of {len(self):,} rows: gap {first.gap:.3g} to {last.gap:.3g} in "
            f"{last.epoch:.4g} epochs, {last.work:.4g} passes of work, {last.seconds:.3g} s"
        )

    def _repr_html_(self) -> str:
        from banditcd.results.notebook import trace_html

        return trace_html(self)

    def plot(self) -> Figure:
        """Return a picture of gap and support against work (matplotlib must be installed)."""
        from banditcd.results.plot import plot_trace

        return plot_trace(self)

    def record(self, row: TraceRow) -> None:
        """Append one row."""
        self.rows.append(row)

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> npt.NDArray[Any]:
        """One column as an array."""
        kind = np.int64 if name in ("step", "support") else np.float64
        return np.array([getattr(row, name) for row in self.rows], dtype=kind)

    @property
    def step(self) -> npt.NDArray[np.int64]:
        """Coordinate updates done so far."""
        return self.column("step")

    @property
    def epoch(self) -> Floats:
        """Updates divided by the number of coordinates."""
        return self.column("epoch")

    @property
    def work(self) -> Floats:
        """Matrix entries touched by the method / (2 nnz)."""
        return self.column("work")

    @property
    def seconds(self) -> Floats:
        """Time of the method, evaluation excluded."""
        return self.column("seconds")

    @property
    def objective(self) -> Floats:
        """F(x), the cost that is minimized."""
        return self.column("objective")

    @property
    def gap(self) -> Floats:
        """Duality gap of the best certificate."""
        return self.column("gap")

    @property
    def support(self) -> npt.NDArray[np.int64]:
        """Number of non-zero coordinates."""
        return self.column("support")

    @property
    def certificate_work(self) -> Floats:
        """Entries read only to evaluate and certify / (2 nnz)."""
        return self.column("certificate_work")

    def to_numpy(self) -> npt.NDArray[np.void]:
        """Return the rows as one structured array."""
        kinds = [
            (f.name, np.int64 if f.name in ("step", "support") else np.float64)
            for f in fields(TraceRow)
        ]
        return np.array([astuple(row) for row in self.rows], dtype=kinds)

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame (pandas must be installed)."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "Trace.to_pandas needs pandas; install it with 'pip install banditcd[pandas]', "
                "or use to_numpy()."
            ) from error
        return pd.DataFrame(self.to_numpy())

    def to_csv(self, path: str | Path) -> None:
        """Write the rows as CSV with a header line; floats keep all their digits."""
        with Path(path).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([f.name for f in fields(TraceRow)])
            writer.writerows([repr(value) for value in astuple(row)] for row in self.rows)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return (and write, if a path is given) a JSON object with one list per column."""
        columns = {f.name: [getattr(row, f.name) for row in self.rows] for f in fields(TraceRow)}
        text = json.dumps(_finite(columns))
        if path is not None:
            Path(path).write_text(text)
        return text


def _finite(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """JSON has no inf and nan: they become null."""
    return {k: [v if np.isfinite(v) else None for v in values] for k, values in columns.items()}
