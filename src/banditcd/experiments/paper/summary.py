"""The report as Markdown: verdicts, tables, and links to the figures."""

from __future__ import annotations

from banditcd.experiments.paper.html import measured, reasons
from banditcd.experiments.paper.judgement import Judgement
from banditcd.experiments.paper.ledger import Cited
from banditcd.experiments.paper.objections import LEAD, OBJECTIONS
from banditcd.experiments.paper.observations import Observation
from banditcd.experiments.paper.report import (
    CAPTIONS,
    HOW,
    TITLE,
    VERDICT,
    Report,
    counts,
    in_short,
    kinds_sentence,
)
from banditcd.experiments.paper.tables import Content, TableView


def summary(report: Report, command: str) -> str:
    """Return the summary; cited numbers are followed by their name in numbers.csv."""
    seeds, name = report.configuration.seeds, report.configuration.name
    parts = [
        f"# {TITLE}",
        (
            "The experiments of Salehi, Thiran and Celis (NeurIPS 2018), run again: what the paper "
            "says about its figures and tables, and whether what we measure bears it out. Three "
            "measures: *epochs*, the paper's, are d updates; *work* counts every matrix entry that "
            "is touched, to choose a coordinate or to move it; *seconds* are CPU time."
        ),
        (
            f"Made by `{command}` ({name} configuration, {seeds} seeds). {kinds_sentence(report)} "
            "The interactive page is [report.html](report.html)."
        ),
        *(f"{m.problem} is left out: {m.reason}" for m in report.missing),
        *_part("Verdicts", _verdict_parts(report)),
        *_part("Measured, not judged", [_observation(found) for found in report.observations]),
        *(_objections() if report.wanted.has("objections") else []),
        *_rules(report),
        *_part("How to read the figures", [HOW]),
        *_figures(report),
        *_tables(report),
        *_part("Machines and dates", [session.sentence for session in report.sessions]),
        "## Where every number comes from",
        (
            "Small names such as n12 are lines of [numbers.csv](numbers.csv), which lists the "
            "runs behind each number; runs are numbered in [runs.csv](runs.csv), and their records "
            "are in [rows.csv](rows.csv). The problems, their penalties and optima are in "
            "[problems.csv](problems.csv) and [penalties.csv](penalties.csv), the machine and the "
            "date in [sessions.csv](sessions.csv)."
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _verdict_parts(report: Report) -> list[str]:
    """Return the claims by verdict, then one by one."""
    return [
        VERDICT,
        ", ".join(f"{n} {verdict}" for verdict, n in counts(report).items()) + ".",
        *(
            "\n".join([f"**{verdict.capitalize()}**", "", *(f"- {each}" for each in says)])
            for verdict, says in in_short(report)
        ),
        "### Claim by claim",
        (
            "Where a verdict depends on several choices, [report.html](report.html) has it under "
            "each of them, with every number."
        ),
        _verdicts(report),
    ]


def _part(title: str, parts: list[str]) -> list[str]:
    """Return a part under its heading; nothing if it is empty."""
    return [f"## {title}", *parts] if parts else []


def _objections() -> list[str]:
    answers = [
        part
        for heading, pairs in OBJECTIONS
        for part in (
            f"### {heading}",
            *(f"**{objection}** {answer}" for objection, answer in pairs),
        )
    ]
    return _part("Objections and answers", [LEAD, *answers])


def _tables(report: Report) -> list[str]:
    """Return the tables of the paper and those behind them."""
    times = [part for view in report.tables for part in (f"### {view.title}", *_view(view))]
    data = [] if report.statistics is None else _view(report.statistics)
    if not data and report.wanted.has("table2"):
        data = ["Not part of this run."]
    return [
        *_part("Table 1: time until e⁻⁵, cost of an epoch", times),
        *_part("Table 2: the data", data),
        *_part("How λ was chosen", [] if report.penalties is None else _view(report.penalties)),
        *_part(
            "B_max_r under every reading",
            [] if report.readings is None else _view(report.readings),
        ),
    ]


def _verdicts(report: Report) -> str:
    heads = (
        "where", "the paper says (in our words)", "verdict at e⁻⁵", "depends on, or fails on",
        "measured, as in the figures", "at 10⁻⁶ P₀", "stand-ins alone (decide nothing)",
    )  # fmt: skip
    lines = [
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *(
            f"| {j.where} | {j.says} | **{j.verdict}** {_told(j)}| {reasons(j)} | "
            f"{measured(j)} | {j.strict} | {j.stand_ins} |"
            for j in report.claims
        ),
    ]
    return "\n".join(lines)


def _told(judgement: Judgement) -> str:
    return f"({judgement.told}) " if judgement.told else ""


def _observation(found: Observation) -> str:
    numbers = ", ".join(f"{name}: {_cell(cited)}" for name, cited in found.measured)
    return f"**“{found.says}”** {found.why} {numbers}."


def _rules(report: Report) -> list[str]:
    """Return the rules of judging, how they came to be, the budgets and the undecided cases."""
    rules = report.configuration.rules
    lines = ["| rule | value | reason |", "|---|---|---|"]
    lines += [f"| {rule.name} | {rule.value:g} | {rule.reason} |" for rule in rules.rules]
    open_cases = [
        f"- {j.says} {title}, {cell.measure} {_cell(cell.cited)}: "
        f"{cell.why or 'a bound that does not tell'}."
        for j in report.claims
        for title, cell in j.undecided
    ]
    return [
        f"## The rules of judging, version {rules.version}",
        "\n".join(lines),
        "\n".join(f"- Version {change.version}: {change.text}" for change in rules.history),
        "## Budgets and undecided cases",
        *(_view(report.budgets) if report.budgets is not None else []),
        "\n".join(open_cases) or "No case is undecided under the reading of the figures.",
    ]


def _figures(report: Report) -> list[str]:
    shown = [figure for figure, sections in report.figures.items() if sections]
    shown += [4] if report.heat else []
    parts = []
    for figure in shown:
        parts += [f"## {CAPTIONS[figure]}", f"![{CAPTIONS[figure]}](figure{figure}.svg)"]
    return parts


def _view(view: TableView) -> list[str]:
    rule = "|".join("---" for _ in view.head)
    lines = ["| " + " | ".join(view.head) + " |", f"|{rule}|"]
    lines += ["| " + " | ".join(_cell(cell) for cell in line) + " |" for line in view.lines]
    return [view.note, "\n".join(lines)]


def _cell(cell: Content) -> str:
    if isinstance(cell, Cited):
        return f"{cell.text} <sub>{cell.id}</sub>"
    return cell.replace("|", "\\|")
