"""Formulas of the site."""

import importlib.util
from pathlib import Path

import pytest

PLACE = Path(__file__).parents[2] / "docs" / "_ext" / "mathml.py"


@pytest.mark.parametrize("formula", [r"\frac12 \|w\|", r"\frac 1 2 \|w\|", r"\frac{1}{2} \|w\|"])
def test_a_half_is_a_half(formula: str) -> None:
    """Not 12 divided by what comes next."""
    pytest.importorskip("sphinx")
    spec = importlib.util.spec_from_file_location("mathml", PLACE)
    assert spec is not None
    assert spec.loader is not None
    mathml = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mathml)
    written = mathml.tex2mathml(mathml.with_braces(formula)).replace("\n", "").replace(" ", "")
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in written
    assert mathml.with_braces(r"\frac1n\sum_i") == r"\frac{1}{n}\sum_i"
