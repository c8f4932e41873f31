"""Arrays of other libraries on the CPU: estimators answer in the library of X.

With ``sklearn.set_config(array_api_dispatch=True)``, as scikit-learn does, X may be an array of any
library of the array API standard, or a tensor of torch. The solvers read the same memory through
NumPy; fitted numbers and predictions go back as arrays of that library. Arrays on a GPU are not
brought to the host here: they belong to :mod:`banditcd.places`.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from banditcd.places.kinds import kind_of

#: Methods that answer in the library of their first argument.
ANSWERS = ("predict", "decision_function", "predict_proba", "predict_log_proba", "predict_path")


def library_of(X: Any) -> Any:
    """Return the namespace of an array that is not NumPy's; None if it is, or without dispatch."""
    if type(X) is np.ndarray or sparse.issparse(X) or not get_config()["array_api_dispatch"]:
        return None
    if _is_tensor(X):
        import torch

        return torch
    found = getattr(X, "__array_namespace__", None)
    return None if found is None or isinstance(X, (np.ndarray, np.generic)) else found()


def to_numpy(values: Any) -> Any:
    """Return an array of another library as one of NumPy, without a copy; the rest as it is."""
    if isinstance(values, (np.ndarray, np.generic)):
        return values
    if _is_tensor(values):
        return values.detach().numpy()
    if hasattr(values, "__array_namespace__") and hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    return values


def to_library(values: Any, library: Any) -> Any:
    """Return numbers of NumPy as an array of a library; words, records and counts as they are."""
    numbers = isinstance(values, (np.ndarray, np.floating)) and values.dtype.kind in "fiub"
    return library.asarray(np.asarray(values)) if numbers else values


def fit_in_numpy(fit: Callable[..., Any], estimator: Any, library: Any, given: Any) -> Any:
    """Fit arrays of a library through NumPy; ``given`` are positional and keyword arguments."""
    args, kwargs = given
    _attributes(estimator, to_numpy)  # those of the last fit, which a warm start looks at
    fit(
        estimator,
        *(to_numpy(value) for value in args),
        **{name: to_numpy(value) for name, value in kwargs.items()},
    )
    _attributes(estimator, lambda values: to_library(values, library))
    return estimator


def answering(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method answer in the library of X."""

    @functools.wraps(method)
    def answer(estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if type(X) is np.ndarray or (library := library_of(X)) is None or kind_of(X) is not None:
            return method(estimator, X, *args, **kwargs)
        twin = copy.copy(estimator)
        _attributes(twin, to_numpy)
        return to_library(method(twin, to_numpy(X), *args, **kwargs), library)

    return answer


def answer_in_libraries(kind: type) -> None:
    """Wrap the methods of a class that predict."""
    for name in ANSWERS:
        if name in vars(kind):
            setattr(kind, name, answering(vars(kind)[name]))


def _attributes(estimator: Any, convert: Callable[[Any], Any]) -> None:
    """Convert the fitted numbers of an estimator; counts stay those of NumPy, as there."""
    for name, value in list(vars(estimator).items()):
        fitted = name.endswith("_") and not name.startswith("_")
        if fitted and not name.startswith(("n_iter", "n_features", "feature_names")):
            setattr(estimator, name, convert(value))


def _is_tensor(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "torch"
