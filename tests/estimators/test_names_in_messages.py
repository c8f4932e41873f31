"""Errors about the arguments of a call name the public class and method."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from banditcd import estimators

PUBLIC = [
    kind
    for name in estimators.__all__
    if isinstance(kind := getattr(estimators, name), type) and issubclass(kind, BaseEstimator)
]
METHODS = ("fit", "predict", "score", "decision_function", "predict_proba", "predict_log_proba")


@pytest.mark.parametrize("kind", PUBLIC, ids=lambda kind: kind.__name__)
def test_a_missing_argument_is_told_in_public_names(kind):
    for method in METHODS:
        if not hasattr(kind, method):
            continue
        with pytest.raises(TypeError) as error:
            getattr(kind(), method)()
        assert str(error.value).startswith(f"{kind.__name__}.{method}() missing"), method
    with pytest.raises(TypeError) as error:
        kind().score(np.eye(3))
    assert str(error.value).startswith(f"{kind.__name__}.score() missing")


# A search takes any word, for its splitter and its scorer.
@pytest.mark.parametrize(
    "kind",
    [kind for kind in PUBLIC if not kind.__name__.endswith("CV")],
    ids=lambda kind: kind.__name__,
)
def test_a_strange_argument_is_told_in_public_names_wherever_the_data_are(kind):
    array = pytest.importorskip("dask.array")
    X = array.from_array(np.eye(4), chunks=(2, 4))
    with pytest.raises(TypeError) as error:
        kind().fit(X, array.arange(4, chunks=2), foo=1, sample_weight=None)
    text = str(error.value)
    assert text.startswith((f"{kind.__name__}.fit() ", f"{kind.__name__} fits data in memory"))


def test_a_property_of_a_subclass_stays_a_property() -> None:
    class Scoreless(estimators.LinearSVC):
        """A classifier that hides its score, as scikit-learn's own tests have one."""

        @property
        def score(self) -> None:
            raise AttributeError

    assert not hasattr(Scoreless(), "score")
    assert not hasattr(Scoreless().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]), "score")
