"""Types of constructor parameters, so that editors complete and check them.

A constructor keeps what it is given (``get_params`` and ``clone`` rely on it); ``fit`` checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from banditcd.problems import Problem
    from banditcd.selectors.rng import RandomSource


class OwnSelector(Protocol):
    """A user's selector: the methods that every one has."""

    def start(self, problem: Problem, rng: RandomSource, /) -> None:
        """Prepare for a run."""

    def next(self, state: Any, /) -> int | NDArray[np.integer[Any]]:
        """Return the coordinate to update, or several."""


class Splitter(Protocol):
    """A splitter of scikit-learn: any object that yields training and test rows."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Any]:
        """Yield pairs of training and test rows."""


#: A rule by its name, or an object with its methods, as ours are.
SelectorLike: TypeAlias = str | OwnSelector
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None
#: Bounds and weights of columns: one value for all, or one for each.
PerColumn: TypeAlias = float | ArrayLike | None
Precompute: TypeAlias = bool | Literal["auto"] | ArrayLike
Selection: TypeAlias = Literal["cyclic", "random"]
SolverWord: TypeAlias = Literal["auto", "fast", "engine"]
#: A grid: how many values, or the values themselves.
Grid: TypeAlias = int | ArrayLike
#: A penalty strength, or several.
Strengths: TypeAlias = float | ArrayLike
#: The best mean, or the strongest penalty within one standard error of it.
SelectAlpha: TypeAlias = Literal["min", "1se"]
SelectC: TypeAlias = Literal["best", "1se"]
#: A number of folds, a splitter, or pairs of training and test rows.
Folds: TypeAlias = int | Splitter | Iterable[tuple[ArrayLike, ArrayLike]] | None
#: A scorer by its name, or a function of an estimator, samples and responses.
Scoring: TypeAlias = str | Callable[..., float] | None
#: Weights by label, or those that make all classes count the same.
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
#: The size of equal groups, the label of every feature's group, or the features of every group.
Groups: TypeAlias = int | ArrayLike | Sequence[ArrayLike]
#: An older word for the penalty of logistic regression, and its default.
PenaltyWord: TypeAlias = Literal["l1", "l2", "elasticnet", "deprecated"] | None
MultiClass: TypeAlias = Literal["auto", "multinomial", "ovr", "deprecated"]
SvmWord: TypeAlias = Literal[
    "auto", "fast", "engine", "descent", "newton", "proximal_newton", "gram"
]
RidgeWord: TypeAlias = Literal[
    "auto",
    "fast",
    "engine",
    "primal",
    "dual",
    "cholesky",
    "svd",
    "lsqr",
    "sparse_cg",
    "sag",
    "saga",
    "lbfgs",
    "normal_equations",
    "dual_gram",
    "singular_values",
    "least_squares",
    "cg",
]
LogisticWord: TypeAlias = Literal[
    "auto",
    "fast",
    "engine",
    "lbfgs",
    "liblinear",
    "newton-cg",
    "newton-cholesky",
    "sag",
    "saga",
    "newton",
    "newton_cg",
    "row_space",
    "dual_descent",
    "newton_diagonal",
    "newton_shared",
    "newton_blocks",
    "newton_coupled",
    "quasi_newton",
    "pool",
    "residual",
]
