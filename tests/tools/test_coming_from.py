"""The tables for who comes from scikit-learn are those of the code."""

from __future__ import annotations

import pytest
import sklearn
from sklearn.utils.fixes import parse_version

from tools import coming_from

NEWEST = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="the page is about the newest scikit-learn",
)


@NEWEST
def test_the_page_is_up_to_date():
    assert coming_from.page() == coming_from.PAGE.read_text(), "run python -m tools.coming_from"


@NEWEST
def test_nothing_of_scikit_learn_is_missing():
    assert "| not there |" not in coming_from.page()


def test_attributes_are_read_from_docstrings():
    names = {name: coming_from.attributes(ours) for name, ours, _ in coming_from.pairs()}
    assert {"coef_", "intercept_", "n_iter_", "certificate_"} <= set(names["Lasso"])
    assert {"classes_", "coef_"} <= set(names["LinearSVC"])
    assert {"alpha_", "mse_path_"} <= set(names["LassoCV"])


@pytest.mark.parametrize(
    ("name", "here", "there", "word"),
    [
        ("a", {"a"}, {"a"}, "same"),
        ("a", {"a"}, set(), "more"),
        ("a", set(), {"a"}, "not there"),
        ("tol", {"tol"}, {"tol"}, "different"),
    ],
)
def test_words(name, here, there, word):
    assert coming_from.status(name, here, there, coming_from.PARAMETERS, "Lasso")[0] == word
