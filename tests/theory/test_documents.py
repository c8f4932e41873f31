"""The documents name tests and functions that exist."""

import re
from pathlib import Path

import pytest

from banditcd import theory

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["ERRATA.md", "theory.md"])
def test_named_tests_exist(page):
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / page).read_text(encoding="utf-8")))
    sources = (path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    heads = re.compile(r"^def (test_\w+)", re.MULTILINE)
    defined = {name for text in sources for name in heads.findall(text)}
    assert len(named) >= 15
    assert named <= defined, sorted(named - defined)


def test_every_public_function_is_in_the_map():
    page = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
    functions = [name for name in theory.__all__ if name[0].islower()]
    helpers = {"effective_norms", "support_bound", "lipschitzed"}
    missing = [name for name in functions if name not in page and name not in helpers]
    assert not missing
