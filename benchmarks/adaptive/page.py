"""docs/adaptive.md and the advice of docs/choosing.md, made from rows."""

from __future__ import annotations

from benchmarks.adaptive.conclusion import RIVALS, conclusion
from benchmarks.adaptive.judge import (
    FEW,
    NOT_WORSE,
    SHORT,
    Entry,
    Summary,
    best_rules,
    entries,
    large,
    of_rule,
    summary,
)
from benchmarks.adaptive.measure import TARGETS, Row
from benchmarks.adaptive.words import number, ratio_text, share, table, title_of, wrapped

BEGIN, END = "<!-- best rules: begin -->", "<!-- best rules: end -->"

HEAD = """\
# When does adaptive selection pay?

Every rule below runs with the same compiled kernels, the same update rule and the same stopping
rule as shuffled passes; only the choice of the next coordinate differs. The question is the
paper's: does choosing by what is known about the coordinates pay for itself? Numbers are ratios
of what shuffled spent to what the rule spent until the same duality gap, relative to the null
model: above 1 the rule wins, below 1 it loses. Work is matrix entries touched, refreshes included;
seconds are CPU time of one thread, with as many runs at a time as the machine has cores. Medians
of {seeds} seeds; a run has {limit:.3g} CPU seconds. A rule that missed a gap that shuffled reached
has an upper bound (`<`), one that reached a gap that shuffled missed a lower bound (`>`); bounds
count as they are, and an upper bound is never counted as a win. Gaps that neither reached are left
out. Below, a data set with a cost and a penalty counts as one cell for each gap.

{origin}

Made by `python -m benchmarks.adaptive` from the rows in `benchmarks/results/adaptive/`. Sets with
more than a million entries take part with a million of them and are marked partial. Sets whose
name is a design with a seed were generated from the hash of the commit that is measured: no
constant of any rule can have been chosen by them."""

CELLS = """\
## Every cell

Each entry is work / seconds ({short:g} s at least, else a dash) at the gaps {gaps},
one under the other."""


def page(rows: list[Row]) -> str:
    """Return the page of the documentation; it ends in the conclusion."""
    found = entries(rows)
    judged = large(found)
    parts = [
        HEAD.format(seeds=len(rows[0].work), limit=_limit(rows), origin=_origin(rows)),
        "## By rule",
        _by_rule(judged),
        "## By cost",
        "Geometric means of the ratios, work / seconds.",
        _by_cost(judged),
        CELLS.format(short=SHORT, gaps=", ".join(f"{t:g}" for t in TARGETS)),
        _every_cell(judged),
        f"## Fewer than {FEW} coordinates",
        "Listed apart: with so few coordinates there is little to choose from.",
        _every_cell([entry for entry in found if entry.row.d < FEW]),
        "## Conclusion",
        conclusion(judged),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def advice(rows: list[Row]) -> str:
    """Return the table of docs/choosing.md: the best rules for every cost, by the rows."""
    judged = large(entries(rows))
    lines = []
    for cost, rules in best_rules(judged).items():
        means = {r: summary(of_rule(judged, r, "work", cost)) for r in rules if r in RIVALS}
        best = rules[0]
        words = [f"`{rule}`" for rule in rules[:2]]
        reason = (
            "no rule beats shuffled passes"
            if best not in means
            else (
                f"{number(means[best].mean)} times less work than shuffled, worst cell "
                f"{number(means[best].worst)}"
            )
        )
        lines.append([cost, ", then ".join(words), reason])
    return table(["cost", "try", "because, in the geometric mean"], lines)


def with_advice(text: str, rows: list[Row]) -> str:
    """Return docs/choosing.md with the table between its marks made anew."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"The page has no {BEGIN} ... {END}.")
    return f"{before}{BEGIN}\n{advice(rows)}\n{END}{after}"


def _by_rule(judged: list[Entry]) -> str:
    head = ["rule", "cells", f">= {NOT_WORSE}", ">= 1", "mean", "worst"]
    lines = []
    for rule in RIVALS:
        work = summary(of_rule(judged, rule, "work"))
        time = summary(of_rule(judged, rule, "seconds"))
        lines.append([rule, *_counts(work), *_counts(time)])
    return table(
        [head[0], *(f"work: {h}" for h in head[1:]), *(f"seconds: {h}" for h in head[1:])], lines
    )


def _counts(one: Summary) -> list[str]:
    return [
        str(one.cells),
        share(one.not_worse, one.cells),
        share(one.ahead, one.cells),
        number(one.mean),
        number(one.worst),
    ]


def _by_cost(judged: list[Entry]) -> str:
    costs = list(dict.fromkeys(entry.row.cost for entry in judged))
    lines = [
        [
            cost,
            *(
                " / ".join(
                    number(summary(of_rule(judged, rule, m, cost)).mean)
                    for m in ("work", "seconds")
                )
                for rule in RIVALS
            ),
        ]
        for cost in costs
    ]
    return table(["cost", *RIVALS], lines)


def _every_cell(found: list[Entry]) -> str:
    groups: dict[tuple[str, ...], dict[str, list[Entry]]] = {}
    for entry in found:
        groups.setdefault(entry.row.key, {}).setdefault(entry.row.rule, []).append(entry)
    lines = []
    for by_rule in groups.values():
        row = next(iter(by_rule.values()))[0].row
        reached = [t for t in TARGETS if any(e.target == t for g in by_rule.values() for e in g)]
        cells = [_stack(by_rule.get(rule, []), reached) for rule in RIVALS]
        gaps = "<br>".join(f"{t:.0e}" for t in reached)
        lines.append([title_of(row), f"{row.cost} {row.words}", str(row.d), gaps, *cells])
    return table(["data", "cost", "d", "gap", *RIVALS], lines) if lines else "None."


def _stack(group: list[Entry], targets: list[float]) -> str:
    at = {entry.target: entry for entry in group}
    return "<br>".join(
        f"{ratio_text(at[t].work)} / {ratio_text(at[t].seconds) if at[t].timed else '-'}"
        if t in at
        else "-"
        for t in targets
    )


def _origin(rows: list[Row]) -> str:
    machines = "; ".join(sorted({row.machine for row in rows}))
    commits = ", ".join(sorted({row.commit for row in rows}))
    cells = {row.key for row in rows}
    real = len({key[0] for key in cells if not key[3]})
    made = len({key[0] for key in cells if key[3]})
    seeds = ", ".join(sorted({key[3] for key in cells if key[3]}))
    generated = f"{made} generated sets from {seeds}" if made else "no generated sets: **partial**"
    return wrapped(
        f"{machines}. Commit {commits}. {len(cells)} cells: {real} real sets, {generated}."
    )


def _limit(rows: list[Row]) -> float:
    return max(max(row.all_seconds) for row in rows)
