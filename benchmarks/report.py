"""The table of a benchmark, written from its rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.benchmark import Benchmark
from benchmarks.peers.compare import LOOSEST, Cell, Clock, Summary, cells, seconds, summarize
from benchmarks.peers.rows import Row, Table
from benchmarks.picture import draw_ratios, draw_scaling
from benchmarks.scaling import curves, exponent, read_scaling

#: Load average up to which times are called official: each core may hold one benchmark.
QUIET = (os.cpu_count() or 1) + 0.5
#: What the pictures show, for those who do not see them.
RATIOS = "Times of other libraries over ours, cell by cell: the numbers of the tables"
GROWTH = "Our times as problems grow: the numbers of the table"


def draw(benchmark: Benchmark, out: Path, clock: Clock, stem: str) -> None:
    """Write the table and the pictures of all rows in a folder; ``stem`` starts their names."""
    rows = _rows(out, stem)
    scaling = read_scaling(out, benchmark.name) if stem == benchmark.name else []
    if scaling:
        draw_scaling(scaling, out / f"{stem}-scaling.png")
    if not rows:
        print(f"No rows in {out}: no table is drawn.")
        return
    (out / f"{stem}.md").write_text(page(benchmark, out, clock, stem), "utf-8")
    draw_ratios(cells(rows, benchmark.ours, clock), out / f"{stem}.png")
    print(f"Drawn: {out / stem}.md")


def page(benchmark: Benchmark, out: Path, clock: Clock, stem: str) -> str:
    """Return the page of the rows in a folder and of the notes beside them."""
    rows = _rows(out, stem)
    scaling = read_scaling(out, benchmark.name) if stem == benchmark.name else []
    found = cells(rows, benchmark.ours, clock)
    parts = [
        _head(benchmark, rows, found, stem),
        _summaries(benchmark, found, stem),
        _criteria(benchmark, found),
        _notes(out / f"{stem}-notes.md"),
        _peers(found),
        *(_kind(found, kind, title) for kind, title in benchmark.titles.items()),
        _absent(rows),
        _scaling(scaling, stem),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(out: Path, stem: str) -> list[Row]:
    return list(Table(out / f"{stem}-rows.csv", Row).rows.values())


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    rule = ["---"] * len(header)
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines))


def _head(benchmark: Benchmark, rows: list[Row], found: list[Cell], stem: str) -> str:
    clock = found[0].clock
    ours = [row for row in rows if row.solver in benchmark.ours and row.status == "ok"]
    commits = ", ".join(sorted({row.commit for row in ours if row.commit})) or "unknown"
    machines = "; ".join(sorted({row.machine for row in rows if row.machine})) or "Unknown machine"
    loads = [row.load for row in rows if row.load is not None]
    dates = sorted(row.date[:10] for row in rows)
    lines = [
        f"# {benchmark.title}",
        f"{machines}. Commit {commits}. {dates[0]} to {dates[-1]}. {_load(loads)}".strip(),
        (
            f"{_cores(benchmark, stem)}; median of interleaved fits "
            f"({clock.upper() if clock == 'cpu' else clock} time), data conversion and warm-up "
            f"excluded. {_tolerances(found)} "
            f"{benchmark.judged} Ratio: best peer's time over ours. All rows: {stem}-rows.csv."
        ),
    ]
    if loads and max(loads) > QUIET:
        lines.append(
            f"**Provisional**: the machine was busy with other work (load average up to "
            f"{max(loads):.1f})."
        )
    return "\n\n".join(lines)


def _tolerances(found: list[Cell]) -> str:
    """Say at which tolerances the rows were run, whatever later ones will be."""
    if not any(cell.ours is not None and cell.ours.solver.endswith(LOOSEST) for cell in found):
        return "Peers run at the loosest tolerance that reaches the gap, we at the gap."
    return (
        "Everybody runs at the loosest tolerance that reaches the gap; `proved ms` and `with "
        "proof` are our times when our own certificate has to prove the gap, too."
    )


def _load(loads: list[float]) -> str:
    return f"Load average up to {max(loads):.1f}." if loads else ""


def _notes(file: Path) -> str:
    """Return what was written by hand about the cells, which no redrawing may lose."""
    return file.read_text("utf-8").strip() if file.exists() else ""


def _cores(benchmark: Benchmark, stem: str) -> str:
    if stem == benchmark.name:
        return "One thread and one pinned core each"
    return f"{stem.removeprefix(benchmark.name + '-').removesuffix('threads')} threads each"


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


def _summaries(benchmark: Benchmark, found: list[Cell], stem: str) -> str:
    header = ["cells", "number", "won", "worst", "median", "best", "no peer reached", "we missed"]
    lines = []
    for kind, title in benchmark.titles.items():
        mine = [cell for cell in found if cell.any.kind == kind]
        tests: list[tuple[str, Callable[[Cell], bool]]] = [
            ("all", lambda _: True),
            ("held out", lambda cell: cell.any.group == "held out"),
            ("unseen", lambda cell: cell.any.group == "unseen"),
            ("others", lambda cell: cell.any.group not in ("held out", "unseen")),
        ]
        for name, test in tests:
            chosen = [cell for cell in mine if test(cell)]
            if chosen:
                short = title.partition(",")[0]
                lines.append(_summary_line(f"{short}, {name}", summarize(chosen)))
        if any(cell.ours is not cell.proved for cell in mine):
            proved = summarize([cell.with_proof() for cell in mine])
            lines.append(_summary_line(f"{short}, all, with proof", proved))
    return "## Ratios\n\n" + table(header, lines) + f"\n\n![{RATIOS}]({stem}.png)"


def _criteria(benchmark: Benchmark, found: list[Cell]) -> str:
    """Say which of the aims are met; an aim may be about some of the peers."""
    lines = []
    for kind in benchmark.kinds:
        chosen = [cell for cell in found if cell.any.kind == kind.method]
        if kind.against:
            chosen = [cell.against(kind.against) for cell in chosen]
        result = summarize(chosen)
        if result.worst is None or result.median is None:
            continue
        whom = f" against {' and '.join(kind.against)}" if kind.against else ""
        lines.append(
            f"- {kind.title.partition(',')[0]}{whom}: worst {result.worst:.2f} (aim {kind.worst}), "
            f"median {result.median:.2f} (aim {kind.median})."
        )
    for setting, aim in benchmark.few_passes.items():
        rows = [c.ours for c in found if c.any.setting == setting and c.ours is not None]
        passes = [row.passes for row in rows if row.passes is not None]
        if passes:
            lines.append(
                f"- Passes over the data at {setting}: at most {max(passes):.1f} (aim {aim:g})."
            )
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
    header = ["data", "rows × columns", "setting", "gap", "ours ms", "passes", "regime", "added MB"]
    header += ["proved ms", "best peer", "ms", "ratio", "next", "not reached by"]
    return f"## {title}\n\n" + table(header, [_line(cell) for cell in mine])


def _line(cell: Cell) -> list[str]:
    row, ours = cell.any, cell.ours
    size = f"{row.n} × {row.d}" + ("" if row.nonzeros == row.n * row.d else " sparse")
    if cell.reached and ours is not None:
        own = [_milliseconds(ours, cell), _number(ours.passes, "{:.1f}"), ours.regime]
        own.append(_number(ours.added_mb, "{:.0f}"))
    else:
        own = [ours.status if ours is not None else "not run", "-", "-", "-"]
    proved = cell.with_proof()
    own.append(_milliseconds(proved.ours, cell) if proved.ours and proved.reached else "-")
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


def _scaling(rows: list[dict[str, Any]], stem: str) -> str:
    lines = [
        [family, setting, f"{sizes[0]:.0f} to {sizes[-1]:.0f}", f"{exponent(sizes, times):.2f}"]
        for (family, setting), (sizes, times) in curves(rows).items()
    ]
    if not lines:
        return ""
    header = ["growing", "setting", "from, to", "exponent of time"]
    return "## Growth\n\n" + table(header, lines) + f"\n\n![{GROWTH}]({stem}-scaling.png)"
