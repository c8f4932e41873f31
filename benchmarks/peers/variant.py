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
"""

from __future__ import annotations

from typing import Any, ClassVar


class Variant:
    """A library with its data converted and ready.

    Conversion to the storage that the library wants happens in ``__init__``, which is not timed.

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

    def refuses(self, kind: str) -> str:
        """Say why this variant is not meant for such data, or return an empty string."""
        return ""
