"""The rules of judging: numbers with their reasons and a version, written before rows exist."""

from __future__ import annotations

from dataclasses import dataclass, field

from banditcd.experiments.paper.toml_table import Table

NAMES = (
    "same_rate", "cost_share", "noise", "near_one", "level", "same_order", "percent",
)  # fmt: skip
"""Every number that a claim is judged with."""


@dataclass(frozen=True)
class Rule:
    """A number with the reason for it."""

    name: str
    value: float
    reason: str


@dataclass(frozen=True)
class Change:
    """What a version of the rules brought, and whether rows had been seen by then."""

    version: int
    text: str


@dataclass(frozen=True)
class Rules:
    """The rules of one version, and how they came to be."""

    version: int
    rules: tuple[Rule, ...] = ()
    history: tuple[Change, ...] = field(default=())

    def __getitem__(self, name: str) -> float:
        return next(rule.value for rule in self.rules if rule.name == name)


def parse_rules(table: Table) -> Rules:
    """Read the section ``[rules]`` of a configuration."""
    version = table.whole("version", 1)
    rules, history = [], []
    for entry in table.array("value"):
        rules.append(Rule(entry.text("name"), entry.number("value"), entry.text("reason")))
        entry.finish()
    for entry in table.array("history"):
        history.append(Change(entry.whole("version", 1), entry.text("text")))
        entry.finish()
    table.finish()
    given = [rule.name for rule in rules]
    if sorted(given) != sorted(NAMES):
        raise table.error(f"the rules must be {', '.join(NAMES)}, each once; they are {given}.")
    if version not in [change.version for change in history]:
        raise table.error(f"the history says nothing about version {version}.")
    return Rules(version, tuple(rules), tuple(history))
