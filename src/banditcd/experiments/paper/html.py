"""Small pieces of HTML: cited numbers, tables, verdict chips."""

from __future__ import annotations

from html import escape

from banditcd.experiments.markup import html_line, html_table, text_table
from banditcd.experiments.paper.claims import DEPENDS, EPOCHS_ONLY, FAILED, HELD, Case, Claim
from banditcd.experiments.paper.judgement import Finding, Judgement
from banditcd.experiments.paper.ledger import Cited, Ledger
from banditcd.experiments.paper.observations import Observation
from banditcd.experiments.paper.readings import LEVEL_NAMES, MEDIANS
from banditcd.experiments.paper.tables import Content, TableView

MOST_NAMED = 4  # cases that are named in the table of verdicts
_CHIPS = {HELD: "held", EPOCHS_ONLY: "epochs", DEPENDS: "depends", FAILED: "failed"}


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
    lines = (html_line([content(cell) for cell in line]) for line in view.lines)
    return f'<p class="soft">{escape(view.note)}</p>{html_table(map(escape, view.head), lines)}'


def verdict_table(judgements: list[Judgement]) -> str:
    """Return all claims with what was measured, the verdicts and what they depend on."""
    lines = (
        f"<tr><th>{escape(j.where)}</th>"
        f'<td class="says">{escape(j.says)}</td>'
        f'<td data-head="at e⁻⁵:">{chip(j.verdict)} '
        f'<span class="soft">{escape(j.told)}</span></td>'
        f'<td class="why" data-head="because:">{escape(reasons(j))}</td>'
        f'<td class="found" data-head="measured:"><a href="#claim-{j.id}">'
        f"{escape(measured(j))}</a></td>"
        f'<td data-head="at 10⁻⁶ P₀:">{chip(j.strict) if j.strict else ""}</td>'
        f'<td data-head="stand-ins:">{escape(j.stand_ins)}</td></tr>'
        for j in judgements
    )
    heads = (
        "where", "the paper says (in our words)", "verdict at e⁻⁵", "it depends on, or fails on",
        "measured, as in the figures", "at 10⁻⁶ P₀", "stand-ins alone (decide nothing)",
    )  # fmt: skip
    return html_table(heads, lines, "verdicts")


def reasons(judgement: Judgement) -> str:
    """Return what a verdict depends on, or which sets speak against the claim."""
    if judgement.verdict == EPOCHS_ONLY and judgement.depends:
        return f"in work and seconds: {judgement.depends}"
    if judgement.verdict == DEPENDS:
        return judgement.depends
    if judgement.verdict == FAILED and judgement.fails_on:
        more = len(judgement.fails_on) - MOST_NAMED
        rest = f" and {more} more" if more > 0 else ""
        return "fails on " + ", ".join(judgement.fails_on[:MOST_NAMED]) + rest
    return ""


def measured(judgement: Judgement) -> str:
    """Return the counts under the reading of the figures."""
    return "no case on real data" if judgement.shown is None else judgement.shown.measured


def claim_details(judgement: Judgement) -> str:
    """Return a claim under every reading, and its cases number by number."""
    real = "".join(_finding(f) for f in judgement.findings if _has_own_numbers(f))
    apart = "".join(_finding(f) for f in judgement.apart if _has_own_numbers(f))
    return (
        f'<details id="claim-{judgement.id}"><summary>{escape(judgement.where)}: '
        f"{escape(judgement.says)} {chip(judgement.verdict)}</summary>"
        f'<p class="soft">Judged by: {escape(judgement.judged)}.</p>'
        f"{_grid(judgement.findings, 'real data')}{_grid(judgement.apart, 'stand-ins')}"
        f"{real}{apart}</details>"
    )


def _has_own_numbers(finding: Finding) -> bool:
    """Whether a finding has numbers of its own: the ways to treat noise share theirs."""
    return finding.reading.noise == MEDIANS and bool(finding.claim.cases)


def _grid(findings: tuple[Finding, ...], title: str) -> str:
    """Return the verdicts, a line per reading of the data and a column per way to treat noise."""
    if not any(f.claim.cases for f in findings):
        return ""
    noises = list(dict.fromkeys(f.reading.noise for f in findings))
    lines: dict[str, list[str]] = {}
    for f in findings:
        strict = f" / {f.claim.strict}" if f.claim.strict else ""
        lines.setdefault(f.reading.label, []).append(f"{f.claim.verdict}{strict}")
    head = (f"{title}: verdict at e⁻⁵ / at 10⁻⁶ P₀", *(LEVEL_NAMES[noise] for noise in noises))
    return text_table(head, ((label, *cells) for label, cells in lines.items()))


def _finding(finding: Finding) -> str:
    claim: Claim = finding.claim
    blocks = [_cases("until e⁻⁵" if claim.strict else "", claim.cases)]
    if claim.strict_cases:
        blocks.append(_cases("until 10⁻⁶ P₀", claim.strict_cases))
    return (
        f"<details><summary>{escape(finding.reading.label)}: {escape(claim.measured)}</summary>"
        f"{''.join(blocks)}</details>"
    )


def undecided_table(judgements: list[Judgement]) -> str:
    """Return the cases of the figures' reading that the rows cannot decide, with the reason."""
    lines = [
        html_line(
            [
                *map(escape, (j.says, title, cell.measure)),
                content(cell.cited),
                escape(cell.why or "a bound that does not tell"),
            ]
        )
        for j in judgements
        for title, cell in j.undecided
    ]
    if not lines:
        return '<p class="soft">None.</p>'
    return html_table(("claim", "case", "measure", "number", "why"), lines, "verdicts")


def observation(found: Observation) -> str:
    """Return what is measured and not judged."""
    numbers = ", ".join(f"{escape(name)}: {content(cited)}" for name, cited in found.measured)
    return f"<p><b>“{escape(found.says)}”</b> {escape(found.why)} {numbers}.</p>"


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
    lines = (
        f'<tr id="{e.id}"><th>{e.id}</th><td>{escape(e.what)}</td><td>{escape(e.value)}</td>'
        f"<td>{escape(e.low)}</td><td>{escape(e.high)}</td><td>{escape(e.source)}</td></tr>"
        for e in ledger.entries
    )
    return html_table(("number", "what", "value", "lowest", "highest", "from"), lines, "ledger")
