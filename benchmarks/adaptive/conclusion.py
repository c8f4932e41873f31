"""The end of docs/adaptive.md: what was asked of the default rule, and what the rows say."""

from __future__ import annotations

from benchmarks.adaptive.judge import (
    NOT_WORSE,
    SHORT,
    Entry,
    Summary,
    best_rules,
    of_rule,
    summary,
)
from benchmarks.adaptive.measure import RULES
from benchmarks.adaptive.words import (
    listed,
    met,
    number,
    ratio_text,
    share,
    table,
    title_of,
    wrapped,
)

RIVALS = RULES[1:]
CHAMPION = "focus"
MEAN = 2.5  # asked of the geometric mean in work
MOST = 0.9  # of the cells
GAINS = 1.05  # mean of a cost on which the rule is said to gain
SHOWN = 8  # losses that are named


def conclusion(judged: list[Entry]) -> str:
    """Say what was asked of the champion and what was found."""
    asked = _aims(judged)
    lines = [[aim, found, met(holds)] for aim, found, holds in asked]
    missed = sum(not holds for *_, holds in asked)
    opening = (
        f"All {len(asked)} aims are met."
        if not missed
        else f"Of {len(asked)} aims {missed} {'is' if missed == 1 else 'are'} not met."
    )
    words = [opening, _means(judged), _by_cost(judged), _losses(judged), _ranking(judged)]
    text = wrapped(" ".join(word for word in words if word))
    return f"{table([f'asked of `{CHAMPION}`', 'found', ''], lines)}\n\n{text}"


def _of_champion(judged: list[Entry], cost: str | None = None) -> tuple[Summary, Summary]:
    work, seconds = (of_rule(judged, CHAMPION, m, cost) for m in ("work", "seconds"))
    return summary(work), summary(seconds)


def _aims(judged: list[Entry]) -> list[tuple[str, str, bool]]:
    work, seconds = _of_champion(judged)
    means = {rule: summary(of_rule(judged, rule, "work")).mean for rule in RIVALS}
    others = [rule for rule in RIVALS if rule != CHAMPION and means[rule] >= means[CHAMPION]]
    return [
        (
            f"work: at least {NOT_WORSE} of shuffled in every cell",
            f"{work.not_worse} of {work.cells}, worst {number(work.worst)}",
            work.not_worse == work.cells,
        ),
        (
            f"work: at least 1 in {MOST:.0%}",
            share(work.ahead, work.cells),
            work.ahead >= MOST * work.cells,
        ),
        (f"work: geometric mean of {MEAN}", number(work.mean), work.mean >= MEAN),
        (
            "work: ahead of every other rule in the mean",
            "all" if not others else f"behind {', '.join(others)}",
            not others,
        ),
        (
            f"seconds: at least {NOT_WORSE} in {MOST:.0%} of the cells of {SHORT:g} s or more",
            f"{share(seconds.not_worse, seconds.cells)}, mean {number(seconds.mean)}",
            seconds.not_worse >= MOST * seconds.cells,
        ),
    ]


def _means(judged: list[Entry]) -> str:
    work, seconds = _of_champion(judged)
    slower = seconds.cells - seconds.not_worse
    return (
        f"In the geometric mean over all cells the ratio of `{CHAMPION}` is {number(work.mean)} in "
        f"work and {number(seconds.mean)} in seconds; in seconds it is not known to reach "
        f"{NOT_WORSE} in {share(slower, seconds.cells)} of the cells."
    )


def _by_cost(judged: list[Entry]) -> str:
    costs = dict.fromkeys(entry.row.cost for entry in judged)
    gains, rest = [], []
    for cost in costs:
        work, seconds = _of_champion(judged, cost)
        text = f"{cost} ({number(work.mean)}, in seconds {number(seconds.mean)})"
        (gains if work.mean >= GAINS else rest).append(text)
    parts = []
    if gains:
        parts.append(f"Choosing pays on {listed(gains)}.")
    if rest:
        parts.append(f"It does not on {listed(rest)}.")
    return " ".join(parts)


def _losses(judged: list[Entry]) -> str:
    mine = [entry for entry in judged if entry.row.rule == CHAMPION]
    behind = sorted(
        (e for e in mine if e.work.bound == "<" or (not e.work.bound and e.work.value < NOT_WORSE)),
        key=lambda entry: entry.work.value,
    )
    open_ = sum(e.work.bound == ">" and e.work.value < NOT_WORSE for e in mine)
    named = "; ".join(
        f"{title_of(e.row)} {e.row.cost} {e.row.words} at {e.target:g} ({ratio_text(e.work)})"
        for e in behind[:SHOWN]
    )
    more = f"; and {len(behind) - SHOWN} more" if len(behind) > SHOWN else ""
    cells = f"{len(behind)} of {len(mine)} cells"
    text = f"Its work is behind {NOT_WORSE}, or bounded from above only, in {cells}"
    text += f": {named}{more}." if named else "."
    if open_:
        text += (
            f" In {open_} more it reached a gap that shuffled missed, but within a budget that "
            f"proves no ratio of {NOT_WORSE}; these count against it above."
        )
    return text


def _ranking(judged: list[Entry]) -> str:
    ranking = best_rules(judged)
    first = [cost for cost, rules in ranking.items() if rules[0] == CHAMPION]
    elsewhere = [f"{cost}: {rules[0]}" for cost, rules in ranking.items() if rules[0] != CHAMPION]
    text = f"It has the best mean in work of all rules on {listed(first)}"
    return text + (f"; the best elsewhere are {listed(elsewhere)}." if elsewhere else ".")
