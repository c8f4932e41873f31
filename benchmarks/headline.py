"""The picture of the README: the median speed of each task, from the tables of the benchmarks.

    python -m benchmarks.headline

A bar is the median over data sets, penalties and accuracies of the best other library's time over
ours; the words beside it say in how many cells we were first. The worst and the best cell are in
the tables, which are made from the committed rows (``python -m benchmarks.lasso --draw``...).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

RESULTS = Path(__file__).parent / "results"
#: Tables and their rows, with the name of the task.
TASKS = (
    ("lasso.md", "Cross-validation, all", "LassoCV"),
    ("lasso.md", "Path of 100 penalties, all", "Lasso path"),
    ("lasso.md", "One penalty, all", "Lasso"),
    ("logistic.md", "L1 penalty, all", "L1 logistic"),
    ("svm.md", "Hinge loss, all", "SVM, hinge"),
    ("svm.md", "Squared hinge loss, all", "SVM, squared hinge"),
    ("ridge.md", "One penalty, all", "Ridge"),
    ("logistic.md", "L2 penalty, all", "L2 logistic"),
)


@dataclass(frozen=True)
class Task:
    """One bar: name, number of cells, cells won, and the ratios."""

    name: str
    cells: int
    won: int
    worst: float
    median: float
    best: float


def tasks() -> list[Task]:
    """Read the rows of the tables."""
    found = []
    for file, row, name in TASKS:
        text = (RESULTS / file).read_text("utf-8")
        match = re.search(rf"^\| {re.escape(row)} \|(.*)\|$", text, re.MULTILINE)
        if match is None:
            raise SystemExit(f"{file} has no row {row!r}")
        cells = [cell.strip() for cell in match.group(1).split("|")]
        numbers = [float(cell) for cell in cells[:5]]
        found.append(Task(name, int(numbers[0]), int(numbers[1]), *numbers[2:]))
    return found


def draw(found: list[Task], file: Path) -> None:
    """Draw one bar per task."""
    figure, axes = plt.subplots(figsize=(6.0, 0.8 + 0.38 * len(found)), layout="constrained")
    for place, task in enumerate(reversed(found)):
        axes.barh(place, task.median - 1.0, left=1.0, color="#0072b2", height=0.6)
        speed = f"{task.median:.0f}×" if task.median >= 10.0 else f"{task.median:.1f}×"
        axes.text(1.06 * task.median, place, speed, va="center", fontsize=11, weight="bold")
        won = f"won {task.won} of {task.cells}"
        axes.text(78.0, place, won, va="center", ha="right", fontsize=9, color="#555555")
    axes.axvline(1.0, color="#333333", linewidth=1.0)
    axes.set_xscale("log")
    axes.set_xlim(0.99, 80.0)
    axes.set_xticks([1, 2, 5, 10, 20], ["as fast", "2×", "5×", "10×", "20×"])
    axes.set_yticks(range(len(found)), [task.name for task in reversed(found)])
    axes.tick_params(axis="y", length=0, labelsize=11)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.minorticks_off()
    title = "Times faster than the fastest other library"
    axes.set_title(title, loc="left", fontsize=12, weight="bold")
    axes.set_xlabel("median over all problems of a kind, same accuracy, one thread", fontsize=9)
    figure.savefig(file, dpi=180)


if __name__ == "__main__":
    draw(tasks(), RESULTS / "headline.png")
