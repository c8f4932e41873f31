"""What an adapter offers: one class for each way a library can solve a problem.

This file and the adapters run inside the environment of a library, so they import nothing else of
this project. An adapter file defines ``VARIANTS``, a dictionary from names to subclasses of
``Variant``. A method of a variant is a kind of task; it is called with the task's arguments and
``tol``, and its whole run is timed:

``lasso(penalty, tol)``
    Minimize ``||y - X w||² / 2 + penalty ||w||_1`` without an intercept; return w.
``lasso_path(penalties, tol)``
    The same for decreasing penalties; return an array of shape (columns, penalties).
``lasso_cv(penalties, folds, tol)``
    Choose a penalty by the mean squared error over contiguous folds (as ``KFold(folds)``), refit
    on all rows; return w and put the chosen ``penalty`` into ``note``.
``logistic_l1(penalty, tol)``
    Minimize ``sum_i log(1 + exp(-y_i x_i w)) + penalty ||w||_1``, labels -1 and +1.
``logistic_l2(C, tol)``
    Minimize ``C sum_i log(1 + exp(-y_i x_i w)) + ||w||² / 2``.
``svm_hinge(C, tol)``, ``svm_squared_hinge(C, tol)``
    Minimize ``C sum_i max(1 - y_i x_i w, 0) + ||w||² / 2``, or with the square of the loss.
``svm_l1(penalty, tol)``
    Minimize ``sum_i max(1 - y_i x_i w, 0)² + penalty ||w||_1``.
``svr_linear(C, epsilon, tol)``, ``svr_squared(C, epsilon, tol)``
    Minimize ``C sum_i max(|y_i - x_i w| - epsilon, 0) + ||w||² / 2``, or with the square of the
    loss.
``ridge(penalty, tol)``
    Minimize ``||y - X w||² / 2 + penalty ||w||² / 2``.
``ridge_classifier(penalty, tol)``
    The same with the labels -1 and +1 as y, by a classifier.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))
ROW_KINDS = ("logistic_l2", "svm_hinge", "svm_squared_hinge", "svr_linear", "svr_squared")


class Variant:
    """A library with its data converted and ready.

    Conversion to the storage that the library wants happens in ``__init__`` or ``prepare``, which
    are not timed.

    Attributes
    ----------
    loosest, tightest : float
        The range in which ``tol`` is searched, in the library's own meaning.
    exact : bool
        Whether ``tol`` is ignored, so that one run tells all.
    target_is_tolerance : bool
        Whether ``tol`` is the relative gap itself, a promise that is checked and not searched.
    note : dict
        What the last run has to say beside the coefficients.
    """

    loosest: ClassVar[float] = 1e-2
    tightest: ClassVar[float] = 1e-16
    exact: ClassVar[bool] = False
    target_is_tolerance: ClassVar[bool] = False

    def __init__(self, X: Any, y: Any) -> None:
        self.X, self.y = X, y
        self.n, self.d = X.shape
        self.sparse = not hasattr(X, "strides")
        self.note: dict[str, Any] = {}

    @cached_property
    def rows(self) -> Any:
        """The data by rows: C order or CSR."""
        return self.X.tocsr() if self.sparse else np.ascontiguousarray(self.X)

    def prepare(self, kind: str) -> None:
        """Convert the data for a kind of task, untimed; nothing is converted twice."""

    def refuses(self, kind: str) -> str:
        """Say why this variant is not meant for such data, or return an empty string."""
        return ""
