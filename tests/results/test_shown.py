"""Runs shown to people: one paragraph, a table in a notebook, pictures."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

import banditcd
from banditcd import problems
from banditcd.results import Trace


@pytest.fixture(scope="module")
def result():
    generator = np.random.default_rng(0)
    X, y = generator.standard_normal((200, 400)), generator.standard_normal(200)
    return banditcd.minimize(problems.Lasso(X, y, 0.01), trace="epoch", tol=1e-10)


def test_a_result_is_one_short_paragraph(result):
    text = repr(result)
    assert len(text) < 400
    assert "\n" not in text
    assert text == str(result)
    assert f"gap {result.gap:.3g}" in text
    assert len(repr(result.trace)) < 200
    assert repr(result.trace).startswith(f"Trace of {len(result.trace)} rows")
    assert repr(Trace()) == "Trace of 0 rows"


def test_notebooks_show_tables(result):
    shown = result._repr_html_()
    assert str(result.status) in shown
    assert f"{np.count_nonzero(result.coef)} of 400" in shown
    assert len(result.trace) > 10
    rows = re.findall(r"<tr><td>", result.trace._repr_html_())
    assert len(rows) == 10
    assert f"10 of {len(result.trace)} rows" in result.trace._repr_html_()
    assert "without rows" in Trace()._repr_html_()


def test_a_trace_is_drawn_as_its_result_is(result, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    whole, alone = result.plot(), result.trace.plot()
    for ours, theirs in zip(alone.axes, whole.axes, strict=True):
        assert ours.get_title() == theirs.get_title()
        np.testing.assert_array_equal(ours.lines[0].get_xydata(), theirs.lines[0].get_xydata())
    with pytest.raises(ValueError, match="no trace to plot"):
        Trace().plot()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"Trace.plot needs matplotlib.*banditcd\[plots\]"):
        result.trace.plot()
