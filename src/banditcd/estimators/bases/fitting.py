"""The skeleton of every ``fit``: callbacks, interrupts, and values that overflow.

Callbacks need scikit-learn >= 1.9; with older versions the mixin adds nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from banditcd.estimators.backends.tasks import LISTENERS
from banditcd.estimators.bases.libraries import attributes_in, brought_to_numpy
from banditcd.estimators.bases.naming import raise_named
from banditcd.estimators.bases.telling import tell_fit
from banditcd.estimators.checks.numbers import overflow_sentence
from banditcd.estimators.checks.parameters import check_verbosity
from banditcd.places.kinds import kind_of

#: What needs no conversion.
PLAIN = frozenset((np.ndarray, type(None), bool))

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn import callback as protocol
except ImportError:  # scikit-learn < 1.9
    protocol = None


class _NoCallbacks:
    """Nothing: this scikit-learn has no callbacks."""


CallbackSupportMixin: Any = _NoCallbacks if protocol is None else protocol.CallbackSupportMixin


def fitting(method: Method) -> Method:
    """Let a ``fit`` be watched by callbacks, and end well if it cannot go on.

    After Ctrl-C the estimator is unfitted. After an OverflowError, which a solver raises at the
    first values whose squares are not finite, or where all of them vanish, it is as before, and its
    ``_check_values`` says what is wrong, or the solver does.
    """
    watched = method if protocol is None else protocol.with_callbacks(method)

    @functools.wraps(method)
    def fit(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        before = estimator.__dict__.copy()
        verbose = before.get("verbose", 0)
        if type(verbose) is not int or verbose < 0:
            check_verbosity(verbose)
        # Nothing to tear down if nobody listens; the context manager takes longer than a small fit.
        chosen = method if LISTENERS.isdisjoint(before) else watched
        X = args[0] if args else kwargs.get("X")
        elsewhere, library = False, None
        if type(X) is not np.ndarray and kind_of(X) is not None:
            elsewhere, chosen = True, type(estimator)._fit_elsewhere
        elif not PLAIN.issuperset(map(type, (*args, *kwargs.values()) if kwargs else args)):
            library, args, kwargs = brought_to_numpy(estimator, X, args, kwargs)
        try:
            fitted = chosen(estimator, *args, **kwargs)
            if elsewhere or verbose:
                _place_or_tell(estimator, X, elsewhere)
            if library is not None:
                attributes_in(library, estimator)
            return fitted
        except TypeError as error:
            raise_named(error, chosen if elsewhere else method, estimator, method.__name__)
        except KeyboardInterrupt:
            estimator._forget()
            raise
        except OverflowError as error:
            estimator.__dict__ = before
            estimator._check_values(*args, **kwargs)
            raise ValueError(overflow_sentence(error)) from error

    return cast("Method", fit)


def _place_or_tell(estimator: Any, X: Any, elsewhere: bool) -> None:
    """Say how a fit ended; of data elsewhere, whose rounds were told, place the attributes."""
    if elsewhere:
        estimator._place_attributes(X)
    else:
        tell_fit(estimator)
