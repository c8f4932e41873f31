"""The callback protocol of scikit-learn >= 1.9, where it is present.

With older versions the mixin adds nothing and the decorator returns its method unchanged.
Tasks: a fit has one leaf per iteration of a native solver or epoch of the engine; a
cross-validated fit has one leaf per fold and one for the refit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from banditcd._typing import Floats

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn import callback as protocol
except ImportError:  # scikit-learn < 1.9
    protocol = None


class _NoCallbacks:
    """Nothing: this scikit-learn has no callbacks."""


CallbackSupportMixin: Any = _NoCallbacks if protocol is None else protocol.CallbackSupportMixin


def with_callbacks(method: Method) -> Method:
    """Let callbacks be torn down after the method, whatever happens in it."""
    if protocol is None:
        return method
    wrapped = protocol.with_callbacks(method)

    @functools.wraps(method)
    def managed(estimator: Any, *args: Any, **kwargs: Any) -> Any:
        # Nothing to tear down if nobody listens; the context manager takes longer than a small fit.
        chosen = wrapped if _has_listeners(estimator) else method
        return chosen(estimator, *args, **kwargs)

    return cast("Method", managed)


def _has_listeners(estimator: Any) -> bool:
    """Whether a callback was set, by the user or by a meta-estimator."""
    return bool(
        getattr(estimator, "_skl_callbacks", None) or hasattr(estimator, "_parent_callback_ctx")
    )


class Tasks:
    """The callback tasks of one fit; every method does nothing if nobody listens."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
        self._estimator = estimator
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        self._data = {"X": X, "y": y, "metadata": metadata}
        self._root: Any = None

    @property
    def listened_to(self) -> bool:
        """Whether a callback was set, by the user or by a meta-estimator."""
        return _has_listeners(self._estimator)

    @property
    def watched(self) -> bool:
        """Whether a callback wants to see every iteration (a search alone does not)."""
        return bool(getattr(self._estimator, "_skl_callbacks", None))

    def begin(self, max_subtasks: int) -> None:
        """Open the task of the whole fit."""
        if self.listened_to:
            context = self._estimator._init_callback_context(max_subtasks=max_subtasks)
            self._root = context.call_on_fit_task_begin(estimator=self._estimator, **self._data)

    def subtask(self, name: str) -> Any:
        """Open a leaf; None if nobody listens."""
        if self._root is None:
            return None
        leaf = self._root.subcontext(task_name=name)
        return leaf.call_on_fit_task_begin(estimator=self._estimator, **self._data)

    def close(self, leaf: Any, fitted: dict[str, Any] | None = None) -> bool:
        """Close a leaf; return whether a callback asks to stop."""
        if leaf is None:
            return False
        return bool(
            leaf.call_on_fit_task_end(
                estimator=self._estimator, reconstruction_attributes=fitted, **self._data
            )
        )

    def end(self) -> None:
        """Close the task of the whole fit."""
        if self._root is not None:
            self._root.call_on_fit_task_end(
                estimator=self._estimator, reconstruction_attributes={}, **self._data
            )


class Watcher:
    """Turns the bins or epochs of a solve into leaves of the fit's task."""

    def __init__(self, tasks: Tasks, fitted: Callable[[Floats, float], dict[str, Any]]) -> None:
        self._tasks, self._fitted = tasks, fitted
        self._leaf = tasks.subtask("iteration")

    def __call__(self, coef: Floats, intercept: float) -> bool:
        """Close the leaf of the iteration that has ended and open the next."""
        stop = self._tasks.close(self._leaf, self._fitted(coef, intercept))
        self._leaf = self._tasks.subtask("iteration")
        return stop

    def close(self) -> None:
        """Close the leaf that was opened for an iteration that did not happen."""
        self._tasks.close(self._leaf)
