"""Preprocessing as named steps that a data set records, so that a configuration can list them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from banditcd.data import labels, scaling
from banditcd.data.calls import parse_call
from banditcd.data.checks import unknown_name
from banditcd.data.dataset import Dataset

Step = Callable[..., Dataset]

STEPS: dict[str, Step] = {
    step.__name__: step
    for step in (
        scaling.unit_columns,
        scaling.unit_rows,
        scaling.unit_variance,
        scaling.standardize,
        scaling.scale01,
        scaling.log1p,
        labels.numeric_labels,
        labels.center_labels,
        labels.binary_labels,
        labels.halved_classes,
        labels.sample_rows,
    )
}


def apply(dataset: Dataset, steps: Iterable[str]) -> Dataset:
    """Apply steps in order and record them in `Dataset.steps`.

    Parameters
    ----------
    dataset : Dataset
        It is not changed.
    steps : iterable of str
        Names of `STEPS`, with arguments where a step has some: "unit_columns",
        "binary_labels(positive=3)", "sample_rows(rows=1000, seed=1)". All names and arguments are
        checked before the first step is taken.

    Returns
    -------
    Dataset
        Applying its `steps` to the original set gives the same set.
    """
    if isinstance(steps, str):
        raise TypeError(f"steps is the string {steps!r}; give a list of steps, as in [{steps!r}].")
    texts = list(steps)
    for step, arguments, text in [(*parse_step(text), text) for text in texts]:
        changed = step(dataset, **arguments)
        dataset = replace(changed, steps=(*dataset.steps, text))
    return dataset


def parse_step(text: str) -> tuple[Step, dict[str, Any]]:
    """Return the function and the arguments that "name" or "name(key=value, ...)" means."""
    name, arguments = parse_call(text)
    if name not in STEPS:
        raise unknown_name("preprocessing step", name, STEPS)
    parameters = list(inspect.signature(STEPS[name]).parameters.values())[1:]
    known = [parameter.name for parameter in parameters]
    for key in arguments:
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise ValueError(f"The step {name!r} has no argument {key!r}; it has: {allowed}.")
    for parameter in parameters:
        if parameter.default is inspect.Parameter.empty and parameter.name not in arguments:
            raise ValueError(
                f"The step {name!r} needs its argument {parameter.name!r}, "
                f"as in '{name}({parameter.name}=...)'."
            )
    return STEPS[name], arguments
