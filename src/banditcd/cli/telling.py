"""Sentences for people, or one JSON object for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from banditcd.cli.verbs import Write


class Teller:
    """Writes sentences as they come, or keeps facts and writes them at the end as JSON."""

    def __init__(self, write: Write, as_json: bool = False) -> None:
        self._write = write
        self._as_json = as_json
        self._facts: dict[str, Any] = {}

    def say(self, text: str) -> None:
        """Write a sentence, unless JSON is asked for."""
        if not self._as_json:
            self._write(text)

    def note(self, remarks: Iterable[str]) -> None:
        """Write remarks to standard error; JSON has them, too."""
        for remark in remarks:
            self._facts.setdefault("notes", []).append(remark)
            print(f"banditcd: note: {remark}", file=sys.stderr)

    def keep(self, **facts: Any) -> None:
        """Keep facts for the JSON object."""
        self._facts.update(facts)

    def end(self) -> None:
        """Write the JSON object, if it is asked for."""
        if self._as_json:
            self._write(json.dumps(plain(self._facts), ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """Return a value as JSON has it: numbers that are not finite become null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.bool_):
        return bool(value)
    return int(value) if isinstance(value, np.integer) else value
