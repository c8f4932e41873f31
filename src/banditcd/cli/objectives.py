"""What the models of ``banditcd fit`` minimize, in the letters of the options."""

from __future__ import annotations

from typing import Any

_SQUARES = "‖y − Xw − b‖²/(2n)"
_LOG_LOSSES = "C Σ log(1 + exp(−yᵢ(xᵢ·w + b)))"
_JOINT = "‖Y − XW − b‖²/(2n)"
LOSSES = {
    "lasso": _SQUARES,
    "elasticnet": _SQUARES,
    "ridge": "‖y − Xw − b‖²",
    "ridgeclassifier": "Σ (yᵢ − xᵢ·w − b)²",
    "logistic": _LOG_LOSSES,
    "multitasklasso": _JOINT,
    "multitaskelasticnet": _JOINT,
    "grouplasso": _SQUARES,
    "grouplogistic": _LOG_LOSSES,
    "svm": "C Σ loss(yᵢ(xᵢ·w + b))",
    "svr": "C Σ loss(|yᵢ − xᵢ·w − b| − epsilon)",
}
PENALTIES = {
    "lasso": "alpha ‖w‖₁",
    "elasticnet": "alpha (l1_ratio ‖w‖₁ + (1 − l1_ratio)/2 ‖w‖²)",
    "ridge": "alpha ‖w‖²",
    "ridgeclassifier": "alpha ‖w‖²",
    "logistic": "l1_ratio ‖w‖₁ + (1 − l1_ratio)/2 ‖w‖²",
    "multitasklasso": "alpha Σ ‖w_j‖",
    "multitaskelasticnet": "alpha (l1_ratio Σ ‖w_j‖ + (1 − l1_ratio)/2 ‖W‖²)",
    "grouplasso": "alpha Σ √size ‖w_g‖",
    "grouplogistic": "Σ √size ‖w_g‖",
    "svm": "½‖w‖²",
    "svr": "½‖w‖²",
}
_ROWS = ", w_j = the coefficients of feature j for all targets"
REMARKS = {
    "ridgeclassifier": ", yᵢ = −1 or +1",
    "multitasklasso": _ROWS,
    "multitaskelasticnet": _ROWS,
}

#: Penalties of weights and intercept of the support vector machines, by the word of --penalty.
OF_MACHINES = {"l2": ("½‖w‖²", "½b²"), "l1": ("‖w‖₁", "|b|")}

_SCORES = ", zₖ(x) = x·wₖ + bₖ"
_SOFTMAX_LOSSES = "C Σ log Σₖ exp(zₖ(xᵢ) − z_yᵢ(xᵢ))"
MULTINOMIAL = f"{_SOFTMAX_LOSSES} + l1_ratio ‖W‖₁ + (1 − l1_ratio)/2 ‖W‖²{_SCORES}"


def general(name: str) -> list[str]:
    """Return the objectives that a word of --model can mean, line by line, the default first."""
    binary = f"{LOSSES[name]} + {PENALTIES[name]}{REMARKS.get(name, '')}"
    if name == "logistic":
        return [binary, "three and more classes, unless --multi-class ovr:", MULTINOMIAL]
    if name not in ("svm", "svr"):
        return [binary]
    lines = []
    for word in ("l2", "l1") if name == "svm" else ("l2",):
        weights, intercept = OF_MACHINES[word]
        start = "" if word == "l2" else "--penalty l1: "
        end = f"{intercept}; --free-intercept: without {intercept}"
        lines.append(f"{start}{LOSSES[name]} + {weights} + {end}")
    return lines


def minimized(name: str, chosen: dict[str, Any], classes: int, multinomial: bool) -> str:
    """Return the objective of a model with these parameters.

    ``classes`` is their number, 0 for a regression; ``multinomial`` says whether they are one
    model.
    """
    free = chosen.get("C") == "inf"  # as model files have it
    if multinomial:
        return _SOFTMAX_LOSSES.removeprefix("C ") + _SCORES if free else MULTINOMIAL
    each = "; one model for each class, against the rest" if classes > 2 else ""
    if free:
        return LOSSES[name].removeprefix("C ") + each
    penalty = PENALTIES[name]
    if name in ("svm", "svr"):
        penalty, intercept = OF_MACHINES["l1" if chosen.get("penalty") == "l1" else "l2"]
        if chosen.get("fit_intercept", True) and chosen.get("penalize_intercept", True):
            penalty += f" + {intercept}"
    return f"{LOSSES[name]} + {penalty}{REMARKS.get(name, '')}{each}"
