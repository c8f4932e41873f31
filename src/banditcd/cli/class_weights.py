"""Weights of classes, as the command line gives them."""

from __future__ import annotations

from typing import Any

from banditcd.data import check_number


def parse_class_weight(text: str | None) -> Any:
    """Read "balanced" or "LABEL:WEIGHT,LABEL:WEIGHT"; labels stay as they are written."""
    if text is None or text == "balanced":
        return text
    weights: dict[str, float] = {}
    for part in text.split(","):
        label, _, weight = part.rpartition(":")
        try:
            weights[label.strip()] = float(weight)
        except ValueError as error:
            raise ValueError(
                f"--class-weight is {text!r}; give balanced, or LABEL:WEIGHT pairs as in "
                "--class-weight=-1:1,1:5."
            ) from error
        check_number(weights[label.strip()], f"The weight of class {label}", minimum=0.0)
    return weights


def match_class_weight(weights: Any, classes: Any) -> Any:
    """Return weights by label, as the labels are: numbers or words."""
    if not isinstance(weights, dict):
        return weights
    known = {_label_text(label): label for label in classes.tolist()}
    matched = {}
    for text, weight in weights.items():
        if _label_text(text) not in known:
            shown = ", ".join(str(label) for label in list(known)[:20])
            raise ValueError(f"--class-weight: there is no class {text!r}; they are {shown}.")
        matched[known[_label_text(text)]] = weight
    return matched


def _label_text(label: Any) -> str:
    """Return a label as text; numbers in their shortest form, so that 1 and 1.0 are the same."""
    try:
        return repr(float(label))
    except ValueError:
        return str(label)
