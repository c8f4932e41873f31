"""Labels of a classification: which classes there are, and what a sample of each weighs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from banditcd import _core
from banditcd._typing import Floats

#: Types of labels of which native code finds two classes, in the byte order of the machine.
NUMBERS = frozenset(
    map(np.dtype, (np.float64, np.int64, np.bool_, np.float32, np.int32, np.int8, np.uint8))
)


@dataclass(slots=True)
class Labels:
    """The classes in order and the position of every sample's class.

    Two classes are one binary problem, whose positive class is the second; more classes are one
    problem each, the class against the rest.
    """

    classes: NDArray[Any]
    codes: NDArray[np.int64]

    @property
    def problems(self) -> int:
        """The number of binary problems."""
        return 1 if len(self.classes) == 2 else len(self.classes)

    @property
    def positives(self) -> list[int]:
        """The positive class of each binary problem."""
        return [1] if len(self.classes) == 2 else list(range(len(self.classes)))

    def signs(self, row: int) -> Floats:
        """Return the labels of a problem: +1 for samples of its positive class, else -1."""
        positive = 1 if len(self.classes) == 2 else row
        return _core.signs(self.codes, positive)

    def take(self, rows: NDArray[np.intp]) -> Labels:
        """Return the labels of some samples, the classes unchanged."""
        return Labels(self.classes, self.codes[rows])


def check_labels(y: NDArray[Any], least: int = 2) -> Labels:
    """Find the classes of a one-dimensional array; any hashable labels of one type will do.

    Fewer than ``least`` are refused.
    """
    if (two := _two_classes(y)) is not None:
        return two
    if y.dtype.kind == "S":
        y = y.astype(object)
    if y.dtype != object:
        classes, codes = _sorted_classes(y)
        if not _plainly_classes(classes, len(y)):
            check_classification_targets(y)
    else:
        classes, codes = _classes_of_objects(y)
    if len(classes) < least:
        raise ValueError(
            "The data contain only one class; a classifier needs samples of at least 2 classes "
            f"(found {classes.tolist()[0]!r} alone)."
        )
    return Labels(classes, codes.astype(np.int64, copy=False))


def _two_classes(y: NDArray[Any]) -> Labels | None:
    """Return the labels if they are two whole numbers, found without sorting the samples."""
    if y.dtype not in NUMBERS or y.ndim != 1:
        return None
    if (found := _core.two_classes(np.ascontiguousarray(y))) is None:
        return None
    low, high, codes = found
    return Labels(np.array([low, high], dtype=y.dtype), codes)


def _sorted_classes(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct labels in order and every sample's place; integers close by are counted.

    Counting takes a pass over the samples; sorting them takes as long as a fit of few columns.
    """
    if y.dtype.kind in "iu" and y.size:
        least, most = int(y.min()), int(y.max())
        if most - least <= y.size:
            wide = y if y.dtype.kind == "u" else y.astype(np.int64)
            offsets = (wide - wide.dtype.type(least)).astype(np.intp)
            found = np.flatnonzero(np.bincount(offsets))
            place = np.zeros(most - least + 1, dtype=np.intp)
            place[found] = np.arange(len(found))
            return found.astype(y.dtype) + y.dtype.type(least), place[offsets]
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes


def _plainly_classes(classes: NDArray[Any], n_samples: int) -> bool:
    """Whether scikit-learn's check, which takes longer than a small fit, has nothing to say."""
    if 2 * len(classes) > n_samples or classes.dtype.kind not in "biuf":
        return False
    return classes.dtype.kind != "f" or bool(np.all(classes == np.floor(classes)))


def _classes_of_objects(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    kinds = sorted({_kind(label) for label in y})
    if len(kinds) > 1:
        raise ValueError(
            f"y mixes labels of type {' and '.join(kinds)}; use labels of one type, for example "
            "y.astype(str)."
        )
    try:
        found = list(dict.fromkeys(y))
    except TypeError as error:
        raise ValueError(f"y has labels that are not hashable: {error}.") from error
    if kinds == ["number"] and any(label != label or abs(label) == math.inf for label in found):
        raise ValueError("y has NaN or infinite labels; remove these samples first.")
    if kinds == ["number"] and any(label != int(label) for label in found):
        raise ValueError(
            "Unknown label type: y has labels that are not whole numbers; a classifier needs "
            "classes, not a continuous target."
        )
    found = _in_order(found)
    place = {label: k for k, label in enumerate(found)}
    classes = np.empty(len(found), dtype=object)
    classes[:] = found
    if kinds == ["number"]:
        classes = np.array(found)
    return classes, np.array([place[label] for label in y], dtype=np.intp)


def _kind(label: Any) -> str:
    return "number" if isinstance(label, (Real, np.bool_)) else type(label).__name__


def _in_order(labels: list[Any]) -> list[Any]:
    """Sort the labels; by their representation if their type has no order."""
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=repr)


def check_class_weight(class_weight: Any, labels: Labels) -> Floats | str:
    """Check class weights: one number per class, or "balanced"."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        return class_weight
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight is {class_weight!r}; it must be None, 'balanced' or a dict from labels "
            "to weights."
        )
    known = set(labels.classes.tolist())
    if (strange := [k for k in class_weight if k not in known]) and not known <= set(class_weight):
        shown = ", ".join(map(repr, labels.classes.tolist()[:20]))
        raise ValueError(
            f"class_weight has the key {strange[0]!r}, but the classes are {shown}; use those "
            "labels as keys."
        )
    weights = np.array([_weight(class_weight.get(c, 1.0), c) for c in labels.classes.tolist()])
    if not weights.any():
        raise ValueError("class_weight is 0 for every class; at least one must count.")
    return weights


def _weight(value: Any, label: Any) -> float:
    if isinstance(value, Real) and 0.0 <= float(value) < np.inf:
        return float(value)
    raise ValueError(
        f"class_weight[{label!r}] is {value!r}; it must be a number, at least 0 and finite."
    )


def balanced(sizes: NDArray[Any]) -> Floats:
    """Return the weights that make all classes count the same: total / (classes size)."""
    there = sizes > 0.0
    return np.where(there, sizes.sum() / (sizes.size * np.where(there, sizes, 1.0)), 0.0)


def by_class(labels: Labels, given: Floats | str, weight: Floats | None) -> Floats:
    """Return the checked class weights as a factor for every class."""
    if not isinstance(given, str):
        return given
    return balanced(np.bincount(labels.codes, weights=weight, minlength=len(labels.classes)))


def liblinear_factors(
    labels: Labels, positive: int, given: Floats | str, weight: Floats | None
) -> Floats:
    """Return what LIBLINEAR's class weights multiply samples by in the problem of one class.

    Of several classes only the one in question has its weight, the rest has 1.
    """
    factors = by_class(labels, given, weight)
    if len(factors) > 2:
        factors = np.where(np.arange(len(factors)) == positive, factors, 1.0)
    return np.asarray(factors[labels.codes])
