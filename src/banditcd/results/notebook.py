"""HTML of a run for notebooks: a few lines, without a picture library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from banditcd.results.result import Result
    from banditcd.results.trace import Trace

ROWS = 10
"""Rows of a trace that are shown, evenly spread."""


def result_html(result: Result) -> str:
    """Return the outcome of a run as a table of two columns."""
    facts = {
        "status": f"{result.status}: {result.status.sentence}",
        "objective": f"{result.objective:.10g}",
        "duality gap": f"{result.gap:.3g} (target {result.tolerance:.3g})",
        "effort": f"{result.epochs:.4g} epochs, {result.work:.4g} passes of work, "
        f"{result.seconds:.3g} s",
        "non-zero coefficients": f"{np.count_nonzero(result.coef):,} of {result.coef.size:,}",
        "method": f"{result.selector}, {result.update} ({result.engine} engine)",
    }
    if len(result.trace):
        facts["trace"] = f"{len(result.trace):,} rows; plot() draws them"
    rows = [
        f"<tr><th>{escape(name)}</th><td>{escape(fact)}</td></tr>" for name, fact in facts.items()
    ]
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def trace_html(trace: Trace) -> str:
    """Return some rows of a trace, and how many there are."""
    if not len(trace):
        return "<p>A trace without rows.</p>"
    places = np.unique(np.linspace(0, len(trace) - 1, ROWS).round().astype(int))
    shown = [trace.rows[int(k)] for k in places]
    head = ("step", "epoch", "work", "seconds", "objective", "gap", "support")
    body = [
        _row(
            "td",
            (
                f"{row.step:,}",
                f"{row.epoch:.4g}",
                f"{row.work:.4g}",
                f"{row.seconds:.3g}",
                f"{row.objective:.10g}",
                f"{row.gap:.3g}",
                f"{row.support:,}",
            ),
        )
        for row in shown
    ]
    note = f"<p>{len(shown)} of {len(trace):,} rows; to_pandas() has all, plot() draws them.</p>"
    table = f"<table><thead>{_row('th', head)}</thead><tbody>{_joined(body)}</tbody></table>"
    return table + (note if len(shown) < len(trace) else "")


def _row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{_joined(f'<{kind}>{escape(cell)}</{kind}>' for cell in cells)}</tr>"


def _joined(parts: Iterable[str]) -> str:
    return "".join(parts)
