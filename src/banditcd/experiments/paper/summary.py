"""The report as Markdown: verdicts, tables, and links to the figures."""

from __future__ import annotations

from banditcd.experiments.paper.ledger import Cited
from banditcd.experiments.paper.report import CAPTIONS, HOW, TITLE, Report, counts, kinds_sentence
from banditcd.experiments.paper.tables import Content, TableView


def summary(report: Report, command: str) -> str:
    """Return the summary; cited numbers are followed by their name in numbers.csv."""
    seeds, name = report.configuration.seeds, report.configuration.name
    parts = [
        f"# {TITLE}",
        (
            f"`{command}` ({name} configuration, {seeds} seeds). {kinds_sentence(report)} "
            "The interactive page is [report.html](report.html)."
        ),
        HOW,
        *(f"{m.problem} is left out: {m.reason}" for m in report.missing),
        "## Verdicts",
        ", ".join(f"{n} {verdict}" for verdict, n in counts(report).items()) + ".",
        _verdicts(report),
        *_figures(report),
        "## Table 1: time until e⁻⁵, cost of an epoch",
        *(part for view in report.tables for part in (f"### {view.title}", *_view(view))),
        "## Table 2: the data",
        *(_view(report.statistics) if report.statistics is not None else ["Not part of this run."]),
        "## How λ was chosen",
        *(_view(report.penalties) if report.penalties is not None else []),
        "## Sensitivity to λ",
        *(_view(report.sensitivity) if report.sensitivity is not None else []),
        "## Where every number comes from",
        (
            "Small names such as n12 are lines of [numbers.csv](numbers.csv), which lists the "
            "runs behind each number; runs are numbered in [runs.csv](runs.csv), and their records "
            "are in [rows.csv](rows.csv). The problems, their penalties and optima are in "
            "[problems.csv](problems.csv) and [penalties.csv](penalties.csv)."
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _verdicts(report: Report) -> str:
    lines = [
        "| where | the paper says (in our words) | measured | verdict at e⁻⁵ | at 10⁻⁶ P₀ |",
        "|---|---|---|---|---|",
        *(
            f"| {c.where} | {c.says} | {c.measured} | **{c.verdict}** | {c.strict} |"
            for c in report.claims
        ),
    ]
    return "\n".join(lines)


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
