"""Groups of features as users give them, and their penalty weights."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.checks.column_options import ColumnOptions


@dataclass(frozen=True, slots=True)
class Blocks(ColumnOptions):
    """Checked groups of columns; None: one column each. ``weights`` multiply their penalties."""

    groups: list[NDArray[np.intp]] | None = None
    weights: Floats | None = None

    def penalty(self, coefs: Floats, l1: Floats, l2: Floats) -> Floats:
        """Return the penalties of models; groups cost their norms: l1 sum_g weights_g |w_g|."""
        if self.groups is None or self.weights is None:
            return ColumnOptions.penalty(self, coefs, l1, l2)
        norms = np.array([np.linalg.norm(coefs[group], axis=0) for group in self.groups])
        return np.asarray(l1 * (np.where(np.isinf(self.weights), 0.0, self.weights) @ norms))

    def norms_penalty(self, coefs: Floats, l1: float, l2: float) -> float:
        """Return the penalty of one model of several responses, a column of ``coefs`` each.

        That is the sum over groups of ``weights_g (l1 |W_g| + l2/2 |W_g|²)``.
        """
        squares = (coefs**2).sum(axis=1)
        if self.groups is not None:
            squares = np.array([squares[group].sum() for group in self.groups])
        weights = np.ones(len(squares)) if self.weights is None else self.weights
        weights = np.where(np.isinf(weights), 0.0, weights)
        return float(weights @ (l1 * np.sqrt(squares) + 0.5 * l2 * squares))


def check_groups(groups: Any, weights: Any, n_features: int) -> Blocks:
    """Check groups against the number of features; weights are sqrt(size) by default."""
    parts = _parts(groups, n_features)
    sizes = np.array([len(part) for part in parts])
    if weights is None:
        return Blocks(groups=parts, weights=np.sqrt(sizes))
    return Blocks(groups=parts, weights=check_group_weights(weights, len(parts)))


def check_group_weights(weights: Any, count: int, name: str = "weights") -> Floats:
    """Check one weight per group: not negative; 0 is no penalty, inf excludes the group."""
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from error
    if given.shape != (count,):
        raise ValueError(f"{name} has shape {given.shape}; it needs one value per group ({count}).")
    if np.isnan(given).any() or (given < 0.0).any():
        raise ValueError(
            f"{name} must not be negative or NaN; 0 leaves a group unpenalized and inf excludes it."
        )
    return given


def _parts(groups: Any, n_features: int) -> list[NDArray[np.intp]]:
    if isinstance(groups, Integral) and not isinstance(groups, bool):
        return _equal_parts(int(groups), n_features)
    if groups is None or isinstance(groups, (str, bytes, float, bool)) or not np.iterable(groups):
        raise ValueError(
            f"groups is {groups!r}; it must be the size of equal groups, an array with the label "
            "of every feature's group, or a list with the features of every group."
        )
    given = list(groups)
    if given and all(np.iterable(part) and not isinstance(part, (str, bytes)) for part in given):
        return _listed_parts(given, n_features)
    return _labeled_parts(given, n_features)


def _equal_parts(size: int, n_features: int) -> list[NDArray[np.intp]]:
    if size < 1 or n_features % size:
        raise ValueError(
            f"groups is {size}, the size of equal groups, and X has {n_features} features; it must "
            "divide that number. Give the groups as lists, or a label per feature, otherwise."
        )
    return list(np.arange(n_features).reshape(-1, size))


def _labeled_parts(labels: list[Any], n_features: int) -> list[NDArray[np.intp]]:
    if len(labels) != n_features:
        raise ValueError(
            f"groups has {len(labels)} labels; it needs one for each of the {n_features} features."
        )
    _, codes = np.unique(np.asarray(labels), return_inverse=True)
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def _listed_parts(given: list[Any], n_features: int) -> list[NDArray[np.intp]]:
    parts = [np.asarray(part) for part in given]
    for k, part in enumerate(parts):
        if part.ndim != 1 or part.size == 0 or part.dtype.kind not in "iu":
            raise ValueError(f"groups[{k}] must be a non-empty list of positions of features.")
    order = np.sort(np.concatenate(parts))
    if not np.array_equal(order, np.arange(n_features)):
        raise ValueError(
            f"groups must hold each of the features 0 to {n_features - 1} exactly once: groups do "
            "not overlap, and a feature on its own is a group of one."
        )
    return [part.astype(np.intp) for part in parts]
