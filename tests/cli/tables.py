"""Tables as people have them, to fit and predict on."""

from pathlib import Path
from typing import Any

import numpy as np

COLUMNS = ("age", "city", "income", "bought")


def customers(rows: int = 80, seed: int = 0) -> list[dict[str, Any]]:
    """Return rows with two columns of numbers, one of words and a label yes or no."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(rows):
        age, income = round(float(rng.normal(40, 10)), 2), round(float(rng.normal(3, 1)), 3)
        city = str(rng.choice(["Paris", "Rome", "New York"]))
        score = 0.1 * (age - 40) + (city == "Rome") + income - 3 + 0.5 * rng.standard_normal()
        label = "yes" if score > 0 else "no"
        out.append({"age": age, "city": city, "income": income, "bought": label})
    return out


def text_of(rows: list[dict[str, Any]], separator: str = ",", header: bool = True) -> str:
    """Return rows as delimited text."""
    lines = [separator.join(rows[0])] if header else []
    lines += [separator.join(str(value) for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def write(path: Path, rows: list[dict[str, Any]], **form: Any) -> str:
    """Write rows as delimited text; return the name of the file."""
    path.write_text(text_of(rows, **form), encoding="utf-8")
    return str(path)
