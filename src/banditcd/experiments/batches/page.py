"""The study as one page: the answer, work against batch size, and the races behind it."""

from __future__ import annotations

from html import escape

import numpy as np

from banditcd.experiments.batches.freshness import FreshRow
from banditcd.experiments.batches.study import (
    AUTO,
    BASELINES,
    RULES,
    Finding,
    advantage,
    at_its_best,
    findings,
    judged_at,
)
from banditcd.experiments.batches.views import (
    as_html,
    as_markdown,
    auto_view,
    fresh_view,
    looks_view,
)
from banditcd.experiments.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Scale
from banditcd.experiments.markup import counted, markdown_table, ratio_text, text_table
from banditcd.experiments.page import race_page
from banditcd.experiments.reach import reach
from banditcd.experiments.rows import RaceResult
from banditcd.experiments.style import LOOKS

TITLE = "Budget for several coordinates per step"
COLORS = {rule: LOOKS[rule].color for rule in RULES}
WORDS = {
    "top": "update the k largest marginal decreases once, then refresh",
    "pool": "add the k largest to a pool and pass over it while that pays, then refresh",
    "spread": "update k with large marginal decrease and cosines below 0.3, then refresh",
}
_INTRO = (
    "The paper ends with a question: what does additional budget to choose several coordinates at "
    "each step buy, and how should it be invested? It can be read in two ways. Update k: three "
    "ways to choose k coordinates by marginal decrease, and a pool that chooses its k itself. "
    "Observe k: B_max_r that still updates one coordinate per step and looks at k more. All "
    "against max_r (all marginal decreases before every single update), B_max_r, and shuffled "
    "passes. Work is matrix entries touched / (2 nnz), refreshes, looks and correlations included; "
    "numbers are medians over the seeds until the gap was certified."
)


def study_page(races: list[RaceResult], fresh: list[FreshRow], command: str) -> str:
    """Return the whole page."""
    best = [at_its_best(race, judged_at(race)) for race in races]
    parts = [f"<p>{_INTRO}</p>", _rules(), _answer(races), _charts(races)]
    parts += [as_html(view) for view in (auto_view(races), looks_view(races), fresh_view(fresh))]
    return race_page(best, TITLE, command, lead="\n".join(parts))


def study_summary(races: list[RaceResult], fresh: list[FreshRow]) -> str:
    """Return the answer as Markdown."""
    head = ["problem", "gap", *(f"{rule}: best k" for rule in RULES)]
    head += [f"pool's work vs {name}" for name in BASELINES]
    lines = markdown_table(head, map(_cells, races))
    rules = [f"- **{rule}**: {words}." for rule, words in WORDS.items()]
    views = (auto_view(races), looks_view(races), fresh_view(fresh))
    tables = [line for view in views for line in ("", *as_markdown(view))]
    first = ["## Update k", "", *rules, "", *_sentences(races), "", *lines]
    return "\n".join([f"# {TITLE}", "", _INTRO, "", *first, *tables, ""])


def _rules() -> str:
    items = "".join(
        f'<li><b style="color:{COLORS[rule]}">{rule}</b>: {escape(words)}</li>'
        for rule, words in WORDS.items()
    )
    return f"<ul>{items}</ul>"


def _sentences(races: list[RaceResult]) -> list[str]:
    """Return the answer in sentences, counted from the rows."""
    answers = []
    for rule in RULES:
        for baseline in BASELINES:
            ratios = [advantage(race, rule, baseline, judged_at(race)) for race in races]
            if found := counted(ratios):
                answers.append(f"- {rule} at its best k needs less work than {baseline} {found}")
    return answers


def _cells(race: RaceResult) -> list[str]:
    target = judged_at(race)
    sizes = [
        f"{f.best} ({f.work[f.best].spent:.3g} passes)" if f.best is not None else "not reached"
        for f in findings(race, target)
    ]
    ratios = [ratio_text(advantage(race, "pool", name, target)) for name in BASELINES]
    return [race.info.title, f"{target:.0e}", *sizes, *ratios]


def _answer(races: list[RaceResult]) -> str:
    head = ["problem", "gap", *(f"{rule}: best k" for rule in RULES)]
    head += [f"pool vs {name}" for name in BASELINES]
    points = "".join(f"<li>{escape(line[2:])}</li>" for line in _sentences(races))
    return (
        f"<section><h2>The answer in numbers</h2><ul>{points}</ul>"
        f"{text_table(head, map(_cells, races))}"
        '<p class="soft">Ratios of work: above 1 the pool needs less than the other; &gt; and &lt; '
        "mark bounds, where only one of the two reached the gap.</p></section>"
    )


def _charts(races: list[RaceResult]) -> str:
    charts = "".join(f'<div class="panel work">{size_svg(race)}</div>' for race in races)
    return (
        "<section><h2>Work against k</h2>"
        f'<p class="soft">{escape(_key())}</p>'
        f'<div class="panels">{charts}</div></section>'
    )


def _key() -> str:
    return (
        "Dashed: the baselines, and the pool with an automatic k. A size that did not reach the "
        "gap in its time has no point."
    )


def size_svg(race: RaceResult) -> str:
    """Draw the work until the judged gap against the batch size, a line per rule."""
    target = judged_at(race)
    found = findings(race, target)
    levels = {name: reach(race, name, target, "work").spent for name in (*BASELINES, AUTO)}
    spent = [w.spent for f in found for w in f.work.values()] + list(levels.values())
    finite = [value for value in spent if np.isfinite(value)]
    sizes = [k for f in found for k in f.work]
    if not finite or not sizes:
        return ""
    x = Scale(min(sizes), max(max(sizes), 2), LEFT, WIDTH - RIGHT)
    y = Scale(0.8 * min(finite), 1.25 * max(finite), HEIGHT - BOTTOM, TOP)
    title = f"{race.info.title}, gap {target:.0e}"
    parts = [
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{escape(title)}">',
        *_ticks(x, y, sorted(set(sizes))),
        *(_baseline(name, value, x, y) for name, value in levels.items() if np.isfinite(value)),
        *(_line(finding, x, y) for finding in found),
        f'<text class="name" x="{LEFT:g}" y="14">{escape(title)}</text></svg>',
    ]
    return "\n".join(parts)


def _ticks(x: Scale, y: Scale, sizes: list[int]) -> list[str]:
    parts = []
    for value in _round_values(y):
        at = float(y(np.array([value]))[0])
        parts.append(f'<path class="grid" d="M{LEFT:g} {at:.1f}H{WIDTH - RIGHT:g}"/>')
        label = f'x="{LEFT - 6:g}" y="{at + 4:.1f}" text-anchor="end"'
        parts.append(f"<text {label}>{value:g}</text>")
    for size in sizes:
        at = float(x(np.array([float(size)]))[0])
        label = f'x="{at:.1f}" y="{HEIGHT - BOTTOM + 16:g}" text-anchor="middle"'
        parts.append(f"<text {label}>{size}</text>")
    end = f'x="{WIDTH - RIGHT:g}" y="{HEIGHT - 6:g}" text-anchor="end"'
    return [*parts, f'<text class="name" {end}>k →</text>']


def _round_values(y: Scale) -> list[float]:
    """Return powers of ten, with 2 and 5 times them on a short axis."""
    steps = (1.0, 2.0, 5.0) if y.high - y.low < 2.0 else (1.0,)
    exponents = range(int(np.floor(y.low)), int(np.ceil(y.high)) + 1)
    values = [step * 10.0**k for k in exponents for step in steps]
    return [value for value in values if y.low <= np.log10(value) <= y.high]


def _baseline(name: str, value: float, x: Scale, y: Scale) -> str:
    at = float(y(np.array([value]))[0])
    color = LOOKS[name].color
    shown, place = ("automatic k", 0.2) if name == AUTO else (name, 0.5)
    return (
        f'<path d="M{x.start:g} {at:.1f}H{x.end:g}" fill="none" stroke="{color}" '
        f'stroke-width="1.6" stroke-dasharray="5 3"/>'
        f'<text x="{x.start + place * (x.end - x.start):g}" y="{at - 4:.1f}" '
        f'style="fill:{color}">{escape(shown)}</text>'
    )


def _line(finding: Finding, x: Scale, y: Scale) -> str:
    points = [(k, work.spent) for k, work in finding.work.items() if work.reached]
    if not points:
        return ""
    px = x(np.array([float(k) for k, _ in points]))
    py = y(np.array([spent for _, spent in points]))
    path = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(px, py, strict=True))
    color = COLORS[finding.rule]
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.4" fill="{color}"><title>{finding.rule} '
        f"k = {k}: {spent:.3g} passes</title></circle>"
        for a, b, (k, spent) in zip(px, py, points, strict=True)
    )
    place = f'x="{px[-1] - 6:.1f}" y="{py[-1] - 7:.1f}" text-anchor="end"'
    label = f'<text {place} style="fill:{color}">{finding.rule}'
    return (
        f'<g><path d="M{path}" fill="none" stroke="{color}" stroke-width="2.2"/>{dots}'
        f"{label}</text></g>"
    )
