"""Sentences about a fit: its certificate, its model, its advice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from banditcd.cli.linear import LinearModel
from banditcd.cli.models import KINDS
from banditcd.cli.objectives import minimized
from banditcd.data.dataset import Dataset
from banditcd.data.frames import counted
from banditcd.places.kinds import kind_of as place_of


def data_words(dataset: Dataset) -> str:
    """Say what was read."""
    shape = f"{counted(dataset.rows, 'row')}, {counted(dataset.columns, 'column')}"
    if place_of(dataset.X) == "file":
        size = f"{1e-9 * dataset.X.nbytes:,.1f} GB, read in blocks"
    else:
        share = f"{100.0 * dataset.density:.3g} %" if dataset.density < 1.0 else "dense"
        size = f"{counted(dataset.nonzeros, 'nonzero')} ({share})"
    return f"{dataset.title}: {shape}, {size}"


def objective_of(model: LinearModel) -> str:
    """Say what a model minimizes; parameters in a file of others may be anything."""
    classes = 0 if model.classes is None else len(model.classes)
    return minimized(model.kind, _parameters(model), classes, model.multinomial)


def _parameters(model: LinearModel) -> dict[str, Any]:
    given = model.facts.get("parameters")
    return given if isinstance(given, dict) else {}


def model_words(model: LinearModel) -> str:
    """Say which model it is, with its penalty, and what it minimizes."""
    kind, chosen = KINDS[model.kind], _parameters(model)
    about = ("alpha", "C", "l1_ratio", "loss", "penalty", "epsilon")
    shown = [name for name in about if name in kind.options]
    words = [f"{name} = {_short(chosen[name])}" for name in shown if name in chosen]
    intercept = "an intercept" if chosen.get("fit_intercept", True) else "no intercept"
    return f"{kind.title}, {', '.join([*words, intercept])}; minimizes {objective_of(model)}"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def certificate_words(certificates: Sequence[Any], tol: float, max_iter: int) -> list[str]:
    """Return sentences on the certificate of a fit, the worst one if there are several classes."""
    worst = max(certificates, key=lambda certificate: certificate.excess)
    missed = [c for c in certificates if not c.converged]
    which = "" if len(certificates) == 1 else f" (worst of {len(certificates)} classes)"
    lines = []
    if any(c.status == "separable" for c in certificates):
        from banditcd.estimators.backends.messages import NO_OPTIMUM

        return [f"  NOT converged. {NO_OPTIMUM} Use a finite --C."]
    if math.isfinite(worst.gap):
        lines.append(
            f"Certificate{which}: the objective is {worst.primal:.10g}, and no model has less than "
            f"{worst.dual:.10g}."
        )
    if not missed:
        lines.append(
            f"  So this model is at most {worst.gap:.2g} above the best possible; "
            f"{worst.target:.2g} was asked for (tol {tol:g})."
        )
    else:
        count = "" if len(certificates) == 1 else f" for {len(missed)} of {len(certificates)}"
        lines.append(
            f"  NOT converged{count}: the gap {worst.gap:.2g} is above the {worst.target:.2g} "
            f"asked for (tol {tol:g}). {_advice(worst, tol, max_iter)}"
        )
    seconds = sum(c.seconds for c in certificates)
    passes = sum(c.passes for c in certificates)
    regimes = ", ".join(dict.fromkeys(str(c.regime) for c in certificates))
    lines.append(f"  Solved in {seconds:.3g} s, {passes:.3g} passes over the data ({regimes}).")
    return lines


def measure_words(measures: dict[str, float]) -> str:
    """Say how good predictions are."""
    words = []
    for name, value in measures.items():
        if name == "accuracy":
            right, of = round(measures["right"]), round(measures["of"])
            words.append(f"accuracy {100.0 * value:.4g} % ({right:,} of {of:,})")
        elif name not in ("right", "of"):
            words.append(f"{_MEASURES[name]} {value:.5g}")
    return ", ".join(words)


_MEASURES = {
    "mean_squared_error": "mean squared error",
    "mean_absolute_error": "mean absolute error",
    "r2": "R²",
    "log_loss": "log loss",
}


def _advice(certificate: Any, tol: float, max_iter: int) -> str:
    text = str(certificate.advice(tol, max_iter))
    return text.replace("max_iter", "--max-iter").replace("Raise tol", "Raise --tol")
