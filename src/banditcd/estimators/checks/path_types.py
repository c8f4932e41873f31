"""Types of the parameters of path functions, so that editors complete and check them."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, TypedDict

from numpy.typing import ArrayLike
from scipy import sparse

from banditcd.estimators.checks.types import (
    ClassWeight,
    LogisticWord,
    MultiClass,
    PerColumn,
    RandomState,
    Selection,
    SelectorLike,
    SolverWord,
)


class Placed(Protocol):
    """A matrix that lives elsewhere: on a cluster, on a GPU, in a file."""

    @property
    def shape(self) -> Any:
        """Rows and columns."""


Samples: TypeAlias = ArrayLike | sparse.sparray | sparse.spmatrix | Placed
#: Responses, labels or weights of the samples.
PerSample: TypeAlias = ArrayLike
Weights: TypeAlias = float | ArrayLike | None


class LinearPathOptions(TypedDict, total=False):
    """Words of ``lasso_path`` and ``enet_path`` beside those of scikit-learn's signatures."""

    tol: float
    max_iter: int
    fit_intercept: bool
    sample_weight: Weights
    penalty_weights: PerColumn
    lower: PerColumn
    upper: PerColumn
    standardize: bool
    solver: SolverWord
    selector: SelectorLike
    random_state: RandomState
    selection: Selection
    n_threads: int | None
    pool_bytes: int
    do_screening: bool


class LassoPathOptions(LinearPathOptions, total=False):
    """Words of ``lasso_path``, which hands on that of ``enet_path``, too."""

    check_input: bool


class GroupPathOptions(TypedDict, total=False):
    """Parameters of ``GroupLogisticRegression`` that its path has."""

    weights: ArrayLike | None
    fit_intercept: bool
    max_iter: int
    tol: float
    class_weight: ClassWeight
    pool_bytes: int
    n_threads: int | None


class LogisticPathOptions(TypedDict, total=False):
    """Parameters of ``LogisticRegression`` that its path has."""

    tol: float
    max_iter: int
    fit_intercept: bool
    intercept_scaling: float
    class_weight: ClassWeight
    penalty_weights: PerColumn
    lower: PerColumn
    upper: PerColumn
    standardize: bool
    solver: LogisticWord
    selector: SelectorLike
    dual: bool
    random_state: RandomState
    multi_class: MultiClass
    n_threads: int | None
    pool_bytes: int
