"""A callback for tests."""

from __future__ import annotations


class Recorder:
    """A callback that writes down what it is told, and stops after some tasks.

    With ``X`` it predicts by every model that it is shown.
    """

    def __init__(self, stop_after=10**9, X=None):
        self.seen, self.stop_after, self.X = [], stop_after, X

    def setup(self, estimator, context):
        self.seen.append("setup")

    def teardown(self, estimator, context):
        self.seen.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.seen.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        usable = fitted_estimator is not None and hasattr(fitted_estimator, "coef_")
        if usable and self.X is not None:
            fitted_estimator.predict(self.X)
        self.seen.append(("end", context.task_name, usable))
        return len(self.seen) > self.stop_after
