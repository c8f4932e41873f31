"""The report: one self-contained page, a Markdown summary, figures and the ledger of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from banditcd.experiments.page import asset, axis_inputs, legend_items
from banditcd.experiments.paper import html
from banditcd.experiments.paper.claims import VERDICTS
from banditcd.experiments.paper.configuration import Configuration
from banditcd.experiments.paper.court import Court, configured
from banditcd.experiments.paper.figures import STYLE, PanelRow, figure_svg, panel_rows
from banditcd.experiments.paper.heat import clock_svg, heat_figure, heat_svg
from banditcd.experiments.paper.judgement import Judgement
from banditcd.experiments.paper.ledger import Ledger
from banditcd.experiments.paper.measure import MEASURES, Evidence
from banditcd.experiments.paper.observations import Observation, observations
from banditcd.experiments.paper.penalty import PenaltyRow
from banditcd.experiments.paper.posing import ProblemRow, StatisticsRow
from banditcd.experiments.paper.session import Session
from banditcd.experiments.paper.staleness import StaleRow
from banditcd.experiments.paper.store import Missing, Store
from banditcd.experiments.paper.tables import (
    TableView,
    budget_table,
    fast_note,
    penalty_table,
    readings_table,
    statistics_table,
    time_tables,
)
from banditcd.experiments.paper.tasks import EVERYTHING, Wanted, needed_problems
from banditcd.experiments.paper.verdicts import Rows, judge_all
from banditcd.experiments.rows import write_text

TITLE = "Coordinate Descent with Bandit Sampling, measured again"
CERTIFIED = 1e-12  # relative gap that F* should have
CAPTIONS = {
    2: "Figure 2: Lasso",
    3: "Figure 3: L1-logistic regression, ridge regression in the dual",
    4: "Figure 4: exploration ε and bin size E of B_max_r",
}
HOW = (
    "Every line is one rule for choosing the next coordinate; updates, start (0) and stopping are "
    "the same. A point is what a rule had spent (median over the seeds, band from best to worst) "
    "when it first reached that accuracy: further left is better. Epochs, the paper's axis, are d "
    "updates and leave refreshes out; work counts every matrix entry the method touches, refreshes "
    "included, in passes (2 nnz); seconds are CPU time of the method's thread, evaluation "
    "excluded, so that a busy machine matters less. F* is certified; P₀ is the cost of the zero "
    "model. shuffled and fast are our additions to the paper's methods."
)


@dataclass
class Report:
    """Everything that is shown, computed once from the rows."""

    configuration: Configuration
    court: Court
    claims: list[Judgement]
    missing: list[Missing]
    sessions: list[Session] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    figures: dict[int, list[tuple[ProblemRow, list[PanelRow]]]] = field(default_factory=dict)
    heat: list[str] = field(default_factory=list)
    tables: list[TableView] = field(default_factory=list)
    statistics: TableView | None = None
    penalties: TableView | None = None
    readings: TableView | None = None
    budgets: TableView | None = None
    wanted: Wanted = EVERYTHING


def make_report(store: Store, configuration: Configuration, wanted: Wanted = EVERYTHING) -> Report:
    """Read the rows and compute the claims, figures and tables that are wanted."""
    evidence, counts, stale = Evidence(store), store.read(StatisticsRow), store.read(StaleRow)
    court = Court(configuration, evidence, Ledger(), configured(configuration))
    claims = judge_all(configuration, Rows(evidence, counts, stale), court.ledger, wanted)
    needed = {spec.key for spec in needed_problems(configuration, wanted)}
    # One that was missing in an earlier session may have been posed in a later one.
    missing = [
        one for one in store.read(Missing)
        if one.problem not in evidence.problems and (wanted.everything or one.problem in needed)
    ]  # fmt: skip
    report = Report(configuration, court, claims, missing, store.read(Session), wanted=wanted)
    report.observations = observations(court, stale) if wanted.has("figure4") else []
    for figure in sorted(wanted.figures - {4}):
        report.figures[figure] = [
            (evidence.problems[spec.id], panel_rows(configuration, evidence, spec))
            for spec in configuration.of_figure(figure)
            if evidence.methods(spec.id)
        ]
    heat = configuration.heat_map
    if wanted.has("figure4") and heat is not None and evidence.methods(heat.problem, "heat"):
        report.heat = [heat_svg(heat, evidence, court.ledger, m) for m in MEASURES]
        report.heat.append(clock_svg(heat, evidence, court.ledger))
    report.tables = time_tables(court) if wanted.has("table1") else []
    if counts and wanted.has("table2"):
        report.statistics = statistics_table(counts, court)
    if wanted.has("penalty"):
        report.penalties = penalty_table(store.read(PenaltyRow), court)
        report.readings = readings_table(court)
    report.budgets = budget_table(configuration)
    return report


def write_report(report: Report, out: Path, command: str) -> list[Path]:
    """Write the page, the summary, the figures and the ledger; return their paths."""
    from banditcd.experiments.paper.summary import summary

    files = {
        "report.html": page(report, command),
        "README.md": summary(report, command),
        "numbers.csv": report.court.ledger.csv(),
    }
    for figure, sections in report.figures.items():
        if sections:
            parts = [(row.title, rows) for row, rows in sections]
            files[f"figure{figure}.svg"] = figure_svg(CAPTIONS[figure], parts)
    if report.heat:
        files["figure4.svg"] = heat_figure(CAPTIONS[4], report.heat, STYLE)
    for name, text in files.items():
        write_text(text, out / name)
    return [out / name for name in files]


def page(report: Report, command: str) -> str:
    """Return the report as one HTML page without any reference to the network."""
    from banditcd.experiments.paper.details import details_sections

    body = [
        *axis_inputs(),
        f"<header><h1>{escape(TITLE)}</h1>{_intro(report)}</header>",
        _bar(report),
        "<main>",
        _verdicts(report),
        *(_figure(report, figure) for figure in sorted(report.wanted.figures - {4})),
        _figure4(report) if report.wanted.has("figure4") else "",
        _tables(report),
        details_sections(report),
        "</main>",
        (
            f"<footer><p>Made by <code>{escape(command)}</code>. Rows: rows.csv (records), "
            "runs.csv, problems.csv, penalties.csv, statistics.csv, sessions.csv; numbers.csv is "
            "the list above.</p></footer>"
        ),
        '<div id="tip" hidden></div>',
        f"<script>{asset('page.js')}</script>",
    ]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            f"<title>{escape(TITLE)}</title>",
            f"<style>{asset('page.css')}{asset('paper.css')}</style></head><body>",
            *body,
            "</body></html>",
            "",
        ]
    )


def kinds_sentence(report: Report) -> str:
    """Say what the report is about, and which problems are not on the paper's own data."""
    about = f"Only {report.wanted.words}, as asked for. " if report.wanted.words else ""
    odd = [
        row.data if "(" in row.data else f"{row.data} (another set)"
        for row in report.court.evidence.problems.values()
        if not row.is_variant and row.kind != "real"
    ]
    if not odd:
        return about + "All problems are on the paper's own sets."
    return about + "Not the paper's own data: " + ", ".join(dict.fromkeys(odd)) + "."


def _intro(report: Report) -> str:
    links = (
        ("verdicts", "verdicts"), ("figure2", "figure 2"), ("figure3", "figure 3"),
        ("figure4", "figure 4"), ("table1", "table 1"), ("table2", "table 2"),
        ("objections", "objections"), ("rules", "rules and budgets"), ("undecided", "undecided"),
        ("penalty", "λ and other readings"), ("claims", "claims in detail"),
        ("numbers", "every number"),
    )  # fmt: skip
    nav = "".join(
        f'<a href="#{target}">{name}</a>' for target, name in links if report.wanted.has(target)
    )
    sessions = "".join(f'<p class="soft">{escape(s.sentence)}</p>' for s in report.sessions)
    missing = "".join(
        f"<p>{escape(m.problem)} is left out: {escape(m.reason)}</p>" for m in report.missing
    )
    return (
        f"<p>The experiments of Salehi, Thiran and Celis (NeurIPS 2018), run again: every figure, "
        f"table and claim next to what we measure ({escape(report.configuration.name)} "
        f"configuration, {report.configuration.seeds} seeds). {escape(kinds_sentence(report))}</p>"
        f"<p>{HOW}</p>{sessions}{missing}<nav>{nav}</nav>"
    )


def _bar(report: Report) -> str:
    looks = {
        name: look
        for sections in report.figures.values()
        for _, rows in sections
        for row in rows
        for name, look in row.looks.items()
    }
    return legend_items(looks) if looks else ""


VERDICT = (
    "On the paper's own sets, or a part of one where the label says so, under every reading of "
    "what the text leaves open: the penalty, the scaling of the data, the logistic update, and "
    "what counts as noise. Held: true in epochs, work and seconds wherever the rows tell. Held in "
    "epochs only: true on the paper's axis, not once refreshes or time are counted. Depends: the "
    "readings disagree, or medians tell and the ranges over the seeds do not; the next column says "
    "with what the verdict changes. Beside each verdict: how many of the readings can tell. The "
    "first verdict is at the paper's accuracy, F − F* ≤ e⁻⁵, the second at 10⁻⁶ of the zero model. "
    "Stand-ins are judged apart and decide nothing."
)


def counts(report: Report) -> dict[str, int]:
    """Return how many claims got each verdict."""
    return {v: sum(claim.verdict == v for claim in report.claims) for v in VERDICTS}


def in_short(report: Report) -> list[tuple[str, list[str]]]:
    """Return every verdict that was given, with the claims that got it."""
    given = [
        (v, [f"{c.where}: {c.says}" for c in report.claims if c.verdict == v]) for v in VERDICTS
    ]
    return [(verdict, says) for verdict, says in given if says]


def _verdicts(report: Report) -> str:
    seen = [html.observation(each) for each in report.observations]
    wanted = seen or report.wanted.everything
    observed = section("observed", "Measured, not judged", seen) if wanted else ""
    chips = "".join(f"<li>{n} {html.chip(verdict)}</li>" for verdict, n in counts(report).items())
    return (
        f'<section id="verdicts"><h2>The claims and their verdicts</h2><p class="soft">{VERDICT}'
        f'</p><ul class="counts">{chips}</ul>{html.verdict_table(report.claims)}</section>'
        + observed
    )


def _figure(report: Report, figure: int) -> str:
    parts = []
    for row, rows in report.figures.get(figure, []):
        badge = "" if row.kind == "real" else f'<span class="badge">{escape(row.kind)}</span>'
        gap = row.optimum_gap / row.null_objective
        parts.append(
            f"<h3>{escape(row.title)}{badge}</h3>"
            f'<p class="soft">λ = {row.alpha:.4g} ({escape(row.alpha_how)}), {row.n} samples, '
            f"d = {row.d}, {row.nonzeros} nonzeros; data: {escape(row.steps)}; F* by "
            f"{escape(row.optimum_how)}, gap {gap:.0e} P₀{_warning(gap)}; "
            f"{escape(fast_note(row.cost))}.</p>"
        )
        for line in rows:
            panels = "".join(f'<div class="panel {m}">{svg}</div>' for m, svg in line.svgs)
            parts.append(f'<h4>{escape(line.name)}</h4><div class="panels">{panels}</div>')
    return section(f"figure{figure}", CAPTIONS[figure], parts)


def _warning(gap: float) -> str:
    return "" if gap <= CERTIFIED else f" (more than the {CERTIFIED:g} asked for)"


def section(name: str, title: str, parts: list[str]) -> str:
    """Return a section of the page under a heading."""
    body = "".join(parts) or '<p class="soft">Not part of this run.</p>'
    return f'<section id="{name}"><h2>{escape(title)}</h2>{body}</section>'


def _figure4(report: Report) -> str:
    if not report.heat:
        return section("figure4", CAPTIONS[4], [])
    heat = report.configuration.heat_map
    title = report.court.title(heat.problem) if heat is not None else ""
    charts = "".join(f"<div>{svg}</div>" for svg in report.heat)
    return section(
        "figure4",
        CAPTIONS[4],
        [f'<p class="soft">{escape(title)}</p><div class="two always">{charts}</div>'],
    )


def _tables(report: Report) -> str:
    times = [f"<h3>{escape(view.title)}</h3>{html.table(view)}" for view in report.tables]
    second = [html.table(report.statistics)] if report.statistics is not None else []
    first = section("table1", "Table 1: time until e⁻⁵, cost of an epoch", times)
    last = section("table2", "Table 2: the data", second)
    has = report.wanted.has
    return (first if has("table1") else "") + (last if has("table2") else "")
