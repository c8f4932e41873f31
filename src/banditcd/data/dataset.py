"""A data set: numbers, labels, and where they came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.checks import check_number

Task = Literal["regression", "binary", "multiclass"]


@dataclass(frozen=True)
class Dataset:
    """A matrix with its labels, its task and its history.

    Attributes
    ----------
    name : str
        The catalog's name. A stand-in carries the word in its name, as in "aloi (stand-in)".
    X : ndarray or CSR matrix of shape (rows, columns)
        Memory-mapped and read-only when it comes from the cache.
    y : ndarray of shape (rows,)
        Labels or targets as stored, until a preprocessing step changes them.
    task : {"regression", "binary", "multiclass"}
        What `y` means.
    stand_in : bool
        Whether the numbers are generated in place of a real set of this shape.
    partial : bool
        Whether only a part of the real set is here.
    source : str
        One sentence on where the numbers come from.
    steps : tuple of str
        The preprocessing steps applied so far, in order, as `apply` reads them.
    feature_names : tuple of str
        Names of the columns, where the file has some.
    """

    name: str
    X: Any
    y: Floats
    task: Task
    stand_in: bool = False
    partial: bool = False
    source: str = ""
    steps: tuple[str, ...] = ()
    feature_names: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name to print and plot: says so if the set is a part only."""
        return f"{self.name} (partial)" if self.partial else self.name

    @property
    def rows(self) -> int:
        """Number of samples."""
        return int(self.X.shape[0])

    @property
    def columns(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    @property
    def is_sparse(self) -> bool:
        """Whether X is a sparse matrix."""
        return bool(sparse.issparse(self.X))

    @property
    def nonzeros(self) -> int:
        """Entries of X that are not zero, counted."""
        return int(np.count_nonzero(self.X.data if self.is_sparse else self.X))

    @property
    def density(self) -> float:
        """Share of the entries of X that are not zero."""
        return self.nonzeros / max(1, self.rows * self.columns)

    @property
    def classes(self) -> Floats:
        """The different labels, ascending."""
        return np.unique(self.y)

    def take(self, rows: npt.NDArray[np.intp]) -> Dataset:
        """Return the set with the chosen rows only (a copy)."""
        return replace(self, X=self.X[rows], y=self.y[rows])


def split(dataset: Dataset, fraction: float = 0.8, seed: int = 0) -> tuple[Dataset, Dataset]:
    """Cut a set in two at random: a training part with this fraction of the rows, and the rest.

    The rows keep their order within each part; the same seed gives the same parts.

    Parameters
    ----------
    dataset : Dataset
        The set.
    fraction : float
        Share of the rows in the first part.
    seed : int
        Of the choice.
    """
    check_number(fraction, "fraction", minimum=0.0, maximum=1.0)
    first = round(fraction * dataset.rows)
    if not 0 < first < dataset.rows:
        raise ValueError(
            f"A fraction of {fraction} of {dataset.rows} rows leaves one part empty; "
            "choose another fraction."
        )
    order = np.random.default_rng(seed).permutation(dataset.rows)
    return dataset.take(np.sort(order[:first])), dataset.take(np.sort(order[first:]))


def guess_task(y: Floats) -> Task:
    """Guess the task of a file from its labels: two values, few whole numbers, or targets."""
    classes = np.unique(y)
    if len(classes) == 2:
        return "binary"
    whole = bool(np.all(classes == np.round(classes)))
    return "multiclass" if whole and len(classes) <= max(20, 0.05 * len(y)) else "regression"
