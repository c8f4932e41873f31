"""Entrants of a race: selectors by name, with parameters, or from a user's file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from banditcd import selectors, updates
from banditcd.data import unknown_name
from banditcd.data.calls import parse_call
from banditcd.experiments.user_code import describe, is_file_reference, load_from_file
from banditcd.selectors import Accelerated

YARDSTICKS = ("uniform", "shuffled")
"""They run in every race: the table's ratios are against them."""

STANDARD_ENTRANTS = (
    "focus",
    "uniform",
    "shuffled",
    "cyclic",
    "gap_per_epoch",
    "b_max_r",
    "max_r",
    "ada_gap",
    "sqrt_r",
    "acf",
    "calendar",
    "pool",
    "approx",
    "nuacdm",
)
"""Entrants if nobody is named (those that fit the cost)."""


@dataclass(frozen=True)
class Entrant:
    """A selector under the name it is printed with; every run gets a fresh object.

    Attributes
    ----------
    label : str
        The name.
    make : callable
        Returns the selector.
    """

    label: str
    make: Callable[[], Any]

    @property
    def is_accelerated(self) -> bool:
        """Whether it brings its own updates."""
        return isinstance(self.make(), Accelerated)

    @property
    def is_python(self) -> bool:
        """Whether the choice is made in Python: the rule has no compiled twin."""
        selector = self.make()
        return not (
            isinstance(selector, Accelerated) or type(selector) in selectors.REGISTRY.values()
        )


def standard_entrants() -> list[Entrant]:
    """Return the entrants of a race that names none."""
    return [parse_entrant(name) for name in STANDARD_ENTRANTS]


def parse_entrants(text: str) -> list[Entrant]:
    """Read ``a,b(epsilon=0.2),my.py:MySelector``; the yardsticks are put in front if absent.

    Parameters
    ----------
    text : str
        Names with parameters, separated by commas.
    """
    parts = [part.strip() for part in split_list(text)]
    if not any(parts):
        raise ValueError("No selector is named; use for example uniform,shuffled,b_max_r.")
    chosen = [parse_entrant(part) for part in parts if part]
    labels = [entrant.label for entrant in chosen]
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ValueError(f"Selector {twice[0]!r} is named twice.")
    missing = [parse_entrant(name) for name in YARDSTICKS if name not in labels]
    return [*missing, *chosen]


def asked_labels(text: str) -> tuple[str, ...]:
    """Return the labels of the selectors that a list names, without the added yardsticks."""
    return tuple(parse_entrant(part.strip()).label for part in split_list(text) if part.strip())


def parse_entrant(text: str) -> Entrant:
    """Read one selector: ``name``, ``name(key=value, ...)`` or ``file.py:Name(key=value, ...)``."""
    name, parameters = parse_call(text)
    if is_file_reference(name):
        return _from_file(name, parameters, text)
    known = selectors.named()
    if name not in known:
        raise unknown_name("selector", name, known)
    build = _builder(known[name], parameters, text)
    build()
    return Entrant(text, build)


def parse_update(text: str) -> Any:
    """Read an update rule: a name, ``auto``, or ``file.py:Name``."""
    name, parameters = parse_call(text)
    if not is_file_reference(name):
        return text if name == "auto" else updates.make(name, **parameters)
    rule = _builder(load_from_file(name), parameters, text)()
    if not callable(getattr(rule, "target", None)):
        raise TypeError(f"{name} is no update rule: it needs target(coordinate) -> float.")
    return rule


def _from_file(name: str, parameters: dict[str, Any], text: str) -> Entrant:
    found = load_from_file(name)
    if not callable(found):
        raise TypeError(f"{name} is {found!r}; it must be a class of selectors.")
    build = _builder(found, parameters, text)
    selector = build()
    missing = [m for m in ("start", "next") if not callable(getattr(selector, m, None))]
    if missing and not isinstance(selector, Accelerated):
        raise TypeError(
            f"{name} is no selector: it has no {' and no '.join(missing)}. A selector needs "
            "start(problem, rng) and next(state), and may have observe(i, decrease, r_after) or "
            "observe_batch(indices, decreases, r_after)."
        )
    label = text.rpartition(".py:")[2]
    taken = label in selectors.named()
    return Entrant(text if taken else label, build)


def _builder(kind: Any, parameters: dict[str, Any], text: str) -> Callable[[], Any]:
    def build() -> Any:
        try:
            return kind(**parameters)
        except TypeError as error:
            raise ValueError(f"{text} cannot be built: {describe(error)}.") from error

    return build


def split_list(text: str) -> list[str]:
    """Split at the commas that are not inside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
