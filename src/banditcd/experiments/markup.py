"""Tables as HTML and as Markdown, and sentences that count ratios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from banditcd.experiments.reach import Ratio


def html_table(head: Iterable[str], lines: Iterable[str], kind: str = "") -> str:
    """Return a table that scrolls by itself on a narrow screen; its parts are HTML."""
    cells = "".join(f"<th>{cell}</th>" for cell in head)
    name = f' class="{kind}"' if kind else ""
    return (
        f'<div class="scroll"><table{name}><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def html_line(cells: Sequence[str]) -> str:
    """Return a line of a table, the first of its cells (HTML) as its head."""
    return f"<tr><th>{cells[0]}</th>{''.join(f'<td>{cell}</td>' for cell in cells[1:])}</tr>"


def text_table(head: Iterable[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table of plain text as HTML."""
    rows = (html_line([escape(cell) for cell in cells]) for cells in lines)
    return html_table(map(escape, head), rows)


def markdown_table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table in Markdown."""
    body = (f"| {' | '.join(cells)} |" for cells in lines)
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *body]


def ratio_text(ratio: Ratio) -> str:
    """Return a ratio with the mark of a bound."""
    if ratio.bound == "-":
        return "-"
    number = f"{ratio.value:.0f}" if ratio.value >= 99.5 else f"{ratio.value:.2g}"
    return f"{ratio.bound}{number}"


def counted(ratios: Iterable[Ratio]) -> str:
    """Return on how many problems a rule needs less work, and the spread; empty if on none."""
    ordered = sorted((r for r in ratios if r.bound != "-"), key=lambda ratio: ratio.value)
    if not ordered:
        return ""
    won = sum(ratio.value > 1.0 and ratio.bound != "<" for ratio in ordered)
    low, middle, high = (ratio_text(ordered[k]) for k in (0, len(ordered) // 2, -1))
    return f"on {won} of {len(ordered)} problems (ratios from {low} over {middle} to {high})."
