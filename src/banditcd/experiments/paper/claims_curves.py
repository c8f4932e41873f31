"""Claims about the curves of figures 2 and 3."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from banditcd.experiments.paper.claims import (
    NOT_TESTABLE,
    Case,
    Cell,
    Claim,
    decide,
    duel,
    missing,
    verdict_of,
)
from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.measure import Ratio, ratio

SLOPE_END = 1e-3
"""Accuracy relative to P0, behind e^-5, to which every run keeps its records."""


def lasso_claims(court: Court) -> list[Claim]:
    """Figure 2."""
    lasso = court.problems(2)
    top = "Figure 2, adaptive"
    says = "With full information, max_r beats uniform and ada_gap on every Lasso problem."
    low = "Figure 2, adaptive-bandit"
    also = (
        "With partial information, B_max_r beats uniform, gap_per_epoch and Approx on every "
        "Lasso problem."
    )
    return [
        duel(court, ("lasso-full", top, says), lasso, "max_r", "uniform", "ada_gap"),
        duel(
            court, ("lasso-bandit", low, also), lasso, "b_max_r",
            "uniform", "gap_per_epoch", "approx",
        ),
        _behind_max_r(court, lasso),
    ]  # fmt: skip


def logistic_claims(court: Court) -> list[Claim]:
    """Figure 3, classification."""
    logistic = court.problems(3, "LogisticL1")
    where = "Figure 3, logistic regression"
    return [
        duel(
            court,
            ("logistic-full", where, "max_r beats uniform and ada_gap on both sets."),
            logistic, "max_r", "uniform", "ada_gap",
        ),
        duel(
            court,
            ("logistic-bandit", where, "B_max_r beats uniform, gap_per_epoch and Approx."),
            logistic, "b_max_r", "uniform", "gap_per_epoch", "approx",
        ),
        duel(
            court,
            ("logistic-approx", where, "Approx converges faster than uniform and gap_per_epoch."),
            logistic, "approx", "uniform", "gap_per_epoch",
        ),
        _same_rate(court, logistic),
        _same_slope(court, logistic),
    ]  # fmt: skip


def ridge_claims(court: Court) -> list[Claim]:
    """Figure 3, ridge regression."""
    ridge = court.problems(3, "RidgeDual")
    where = "Figure 3, ridge regression"
    nuacdm = "NUACDM converges faster than Approx on ridge regression."
    poor = (
        "gap_per_epoch does poorly, as the gaps change a lot from step to step: uniform is faster."
    )
    return [
        duel(
            court, ("ridge-full", where, "max_r converges faster than ada_gap and uniform."),
            ridge, "max_r", "ada_gap", "uniform",
        ),
        duel(
            court, ("ridge-bandit", where, "B_max_r converges faster than all the others."),
            ridge, "b_max_r", "uniform", "gap_per_epoch", "nuacdm",
        ),
        duel(court, ("ridge-gpe", where, poor), ridge, "uniform", "gap_per_epoch"),
        duel(
            court,
            ("ridge-behind", where, "The changing rewards slow B_max_r down: max_r needs fewer."),
            ridge, "max_r", "b_max_r",
        ).only("epoch"),
        duel(court, ("ridge-nuacdm", "Experimental setup", nuacdm), ridge, "nuacdm", "approx"),
        Claim(
            "smoothed-lasso", "Experimental setup",
            "On a smoothed Lasso, Approx converges faster than NUACDM.",
            "the paper does not say how the Lasso was smoothed", (), NOT_TESTABLE,
        ),
    ]  # fmt: skip


def _behind_max_r(court: Court, problems: list[str]) -> Claim:
    """B_max_r needs more iterations than max_r, but each is O(d) times cheaper."""

    def judge(problem: str) -> tuple[Cell, ...]:
        evidence, title = court.evidence, court.title(problem)
        target = court.target(problem, "paper")
        epochs, cell = decide(
            court,
            evidence.spent(problem, "max_r", target, "epoch"),
            evidence.spent(problem, "b_max_r", target, "epoch"),
            "epoch",
        )
        cited = court.ledger.ratio(epochs, f"{title}: epochs until e⁻⁵, b_max_r / max_r")
        d = evidence.problems[problem].d
        cells = [replace(cell, cited=cited, note="b_max_r / max_r")]
        for measure in ("work", "seconds"):
            cost = ratio(
                evidence.per_epoch(problem, "b_max_r", measure),
                evidence.per_epoch(problem, "max_r", measure),
            )
            share = Ratio(cost.value / d, cost.bound, cost.runs)
            what = f"{title}: {measure} of an epoch, max_r / (d b_max_r)"
            holds = None if share.bound else share.value >= court.rules["cost_share"]
            cells.append(Cell(measure, court.ledger.ratio(share, what), holds, "of d", share.value))
        return tuple(cells)

    head = (
        "lasso-behind", "Figure 2, both rows",
        ("B_max_r converges slower than max_r per iteration, but an iteration is O(d) times "
        "cheaper."),
        ("epochs: b_max_r / max_r; work and seconds: how many times d an epoch of max_r costs as "
        f"much as one of b_max_r, at least {court.rules['cost_share']:g}"),
    )  # fmt: skip
    return _by_problem(court, head, problems, judge)


def _same_rate(court: Court, problems: list[str]) -> Claim:
    def judge(problem: str) -> tuple[Cell, ...]:
        evidence, cells = court.evidence, []
        for accuracy, goal in (("paper", "e⁻⁵"), ("strict", "10⁻⁶ P₀")):
            target = court.target(problem, accuracy)
            full = evidence.spent(problem, "max_r", target, "epoch")
            own = evidence.spent(problem, "b_max_r", target, "epoch")
            found = ratio(full, own)
            what = f"{court.title(problem)}: epochs until {goal}, b_max_r / max_r"
            holds = None if found.bound else found.value <= court.rules["same_rate"]
            why = missing(full, own, "epoch") if holds is None else ""
            cited, note = court.ledger.ratio(found, what), f"until {goal}"
            cells.append(Cell("epoch", cited, holds, note, found.value, why))
        return tuple(cells)

    head = (
        "logistic-rate", "Figure 3, logistic regression",
        "B_max_r converges with the same rate as max_r.",
        f"epochs, b_max_r / max_r: at most {court.rules['same_rate']:g} at both accuracies",
    )  # fmt: skip
    return _by_problem(court, head, problems, judge)


def _same_slope(court: Court, problems: list[str]) -> Claim:
    """The rate is the slope of the curve, however late it begins to fall."""

    def judge(problem: str) -> tuple[Cell, ...]:
        low = SLOPE_END * court.evidence.problems[problem].null_objective
        full, own = (
            court.evidence.spent_between(problem, method, (court.target(problem, "paper"), low))
            for method in ("max_r", "b_max_r")
        )
        found = ratio(full, own)
        what = f"{court.title(problem)}: epochs from e⁻⁵ to 10⁻³ P₀, b_max_r / max_r"
        holds = None if found.bound else found.value <= court.rules["same_rate"]
        why = missing(full, own, "epoch") if holds is None else ""
        cited = court.ledger.ratio(found, what)
        return (Cell("epoch", cited, holds, "from e⁻⁵ to 10⁻³ P₀", found.value, why),)

    head = (
        "logistic-slope", "Figure 3, logistic regression",
        ("B_max_r converges with the same rate as max_r, the rate being the slope of the curves, "
        "however late they begin to fall."),
        f"epochs from e⁻⁵ to 10⁻³ P₀, b_max_r / max_r: at most {court.rules['same_rate']:g}",
    )  # fmt: skip
    return _by_problem(court, head, problems, judge)


def _by_problem(
    court: Court,
    head: tuple[str, str, str, str],
    problems: list[str],
    judge: Callable[[str], tuple[Cell, ...]],
) -> Claim:
    wanted = ("max_r", "b_max_r")
    able = [p for p in problems if all(court.evidence.runs(p, method) for method in wanted)]
    cases = [Case(court.title(problem), judge(problem)) for problem in able]
    return Claim(*head, tuple(cases), verdict_of(cases))
