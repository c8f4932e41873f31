"""The judged failures of ``expected.toml``: read, matched against a run, and written anew."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import sklearn
from sklearn.utils.fixes import parse_version

FILE = Path(__file__).with_name("expected.toml")
#: Classes of reasons: why a test that passes with the original classes may fail with ours.
CLASSES = {
    "words": "the same answer in other words: a message, a name, the type of an exception",
    "more": "ours does what theirs refuses, or without the warning that theirs needs",
    "iterations": "counts of iterations, or what a limit on them leaves: another method",
    "solver": "a warning or a path of computation of one of their solvers",
    "precision": "a tolerance tighter than the certificate asked for",
    "newer": "the model, the word or the refusal of a newer version of theirs",
    "not built": "a model that we refuse in a sentence",
}
#: Kinds of tests that do not count.
NOT_APPLICABLE = {
    "private": "calls a private function or mocks a private class",
    "other class": "tests a class that is not ours, through one of ours",
    "other solver": "tests a limit or the inner life of one of their solvers",
}
UNJUDGED = "unjudged"
HEADER = """\
# Tests of scikit-learn that fail with our classes, each with its reason.
# `python -m tests.suites.report --write` adds failures that are not here (class "unjudged", to be
# judged by hand) and drops those that pass. Classes: tests/suites/expected.py. "name[*]" stands for
# all parametrizations of a test; since and before bound the versions of scikit-learn.
"""


@dataclass
class Entry:
    """Tests of one module that fail for one reason."""

    module: str
    tests: list[str]
    kind: str
    reason: str
    since: str = ""
    before: str = ""
    hits: set[str] = field(default_factory=set)

    @property
    def applies(self) -> bool:
        """Whether it is about the installed scikit-learn."""
        installed = parse_version(sklearn.__version__)
        new_enough = not self.since or installed >= parse_version(self.since)
        return new_enough and not (self.before and installed >= parse_version(self.before))

    @property
    def counts(self) -> bool:
        """Whether the tests are applicable."""
        return self.kind not in NOT_APPLICABLE

    def matches(self, identifier: str) -> bool:
        """Whether a test is one of these."""
        module, _, test = identifier.partition("::")
        name = test.partition("[")[0]
        return module == self.module and (test in self.tests or f"{name}[*]" in self.tests)


def read(path: Path = FILE) -> list[Entry]:
    """Return all entries, those of other versions too."""
    found = tomllib.loads(path.read_text())
    entries = []
    for table in found.get("entry", []):
        entry = Entry(kind=table.pop("class"), **table)
        if entry.kind not in CLASSES | NOT_APPLICABLE | {UNJUDGED: ""}:
            raise ValueError(f"{path.name}: {entry.tests[0]} has the unknown class {entry.kind!r}.")
        if not entry.reason.strip():
            raise ValueError(f"{path.name}: {entry.tests[0]} has no reason.")
        entries.append(entry)
    return entries


def write(entries: list[Entry], path: Path = FILE) -> None:
    """Write entries in the order of their modules."""
    parts = [HEADER]
    for entry in sorted(entries, key=lambda e: (e.module, e.kind, e.tests)):
        lines = ["[[entry]]", f"module = {_quoted(entry.module)}"]
        names = ",\n".join(f"  {_quoted(test)}" for test in sorted(entry.tests))
        lines += [f"tests = [\n{names},\n]", f"class = {_quoted(entry.kind)}"]
        lines += [f"{key} = {_quoted(v)}" for key in ("since", "before") if (v := vars(entry)[key])]
        parts.append("\n".join([*lines, f"reason = {_quoted(entry.reason)}"]) + "\n")
    path.write_text("\n".join(parts))


def _quoted(text: str) -> str:
    """Return a TOML string: JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)
