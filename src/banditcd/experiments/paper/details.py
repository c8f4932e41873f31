"""The second half of the page: objections, rules, budgets, readings, sources of numbers."""

from __future__ import annotations

from html import escape

from banditcd.experiments.markup import html_line, html_table
from banditcd.experiments.paper import html
from banditcd.experiments.paper.objections import LEAD, OBJECTIONS
from banditcd.experiments.paper.report import Report, section


def details_sections(report: Report) -> str:
    """Return everything below the tables of the paper."""
    penalties = [html.table(view) for view in (report.penalties,) if view is not None]
    if report.readings is not None:
        penalties.append(f"<h3>{escape(report.readings.title)}</h3>")
        penalties.append(html.table(report.readings))
    claims = [html.claim_details(judgement) for judgement in report.claims]
    numbers = (
        '<p class="soft">Runs are numbered in runs.csv; their records are in rows.csv under the '
        "same number.</p>" + html.ledger_table(report.court.ledger)
    )
    sections = (
        ("objections", "Objections and answers", _objections()),
        ("rules", "The rules of judging, and the budgets", _rules(report)),
        ("undecided", "Undecided cases", [html.undecided_table(report.claims)]),
        ("penalty", "How λ was chosen, and other readings", penalties),
        ("claims", "The claims in detail", claims),
        ("numbers", "Where every number comes from", [numbers]),
    )
    return "".join(section(*parts) for parts in sections if report.wanted.has(parts[0]))


def _objections() -> list[str]:
    return [
        f'<p class="soft">{escape(LEAD)}</p>',
        *(
            part
            for heading, pairs in OBJECTIONS
            for part in (
                f"<h3>{escape(heading)}</h3>",
                *(f"<p><b>{escape(a)}</b> {escape(b)}</p>" for a, b in pairs),
            )
        ),
    ]


def _rules(report: Report) -> list[str]:
    rules = report.configuration.rules
    lines = (
        html_line([escape(rule.name), f"{rule.value:g}", escape(rule.reason)])
        for rule in rules.rules
    )
    history = "".join(
        f"<li>Version {change.version}: {escape(change.text)}</li>" for change in rules.history
    )
    table = html_table(("rule", "value", "reason"), lines, "verdicts")
    budgets = [] if report.budgets is None else [html.table(report.budgets)]
    return [f"<p>Version {rules.version}.</p>{table}<ul>{history}</ul>", *budgets]
