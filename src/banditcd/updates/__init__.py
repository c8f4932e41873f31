"""Update rules, which move the chosen coordinate: those of the paper (class H).

A rule is an object with a ``name`` and ``target(coordinate) -> float``. Yours can be a plain
Python class; ``check_update_rule`` tells whether Lemma 1 holds for it.
"""

from typing import Any

from banditcd.data import unknown_name
from banditcd.updates.base import BuiltinRule, Coordinate, UpdateRule, checked_target
from banditcd.updates.check import RuleReport, Violation, check_update_rule
from banditcd.updates.exact import Exact
from banditcd.updates.proximal import Proximal
from banditcd.updates.reference import Reference
from banditcd.updates.sdca import Newton, Sdca

REGISTRY: dict[str, type[BuiltinRule]] = {
    rule.name: rule for rule in (Reference, Exact, Proximal, Sdca, Newton)
}
"""Every update rule by name. A new rule is one file and one line here."""


def make(name: str, **parameters: Any) -> BuiltinRule:
    """Build an update rule by name."""
    if name not in REGISTRY:
        raise unknown_name("update", name, [*REGISTRY, "auto"])
    return REGISTRY[name](**parameters)


__all__ = [
    "REGISTRY",
    "BuiltinRule",
    "Coordinate",
    "Exact",
    "Newton",
    "Proximal",
    "Reference",
    "RuleReport",
    "Sdca",
    "UpdateRule",
    "Violation",
    "check_update_rule",
    "checked_target",
    "make",
]
