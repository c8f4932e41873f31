"""Every public estimator is named in every place that CONTRIBUTING.md lists for it."""

import re
from inspect import isclass
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

from banditcd import estimators

ROOT = Path(__file__).parents[1]
PUBLIC = [
    name
    for name in estimators.__all__
    if isclass(getattr(estimators, name)) and issubclass(getattr(estimators, name), BaseEstimator)
]


def places() -> list[str]:
    """Return the paths of the list below the heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split("\n### The places of an estimator\n")[1].split("\n## ")[0]
    return re.findall(r"^- `([^`]+)`", section, re.MULTILINE)


def test_there_are_estimators_and_places() -> None:
    assert len(PUBLIC) >= 10
    assert len(places()) >= 5


@pytest.mark.parametrize("place", places())
def test_every_estimator_is_named_in_a_place(place) -> None:
    text = (ROOT / place).read_text("utf-8")
    missing = [name for name in PUBLIC if not re.search(rf"\b{name}\b", text)]
    assert not missing, f"{place} does not name {', '.join(missing)}"


@pytest.mark.parametrize(
    ("place", "times"),
    [("src/banditcd/__init__.py", 2), ("src/banditcd/estimators/__init__.py", 3)],
)
def test_every_estimator_is_named_where_names_are_imported_on_first_use(place, times) -> None:
    code = (ROOT / place).read_text("utf-8").split('"""', 2)[2]  # after the docstring
    assert {name: len(re.findall(rf"\b{name}\b", code)) for name in PUBLIC} == dict.fromkeys(
        PUBLIC, times
    )
