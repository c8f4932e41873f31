"""The callback tasks of a fit, for the protocol of scikit-learn >= 1.9.

A fit has one leaf per iteration of a native solver or epoch of the engine; a cross-validated fit
has one leaf per fold and one for the refit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution, Solver, check_finite
from banditcd.estimators.backends.stepping import SessionBackend
from banditcd.estimators.checks.inputs import Training

#: Attributes of an estimator to which a callback was set, by the user or by a meta-estimator.
LISTENERS = frozenset(["_skl_callbacks", "_parent_callback_ctx"])


class Tasks:
    """The callback tasks of one fit; every method does nothing if nobody listens.

    ``watched`` says whether a callback wants to see every iteration (a search alone does not).
    """

    def __init__(self, estimator: Any, data: Training) -> None:
        self._estimator, self._data = estimator, data
        self._root: Any = None
        self.watched = bool(getattr(estimator, "_skl_callbacks", None))

    def begin(self, max_subtasks: int) -> None:
        """Open the task of the whole fit."""
        context = self._estimator._init_callback_context(max_subtasks=max_subtasks)
        self._root = context.call_on_fit_task_begin(**self._arguments())

    def subtask(self, name: str, fitted: dict[str, Any] | None = None) -> Any:
        """Open a leaf, which starts at a fitted model if that is known; None if nobody listens."""
        if self._root is None:
            return None
        leaf = self._root.subcontext(task_name=name)
        return leaf.call_on_fit_task_begin(reconstruction_attributes=fitted, **self._arguments())

    def close(self, leaf: Any, fitted: dict[str, Any] | None = None) -> bool:
        """Close a leaf; return whether a callback asks to stop."""
        if leaf is None:
            return False
        return bool(
            leaf.call_on_fit_task_end(reconstruction_attributes=fitted, **self._arguments())
        )

    def end(self) -> None:
        """Close the task of the whole fit."""
        if self._root is not None:
            self._root.call_on_fit_task_end(reconstruction_attributes={}, **self._arguments())

    def _arguments(self) -> dict[str, Any]:
        data, weight = self._data, self._data.sample_weight
        metadata = None if weight is None else {"sample_weight": weight}
        return {"estimator": self._estimator, "X": data.X, "y": data.y, "metadata": metadata}


#: Tasks that nobody listens to.
SILENT = Tasks(None, Training(None, np.empty(0), None))


def begin_tasks(
    estimator: Any,
    data: Training | Callable[[], Training],
    max_subtasks: int | Callable[[], int],
) -> Tasks:
    """Open the task of a whole fit, if somebody listens.

    ``data`` is what callbacks see, ``max_subtasks`` the number of leaves. A function makes either
    of them for callbacks alone: a small fit without one does not wait for it.
    """
    if LISTENERS.isdisjoint(vars(estimator)):
        return SILENT
    tasks = Tasks(estimator, data() if callable(data) else data)
    tasks.begin(max_subtasks() if callable(max_subtasks) else max_subtasks)
    return tasks


class Watcher:
    """Turns the iterations of a solve into leaves of the fit's task, as scikit-learn's lbfgs does.

    A leaf begins with the model of the leaf before it, the first one with that of the start where
    it is known. After the last iteration an empty leaf is left, which ends without a model.
    """

    def __init__(
        self,
        tasks: Tasks,
        fitted: Callable[[Floats, Any], dict[str, Any]],
        first: tuple[Floats, Any] | None = None,
    ) -> None:
        self._tasks, self._fitted = tasks, fitted
        self._leaf = tasks.subtask("iteration", None if first is None else fitted(*first))

    def __call__(self, coef: Floats, intercept: float) -> bool:
        """Close the leaf of the iteration that has ended and open the next."""
        model = self._fitted(coef, intercept)
        stop = self._tasks.close(self._leaf, model)
        self._leaf = self._tasks.subtask("iteration", model)
        return stop

    def close(self) -> None:
        """Close the leaf that was opened for an iteration that did not happen."""
        self._tasks.close(self._leaf)


def solve_watched(
    solver: Solver,
    strength: float,
    tasks: Tasks,
    fitted: Callable[[Floats, Any], dict[str, Any]],
) -> Solution:
    """Solve for one alpha or C before the eyes of the callbacks.

    ``fitted`` returns the attributes of the estimator at a point.
    """
    watch = None
    if tasks.watched:
        first = solver.first_model(strength) if isinstance(solver, SessionBackend) else None
        watch = Watcher(tasks, fitted, first)
    solution = solver.solve(strength, watch)
    if watch is not None:
        watch.close()
    check_finite(solution)
    return solution
