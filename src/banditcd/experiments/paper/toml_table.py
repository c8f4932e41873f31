"""Typed reading of a TOML table: what is missing, of the wrong kind or unknown is told."""

from __future__ import annotations

from typing import Any

from banditcd.data import unknown_name

_MISSING = object()


class Table:
    """A table with a place, such as ``paper.toml, problem 2``, for its messages."""

    def __init__(self, values: dict[str, Any], place: str) -> None:
        self.values, self.place = values, place
        self._known: list[str] = []

    def error(self, message: str) -> ValueError:
        """Return an error that names the place."""
        return ValueError(f"{self.place}: {message}")

    def text(self, key: str, default: Any = _MISSING) -> str:
        """Return a string."""
        value = self._get(key, default)
        if not isinstance(value, str):
            raise self.error(f"{key} is {value!r}; it must be a text in quotes.")
        return value

    def number(self, key: str) -> float:
        """Return a positive number."""
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise self.error(f"{key} is {value!r}; it must be a number above 0.")
        return float(value)

    def whole(self, key: str, least: int) -> int:
        """Return a whole number that is not below ``least``."""
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(f"{key} is {value!r}; it must be a whole number from {least} on.")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.error(f'{key} is {value!r}; it must be a list of texts, as in ["a", "b"].')
        return tuple(value)

    def numbers(self, key: str) -> tuple[float, ...]:
        """Return a list of numbers."""
        value = self._get(key)
        if not isinstance(value, list) or not all(
            isinstance(v, int | float) and not isinstance(v, bool) for v in value
        ):
            raise self.error(f"{key} is {value!r}; it must be a list of numbers, as in [0.1, 1.0].")
        return tuple(float(v) for v in value)

    def table(self, key: str) -> Table:
        """Return a table inside this one."""
        value = self._get(key)
        if not isinstance(value, dict):
            raise self.error(f"{key} is {value!r}; it must be a table, as in [{key}].")
        return Table(value, f"{self.place}, [{key}]")

    def tables(self, key: str) -> dict[str, Table]:
        """Return a table of tables."""
        outer = self.table(key)
        return {
            name: Table(value, f"{self.place}, [{key}.{name}]")
            for name, value in outer.values.items()
            if isinstance(value, dict)
        }

    def array(self, key: str) -> list[Table]:
        """Return an array of tables."""
        value = self._get(key)
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value) or not value:
            raise self.error(f"{key} must be tables, each beginning with [[{key}]].")
        return [Table(v, f"{self.place}, {key} {k + 1}") for k, v in enumerate(value)]

    def finish(self) -> None:
        """Complain about a key that nobody asked for."""
        for key in self.values:
            if key not in self._known:
                raise self.error(str(unknown_name("key", key, self._known)))

    def _get(self, key: str, default: Any = _MISSING) -> Any:
        self._known.append(key)
        if key in self.values:
            return self.values[key]
        if default is _MISSING:
            raise self.error(f"{key} is missing.")
        return default
