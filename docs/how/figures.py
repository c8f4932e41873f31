"""The pictures of how/index.md, from runs of the package: ``python docs/how/figures.py``.

Every picture is an SVG file beside the page. The runs are seeded, and no picture shows a time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import numpy as np

from banditcd import minimize, problems, selectors, theory

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLUE, ORANGE, GRAY = "#0072b2", "#d55e00", "#8a8a8a"
INFORMATIVE = 6
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "banditcd",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def example() -> problems.Lasso:
    """Return the Lasso problem of the page: 60 features, of which the first six matter."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((150, 60))
    y = X[:, :INFORMATIVE] @ [3.0, -2.0, 1.5, 1.0, -0.7, 0.5] + 0.3 * rng.standard_normal(150)
    return problems.Lasso(X, y, alpha=0.05)


def canvas(height: float) -> tuple[Figure, Axes]:
    """Return an empty picture of the width of the page."""
    return plt.subplots(figsize=(7.0, height), layout="constrained")


def gains() -> Figure:
    """Draw the marginal decreases of all coordinates at the start."""
    decreases = theory.record(example(), "max_r", steps=1).r[0]
    figure, axes = canvas(2.8)
    features = np.arange(1, len(decreases) + 1)
    axes.bar(features, decreases, color=np.where(features <= INFORMATIVE, BLUE, GRAY))
    axes.set(xlabel="feature", ylabel="guaranteed gain")
    axes.text(
        8.0, 0.8 * decreases.max(), "a few steps are worth far more\nthan the others", va="top"
    )
    return figure


def choices() -> Figure:
    """Draw how often the bandit and the uniform rule choose each coordinate."""
    problem = example()
    figure, axes = canvas(3.0)
    features = np.arange(1, problem.d + 1)
    for rule, color, width in (("uniform", GRAY, 0.9), ("b_max_r", BLUE, 0.45)):
        run = minimize(problem, selectors.Watched(selectors.make(rule)), tol=1e-9, random_state=0)
        counts = np.bincount(run.picks.index, minlength=problem.d)
        label = f"{rule}, {run.steps} steps in all"
        axes.bar(features, counts, width=width, color=color, label=label)
    axes.set(xlabel="feature", ylabel="times chosen")
    axes.set_ylim(0.0, 1.3 * axes.get_ylim()[1])
    axes.legend(frameon=False, ncols=2, loc="upper right")
    return figure


def certificate() -> Figure:
    """Draw the objective and the best lower bound along a run."""
    run = minimize(example(), "uniform", tol=1e-9, random_state=0, trace=15)
    passes, objective = run.trace.epoch, run.trace.objective
    bound = np.maximum.accumulate(objective - run.trace.gap)
    figure, axes = canvas(3.2)
    axes.plot(passes, objective, color=BLUE)
    axes.plot(passes, bound, color=ORANGE)
    axes.fill_between(passes, bound, objective, color=GRAY, alpha=0.25, linewidth=0.0)
    low, high = objective[-1] - 0.4, objective[-1] + 0.6
    axes.set(xlabel="steps, in units of the number of features", ylim=(low, high), xlim=(0.0, 8.0))
    axes.set_ylabel("objective")
    axes.text(1.3, objective[-1] + 0.2, "objective of the model so far", color=BLUE)
    axes.text(1.3, objective[-1] - 0.3, "no model can be below this line", color=ORANGE)
    axes.text(6.3, objective[-1] + 0.04, "the gap closes", color="#444444")
    return figure


#: What happens in one bin, in order.
BIN = (
    "1  Look\nwhich columns\ncould still help?",
    "2  Certify\nis the gap\nsmall enough?",
    "3  Choose\nthe best columns\nenter the pool",
    "4  Solve\nthe small problem\non the pool",
)


def bins() -> Figure:
    """Draw the cycle of a fast solver."""
    figure, axes = canvas(2.2)
    for place, text in enumerate(BIN):
        box = {"boxstyle": "round,pad=0.6", "facecolor": "#e8f1f8", "edgecolor": BLUE}
        axes.text(place, 0.6, text, ha="center", va="center", bbox=box, fontsize=9.5)
    arrow = {"arrowstyle": "-|>", "color": "#444444", "linewidth": 1.4}
    for place in range(len(BIN) - 1):
        axes.annotate("", (place + 0.59, 0.6), (place + 0.41, 0.6), arrowprops=arrow)
    back = {**arrow, "connectionstyle": "bar,fraction=-0.12"}
    axes.annotate("", (0.0, 0.28), (3.0, 0.28), arrowprops=back)
    axes.text(
        1.5, -0.12, "again, until the gap is small enough", ha="center", va="top", color="#444444"
    )
    axes.set(xlim=(-0.6, 3.6), ylim=(-0.35, 1.0))
    axes.set_axis_off()
    return figure


PICTURES = {"gains": gains, "choices": choices, "certificate": certificate, "bins": bins}


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Write the pictures of how/index.md.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="folder")
    folder = parser.parse_args().out
    with mpl.rc_context(STYLE):
        for name, draw in PICTURES.items():
            figure = draw()
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None}, facecolor="white")
            plt.close(figure)


if __name__ == "__main__":
    main()
