"""Tables 1 and 2, the penalties, budgets and readings, as headers and lines of cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from banditcd.experiments.paper.configuration import Configuration, reported
from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.ledger import Cited, form
from banditcd.experiments.paper.measure import MEASURES, Number, ratio
from banditcd.experiments.paper.penalty import PenaltyRow
from banditcd.experiments.paper.posing import StatisticsRow
from banditcd.experiments.paper.readings import variants
from banditcd.experiments.paper.tasks import FAST, FULL_INFORMATION, is_known
from banditcd.experiments.paper.worker import TARGET

Content = str | Cited


@dataclass(frozen=True)
class TableView:
    """A table as it is shown; cited cells lead to their rows."""

    title: str
    note: str
    head: tuple[str, ...]
    lines: tuple[tuple[Content, ...], ...]


def time_tables(court: Court) -> list[TableView]:
    """Table 1: one table per column of the paper's, with our measurements beside its seconds."""
    printed = reported()["table1"]
    found = []
    for k, problem in enumerate(court.configuration.table1):
        if problem not in court.evidence.problems:
            continue
        row = court.evidence.problems[problem]
        lines = [
            _time_line(court, problem, method, printed["seconds"].get(method, ()), k)
            for method in _ordered(court.evidence.methods(problem), list(printed["seconds"]))
        ]
        note = (
            f"Spent until F − F* ≤ e⁻⁵ (F starts at {form(row.start)}, F* = {row.optimum:.6g}), "
            f"median of {court.configuration.seeds} seeds [lowest – highest]. Cost of an epoch: "
            "matrix entries touched / (2 nnz), and CPU time."
        ) + _gram_note(court.configuration, problem)
        head = (
            "method", "paper: cost", "paper: s", "CPU time", "range", "work", "epochs",
            "work / epoch", "time / epoch", "time: uniform / it",
        )  # fmt: skip
        found.append(TableView(row.title, note, head, tuple(lines)))
    return found


def _gram_note(configuration: Configuration, problem: str) -> str:
    """Say that max_r by Gram columns is missing where it would stand."""
    quadratic = configuration.problem(problem).cost != "LogisticL1"
    if not configuration.gram or not quadratic or is_known(configuration.gram):
        return ""
    return (
        f" The line {configuration.gram}, max_r with correlations kept by Gram columns, is "
        "missing: this version of the package does not have it."
    )


def _ordered(methods: list[str], printed: list[str]) -> list[str]:
    """Return the methods in the paper's order, the others after them."""
    return sorted(methods, key=lambda m: printed.index(m) if m in printed else len(printed))


def _time_line(
    court: Court, problem: str, method: str, paper: Sequence[float], column: int
) -> tuple[Content, ...]:
    evidence, ledger, title = court.evidence, court.ledger, court.title(problem)
    spent = {m: evidence.spent(problem, method, TARGET, m) for m in MEASURES}
    cited = {
        m: ledger.number(spent[m], f"{title}: {m} of {method} until e⁻⁵", _unit(m))
        for m in MEASURES
    }
    rates = [
        ledger.number(
            evidence.per_epoch(problem, method, m), f"{title}: {m} of an epoch of {method}",
            _unit(m),
        )
        for m in ("work", "seconds")
    ]  # fmt: skip
    plain = evidence.spent(problem, "uniform", TARGET, "seconds")
    against = ledger.ratio(
        ratio(spent["seconds"], plain), f"{title}: CPU time until e⁻⁵, uniform / {method}"
    )
    span = _span(spent["seconds"])
    printed = reported()["table1"]["cost_per_epoch"].get(method, "")
    return (
        method, printed, form(paper[column]) if len(paper) > column else "",
        cited["seconds"], span, cited["work"], cited["epoch"], *rates, against,
    )  # fmt: skip


def _span(seconds: Number) -> str:
    """Return the range over the seeds; one that did not get there shows the time it had."""
    ends = [
        form(t, "s") if np.isfinite(t) else f"not within {form(seconds.budget, 's')}"
        for t in (seconds.low, seconds.high)
    ]
    return " – ".join(dict.fromkeys(ends))


def _unit(measure: str) -> str:
    return "s" if measure == "seconds" else ""


def statistics_table(rows: list[StatisticsRow], court: Court) -> TableView:
    """Table 2: what the paper prints, and what the files hold."""
    printed, lines = reported()["table2"], []
    for row in rows:
        classes, points, features, percent = printed[row.paper_set]
        cells = [str(row.classes or "targets"), str(row.rows), str(row.columns)]
        cells.append(f"{row.percent:.1f}")
        names = ("classes", "data points", "features", "% nonzero")
        cited = [
            court.ledger.plain(text, f"{row.data}: {name}", f"statistics.csv, {row.data}")
            for text, name in zip(cells, names, strict=True)
        ]
        ours = zip((classes, points, features, percent), cited, strict=True)
        pairs: list[Content] = [cell for pair in ours for cell in (str(pair[0]), pair[1])]
        lines.append((row.paper_set, row.data, row.kind, *pairs))
    head = (
        "paper's set", "here", "kind", "classes: paper", "here", "data points: paper", "here",
        "features: paper", "here", "% nonzero: paper", "here",
    )  # fmt: skip
    note = (
        "Counted from the files (or from the generator of a stand-in). A stand-in has the shape, "
        "density and labels of its set, not its data."
    )
    return TableView("Data sets", note, head, tuple(lines))


def penalty_table(rows: list[PenaltyRow], court: Court) -> TableView:
    """How lambda was chosen: errors along the grid."""
    lines: list[tuple[Content, ...]] = []
    for row in rows:
        if row.problem not in court.evidence.problems:
            continue
        title, source = court.title(row.problem), f"penalties.csv, {row.problem}, {row.ratio:.6g}"
        cited = [
            court.ledger.plain(form(value), f"{title}: {name} at ratio {row.ratio:.3g}", source)
            for name, value in (("train error", row.train_error), ("test error", row.test_error))
        ]
        share = form(row.test_error / row.train_error)
        mark = "chosen" if row.chosen else ""
        lines.append((title, f"{row.ratio:.3g}", form(row.alpha), *cited, share, mark))
    choice = court.configuration.penalty
    note = (
        "The paper gives no λ, only that test and train errors are comparable. Errors are mean "
        "squared errors or mean logistic losses; the reference is the largest useful λ for L1 "
        "costs and the mean squared row norm for ridge. Chosen: among the λ whose test error is "
        f"at most {choice.comparable:g} times the train error, the largest one with a test error "
        f"within {choice.slack - 1.0:.0%} of the best."
    )
    head = ("problem", "λ / reference", "λ", "train error", "test error", "test / train", "")
    return TableView("How λ was chosen", note, head, tuple(lines))


def readings_table(court: Court) -> TableView:
    """B_max_r against uniform and shuffled under every reading."""
    lines: list[tuple[Content, ...]] = []
    for row in court.evidence.problems.values():
        cells: list[Content] = []
        for rival in ("uniform", "shuffled"):
            for measure in MEASURES:
                mine = court.evidence.spent(row.problem, "b_max_r", TARGET, measure)
                other = court.evidence.spent(row.problem, rival, TARGET, measure)
                what = f"{row.title}: {measure} until e⁻⁵, {rival} / b_max_r"
                cells.append(court.ledger.ratio(ratio(mine, other), what))
        title = row.title.partition(" [")[0]
        lines.append((title, row.reading, row.kind, form(row.alpha), *cells))
    note = (
        "How many times less B_max_r spends than uniform and shuffled until F − F* ≤ e⁻⁵ (> 1: "
        "B_max_r is better; > and < mark bounds where one of the two did not get there in its "
        "time). The reference penalty is the largest useful λ for L1 costs and the mean squared "
        "row norm for ridge. Raw: as in the file; unit: columns (rows, in a dual) of norm 1."
    )
    head = ("problem", "reading", "data", "λ")
    names = tuple(f"{m}: {r} / b_max_r" for r in ("uniform", "shuffled") for m in MEASURES)
    return TableView("B_max_r under every reading", note, (*head, *names), tuple(lines))


def budget_table(configuration: Configuration) -> TableView:
    """How long everybody could run."""
    lines: list[tuple[Content, ...]] = [
        (spec.id, f"{spec.seconds:g} s", f"{spec.full_seconds:g} s", str(configuration.seeds))
        for spec in configuration.problems
    ]
    chosen = configuration.readings
    if chosen is not None:
        count = len(list(variants(configuration)))
        lines.append(
            (f"each of the {count} other readings", f"{chosen.seconds:g} s",
             f"{chosen.full_seconds:g} s", str(chosen.seeds))
        )  # fmt: skip
    if configuration.heat_map is not None:
        seconds = f"{configuration.heat_map.seconds:g} s"
        lines.append(("figure 4, each cell", seconds, "", str(configuration.seeds)))
    note = (
        "CPU time of one run; it also ends at a duality gap of "
        f"{configuration.tol:g} P₀ or after {configuration.epochs:g} epochs. Methods with full "
        f"information ({', '.join(sorted(FULL_INFORMATION & _ran(configuration)))}) have more."
    )
    head = ("problem", "partial information", "full information", "seeds")
    return TableView("Budgets", note, head, tuple(lines))


def _ran(configuration: Configuration) -> set[str]:
    return {name for methods in configuration.methods.values() for name in methods.all}


def fast_note(cost: str) -> str:
    """Say what the fast solver is on a cost."""
    return {
        "Lasso": f"{FAST}: the fast solver, from scratch at each tolerance",
        "LogisticL1": f"{FAST}: the fast solver, from scratch at each tolerance",
        "RidgeDual": f"{FAST}: the fast solver, on the primal",
    }[cost]
