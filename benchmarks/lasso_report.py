"""The table of the Lasso benchmark, written from its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.lasso_picture import draw_ratios, draw_scaling
from benchmarks.lasso_scaling import curves, exponent, read_scaling
from benchmarks.peers.compare import Cell, Clock, Summary, cells, seconds, summarize
from benchmarks.peers.rows import Row, Table

OURS = ("banditcd", "banditcd.record")
TITLES = {
    "lasso": "One penalty",
    "lasso_path": "Path of 100 penalties, λmax to λmax/100 (worst gap of the path)",
    "lasso_cv": "Cross-validation, 5 folds, 100 penalties (gap of the refit)",
}
QUIET = 1.3  # load average up to which times are called official: the benchmark itself makes 1


def draw(out: Path, clock: Clock) -> None:
    """Write the table and the pictures of all rows in a folder."""
    rows = list(Table(out / "lasso-rows.csv", Row).rows.values())
    if not rows:
        print(f"No rows in {out}: nothing to draw.")
        return
    found = cells(rows, OURS, clock)
    parts = [_head(rows, clock), _summaries(found), _criteria(found), _peers(found)]
    parts += [_kind(found, kind, title) for kind, title in TITLES.items()]
    parts += [_absent(rows), _scaling(out)]
    text = "\n\n".join(part for part in parts if part) + "\n"
    (out / "lasso.md").write_text(text, "utf-8")
    draw_ratios(found, out / "lasso.png")
    if scaling := read_scaling(out):
        draw_scaling(scaling, out / "lasso-scaling.png")
    print(f"Drawn: {out / 'lasso.md'}")


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    rule = ["---"] * len(header)
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines))


def _head(rows: list[Row], clock: Clock) -> str:
    ours = [row for row in rows if row.solver in OURS and row.status == "ok"]
    commits = ", ".join(sorted({row.commit for row in ours if row.commit})) or "unknown"
    machines = "; ".join(sorted({row.machine for row in rows if row.machine})) or "Unknown machine"
    loads = [row.load for row in rows if row.load is not None]
    dates = sorted(row.date[:10] for row in rows)
    lines = [
        "# Lasso: time to a certified accuracy",
        f"{machines}. Commit {commits}. {dates[0]} to {dates[-1]}.",
        (
            "One thread and one pinned core each; median of interleaved fits "
            f"({clock.upper() if clock == 'cpu' else clock} time), data conversion and warm-up "
            "excluded. Peers run at the loosest tolerance that reaches the gap, we at the gap. "
            "Gap: duality gap of the coefficients by one independent function, divided by "
            "‖y‖²/2. Ratio: best peer's time over ours. All rows: lasso-rows.csv."
        ),
    ]
    if loads and max(loads) > QUIET:
        lines.append(
            f"**Provisional**: the machine was busy with other work (load average up to "
            f"{max(loads):.1f})."
        )
    return "\n\n".join(lines)


def _number(value: float | None, pattern: str = "{:.2f}") -> str:
    return "-" if value is None else pattern.format(value)


def _summary_line(name: str, summary: Summary) -> list[str]:
    return [
        name,
        str(summary.cells),
        f"{summary.won}",
        _number(summary.worst),
        _number(summary.median),
        _number(summary.best),
        str(summary.unopposed),
        str(summary.missed),
    ]


def _summaries(found: list[Cell]) -> str:
    header = ["cells", "number", "won", "worst", "median", "best", "no peer reached", "we missed"]
    lines = []
    for kind, title in TITLES.items():
        mine = [cell for cell in found if cell.any.kind == kind]
        tests: list[tuple[str, Callable[[Cell], bool]]] = [
            ("all", lambda _: True),
            ("held out", lambda cell: cell.any.group == "held out"),
            ("not held out", lambda cell: cell.any.group != "held out"),
        ]
        for name, test in tests:
            chosen = [cell for cell in mine if test(cell)]
            if chosen:
                short = title.partition(",")[0]
                lines.append(_summary_line(f"{short}, {name}", summarize(chosen)))
    return "## Ratios\n\n" + table(header, lines) + "\n\n![ratios](lasso.png)"


def _criteria(found: list[Cell]) -> str:
    """Say which of the aims are met; cross-validation is measured against scikit-learn's."""
    lines = []
    aims = {"lasso": (0.9, 4.0), "lasso_path": (2.0, 5.0), "lasso_cv": (4.0, 4.0)}
    for kind, (worst, median) in aims.items():
        chosen = [cell for cell in found if cell.any.kind == kind]
        if kind == "lasso_cv":
            chosen = [cell.against(("scikit-learn",)) for cell in chosen]
        result = summarize(chosen)
        if result.worst is None or result.median is None:
            continue
        lines.append(
            f"- {TITLES[kind].partition(',')[0]}: worst {result.worst:.2f} (aim {worst}), "
            f"median {result.median:.2f} (aim {median})."
        )
    easy = [c.ours.passes for c in found if c.any.setting == "1/10" and c.ours is not None]
    passes = [value for value in easy if value is not None]
    if passes:
        lines.append(f"- Passes over the data at λmax/10: at most {max(passes):.1f} (aim 6).")
    return "## Aims\n\n" + "\n".join(lines) if lines else ""


def _peers(found: list[Cell]) -> str:
    """One line for each peer: how often it reached the target, and its ratios to us."""
    times: dict[str, list[float]] = {}
    tried: dict[str, int] = {}
    for cell in found:
        for row in (*cell.peers, *cell.others):
            tried[row.solver] = tried.get(row.solver, 0) + 1
        if cell.reached and cell.ours is not None:
            for row in cell.peers:
                ratio = seconds(row, cell.clock) / seconds(cell.ours, cell.clock)
                times.setdefault(row.solver, []).append(ratio)
    lines = []
    for name, count in tried.items():
        ratios = sorted(times.get(name, []))
        middle = ratios[len(ratios) // 2] if ratios else None
        ends = (ratios[0], ratios[-1]) if ratios else (None, None)
        numbers = [_number(ends[0]), _number(middle), _number(ends[1])]
        lines.append([name, f"{len(ratios)} of {count}", *numbers])
    header = ["peer", "cells reached", "lowest ratio", "median", "highest"]
    return "## Peers\n\n" + table(header, sorted(lines, key=lambda line: line[0]))


def _kind(found: list[Cell], kind: str, title: str) -> str:
    mine = [cell for cell in found if cell.any.kind == kind]
    if not mine:
        return ""
    header = ["data", "rows × columns", "λ", "gap", "ours ms", "passes", "regime", "added MB"]
    header += ["best peer", "ms", "ratio", "next", "not reached by"]
    return f"## {title}\n\n" + table(header, [_line(cell) for cell in mine])


def _line(cell: Cell) -> list[str]:
    row, ours = cell.any, cell.ours
    size = f"{row.n} × {row.d}" + ("" if row.nonzeros == row.n * row.d else " sparse")
    if cell.reached and ours is not None:
        own = [_milliseconds(ours, cell), _number(ours.passes, "{:.1f}"), ours.regime]
        own.append(_number(ours.added_mb, "{:.0f}"))
    else:
        own = [ours.status if ours is not None else "not run", "-", "-", "-"]
    best = cell.peers[0] if cell.peers else None
    others = [best.solver, _milliseconds(best, cell)] if best is not None else ["none", "-"]
    following = ", ".join(f"{p.solver} {_milliseconds(p, cell)}" for p in cell.peers[1:3])
    missed = ", ".join(peer.solver for peer in cell.others)
    ratio = _number(cell.ratio)
    return [
        *(f"{row.data} ({row.group})", size, row.setting, f"{row.target:.0e}"),
        *(*own, *others, f"**{ratio}**", following, missed),
    ]


def _milliseconds(row: Row, cell: Cell) -> str:
    """Milliseconds; a star marks fits that were timed fewer than five times."""
    star = "*" if (row.rounds or 0) < 5 else ""
    return f"{1e3 * seconds(row, cell.clock):.3g}{star}"


def _absent(rows: list[Row]) -> str:
    """List solvers that could not take part, with the reason, and every failure."""
    reasons: dict[tuple[str, str], int] = {}
    for row in rows:
        if row.status.startswith(("does not", "failed")):
            reasons[row.solver, row.status] = reasons.get((row.solver, row.status), 0) + 1
    lines = [f"- {name}: {reason} ({count} cells)" for (name, reason), count in reasons.items()]
    star = "A star marks fits that were timed fewer than five times, because they are slow."
    listed = "\n".join(lines) if lines else "Every solver took part."
    return f"{star}\n\n## Not taking part\n\n{listed}"


def _scaling(out: Path) -> str:
    lines = [
        [family, setting, f"{sizes[0]:.0f} to {sizes[-1]:.0f}", f"{exponent(sizes, times):.2f}"]
        for (family, setting), (sizes, times) in curves(read_scaling(out)).items()
    ]
    if not lines:
        return ""
    header = ["growing", "λ", "from, to", "exponent of time"]
    return "## Growth\n\n" + table(header, lines) + "\n\n![growth](lasso-scaling.png)"
