"""Small pieces of HTML: cited numbers, tables, verdict chips."""

from __future__ import annotations

from html import escape

from banditcd.experiments.paper.claims import EPOCHS_ONLY, FAILED, HELD, Case, Claim
from banditcd.experiments.paper.ledger import Cited, Ledger
from banditcd.experiments.paper.tables import Content, TableView

_CHIPS = {HELD: "held", EPOCHS_ONLY: "epochs", FAILED: "failed"}


def chip(verdict: str) -> str:
    """Return a verdict as a colored word."""
    return f'<span class="chip {_CHIPS.get(verdict, "none")}">{escape(verdict)}</span>'


def content(cell: Content) -> str:
    """Return a cell; a cited number leads to its line in the ledger."""
    if isinstance(cell, Cited):
        return f'<a class="n" href="#{cell.id}">{escape(cell.text)}</a>'
    return escape(cell)


def table(view: TableView) -> str:
    """Return a table that scrolls by itself on a narrow screen."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in view.head)
    lines = "".join(
        f"<tr><th>{content(line[0])}</th>{''.join(f'<td>{content(c)}</td>' for c in line[1:])}</tr>"
        for line in view.lines
    )
    return (
        f'<p class="soft">{escape(view.note)}</p><div class="scroll"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def verdict_table(claims: list[Claim]) -> str:
    """Return all claims with what was measured and the verdicts."""
    lines = "".join(
        f"<tr><th>{escape(claim.where)}</th>"
        f'<td class="says">{escape(claim.says)}</td>'
        f'<td data-head="measured:"><a href="#claim-{claim.id}">{escape(claim.measured)}</a></td>'
        f'<td data-head="at e⁻⁵:">{chip(claim.verdict)}</td>'
        f"{_strict(claim)}</tr>"
        for claim in claims
    )
    return (
        '<div class="scroll"><table class="verdicts"><thead><tr><th>where</th><th>the paper says '
        "(in our words)</th><th>we measured</th><th>verdict at e⁻⁵</th><th>at 10⁻⁶ P₀</th></tr>"
        f"</thead><tbody>{lines}</tbody></table></div>"
    )


def _strict(claim: Claim) -> str:
    return f'<td data-head="at 10⁻⁶ P₀:">{chip(claim.strict)}</td>' if claim.strict else "<td></td>"


def claim_details(claim: Claim) -> str:
    """Return the cases of a claim, number by number."""
    blocks = [_cases("until e⁻⁵" if claim.strict else "", claim.cases)]
    if claim.strict_cases:
        blocks.append(_cases("until 10⁻⁶ P₀", claim.strict_cases))
    return (
        f'<details id="claim-{claim.id}"><summary>{escape(claim.where)}: {escape(claim.says)} '
        f'{chip(claim.verdict)}</summary><p class="soft">Judged by: {escape(claim.judged)}.</p>'
        f"{''.join(blocks)}</details>"
    )


def _cases(title: str, cases: tuple[Case, ...]) -> str:
    if not cases:
        return ""
    lines = "".join(
        f"<tr><th>{escape(case.title)}</th>"
        + "".join(
            f'<td class="{_mark(cell.holds)}">{escape(cell.measure)} {content(cell.cited)}'
            f"{f' ({escape(cell.note)})' if cell.note else ''}</td>"
            for cell in case.cells
        )
        + "</tr>"
        for case in cases
    )
    heading = f"<h4>{escape(title)}</h4>" if title else ""
    return f'{heading}<div class="scroll"><table><tbody>{lines}</tbody></table></div>'


def _mark(holds: bool | None) -> str:
    return "" if holds is None else ("win" if holds else "loss")


def ledger_table(ledger: Ledger) -> str:
    """Return every cited number with the runs it comes from."""
    lines = "".join(
        f'<tr id="{e.id}"><th>{e.id}</th><td>{escape(e.what)}</td><td>{escape(e.value)}</td>'
        f"<td>{escape(e.low)}</td><td>{escape(e.high)}</td><td>{escape(e.source)}</td></tr>"
        for e in ledger.entries
    )
    return (
        '<div class="scroll"><table class="ledger"><thead><tr><th>number</th><th>what</th>'
        "<th>value</th><th>lowest</th><th>highest</th><th>from</th></tr></thead>"
        f"<tbody>{lines}</tbody></table></div>"
    )
