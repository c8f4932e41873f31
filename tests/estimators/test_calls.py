"""The way of a fit: how many Python calls of ours lie between ``fit`` and native code."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import banditcd

PACKAGE = str(Path(banditcd.__file__).parent)
COMPREHENSIONS = {"<listcomp>", "<genexpr>", "<dictcomp>", "<setcomp>"}


def calls_of_a_fit(model, X, y) -> list[str]:
    """Return the functions of the package that a fit calls, one name per call."""
    calls = []

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            calls.append(code.co_name)

    sys.setprofile(note)
    try:
        model.fit(X, y)
    finally:
        sys.setprofile(None)
    return [name for name in calls if name not in COMPREHENSIONS]


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (lambda: banditcd.Lasso(alpha=0.1), 35),
        (lambda: banditcd.LogisticRegression(l1_ratio=1), 55),
        (lambda: banditcd.LinearSVC(), 55),
        (lambda: banditcd.Ridge(), 55),
    ],
    ids=["Lasso", "LogisticRegression", "LinearSVC", "Ridge"],
)
def test_a_small_fit_makes_few_calls(make, most):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 10))
    y = X[:, 0] + rng.standard_normal(100)
    if hasattr(make(), "decision_function"):
        y = np.where(y > 0.0, 1.0, 0.0)
    make().fit(X, y)  # the first fit imports
    calls = calls_of_a_fit(make(), X, y)
    assert "fit" in calls
    assert len(calls) <= most, calls
