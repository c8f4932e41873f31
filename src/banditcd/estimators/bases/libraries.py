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
from dataclasses import dataclass
from inspect import isfunction
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from banditcd.estimators.bases.naming import named, raise_named
from banditcd.places.kinds import kind_of

#: Methods that answer in the library of their first argument.
ANSWERS = ("predict", "decision_function", "predict_proba", "predict_log_proba", "predict_path")


@dataclass(frozen=True, slots=True)
class Library:
    """Where an array comes from: the namespace of its library, and its device there."""

    namespace: Any
    device: Any


def library_of(X: Any) -> Library | None:
    """Return where an array is at home; None if it is NumPy's, or without dispatch."""
    if type(X) is np.ndarray or sparse.issparse(X) or not get_config()["array_api_dispatch"]:
        return None
    if _is_tensor(X):
        import torch

        return Library(torch, X.device)
    return Library(X.__array_namespace__(), X.device) if _is_standard(X) else None


def to_numpy(values: Any) -> Any:
    """Return an array of another library as one of NumPy, without a copy; the rest as it is."""
    if isinstance(values, dict):
        return {name: to_numpy(value) for name, value in values.items()}
    if type(values) is tuple:
        return tuple(map(to_numpy, values))
    if _is_tensor(values):
        return values.detach().numpy()
    return np.from_dlpack(_on_host(values)) if _is_standard(values) else values


def to_library(values: Any, library: Library) -> Any:
    """Return numbers of NumPy as an array of a library; words, records and counts as they are."""
    if isinstance(values, dict):
        return {name: to_library(value, library) for name, value in values.items()}
    if not (isinstance(values, (np.ndarray, np.floating)) and values.dtype.kind in "fiub"):
        return values
    return library.namespace.asarray(np.asarray(values), device=library.device)


def given_in_numpy(X: Any, *others: Any) -> tuple[Library | None, Any]:
    """Return where X is at home, and all that is given as NumPy knows it; others may be dicts.

    Data that live elsewhere, and everything without dispatch, stay as they are.
    """
    if not get_config()["array_api_dispatch"] or kind_of(X) is not None:
        return None, (X, *others)
    return library_of(X), tuple(map(to_numpy, (X, *others)))


def brought_to_numpy(
    estimator: Any, X: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Library | None, tuple[Any, ...], dict[str, Any]]:
    """Return where X is at home and the arguments of a fit as NumPy knows them.

    The numbers of the last fit, which a warm start looks at, are converted as well.
    """
    library, (_, args, kwargs) = given_in_numpy(X, args, kwargs)
    if library is not None:
        _attributes(estimator, to_numpy)
    return library, args, kwargs


def attributes_in(library: Library, estimator: Any) -> None:
    """Convert the fitted numbers of an estimator to a library."""
    _attributes(estimator, lambda values: to_library(values, library))


def answering(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method answer in the library of X, wherever the model was fitted."""

    @functools.wraps(method)
    def answer(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        X = args[0] if args else kwargs.get("X")
        library = library_of(X)
        try:
            if (library is None and _is_at_home(estimator)) or kind_of(X) is not None:
                return method(estimator, *args, **kwargs)
            twin = copy.copy(estimator)
            _attributes(twin, to_numpy)
            found = method(twin, *map(to_numpy, args), **to_numpy(kwargs))
        except TypeError as error:
            raise_named(error, method, estimator)
        return found if library is None else to_library(found, library)

    return answer


def answer_in_libraries(kind: type) -> None:
    """Wrap the methods of a class that predict; properties of a user's subclass stay."""
    own = {name: value for name, value in vars(kind).items() if isfunction(value)}
    for name in ANSWERS:
        if name in own:
            setattr(kind, name, answering(own[name]))
    if "score" in own:  # by the predictions, so that it needs no more than its name
        kind.score = named(own["score"])  # type: ignore[attr-defined]


def _attributes(estimator: Any, convert: Callable[[Any], Any]) -> None:
    """Convert the fitted numbers of an estimator."""
    for name, value in list(vars(estimator).items()):
        if name.endswith("_") and not name.startswith("_"):
            setattr(estimator, name, convert(value))


def _is_at_home(estimator: Any) -> bool:
    """Whether a model is not one of another library on the CPU.

    Coefficients alone do not tell: ``sparsify`` and ``densify`` bring them to SciPy and NumPy.
    """
    fitted = vars(estimator)
    return not (_is_foreign(fitted.get("coef_")) or _is_foreign(fitted.get("intercept_")))


def _is_foreign(values: Any) -> bool:
    """Whether it is an array of another library on the CPU."""
    if type(values) is np.ndarray or kind_of(values) is not None:
        return False
    return _is_tensor(values) or _is_standard(values)


def _is_tensor(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "torch"


def _is_standard(values: Any) -> bool:
    """Whether it is an array of the array API standard, but not one of NumPy."""
    if isinstance(values, (np.ndarray, np.generic)) or sparse.issparse(values):
        return False
    return hasattr(values, "__array_namespace__") and hasattr(values, "__dlpack__")


def _on_host(values: Any) -> Any:
    """Return an array of the standard on the device from which NumPy takes it."""
    about = getattr(values.__array_namespace__(), "__array_namespace_info__", None)
    home = values.device if about is None else about().default_device()
    return values if values.device == home else values.to_device(home)
