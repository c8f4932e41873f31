"""A fitted linear model: numbers only, predictions included."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse, special

from banditcd._typing import Floats
from banditcd.cli.placing import Columns
from banditcd.data.recipes import Recipe
from banditcd.places.kinds import kind_of as place_of
from banditcd.places.kinds import predictions


@dataclass(frozen=True)
class LinearModel:
    """The content of a model file.

    Attributes
    ----------
    kind : str
        The word of --model.
    coef : CSR matrix of shape (k, n_features)
        One row for a regression or two classes, else one for each class or target.
    intercept : ndarray of shape (k,)
        One for each row.
    classes : ndarray or None
        Labels, numbers or words, in ascending order; None for a regression.
    feature_names : tuple of str
        Names of the columns; empty if there are none.
    facts : dict
        What is kept for the reader and not needed to predict: parameters, objective,
        certificates, training data.
    multinomial : bool
        Whether three and more classes are one model, not one of each against the rest.
    recipe : Recipe or None
        How a table becomes features; None if its columns are the features.
    """

    kind: str
    coef: Any
    intercept: Floats
    classes: npt.NDArray[Any] | None = None
    feature_names: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    multinomial: bool = False
    recipe: Recipe | None = None

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.coef.shape[1])

    @property
    def columns(self) -> Columns:
        """The features it was fitted on."""
        names = self.facts.get("target")
        targets = tuple(names) if isinstance(names, list) else (names,) if names else ()
        size = (self.n_features, self.feature_names)
        return Columns(*size, targets, self.recipe, self.has_words, self.outputs)

    @property
    def outputs(self) -> int:
        """How many numbers it predicts for a row."""
        return len(self.intercept) if self.classes is None else 1

    @property
    def targets(self) -> list[str]:
        """What the rows of several targets are called; y1, y2, ... without names."""
        names = self.columns.targets
        return list(names) if names else [f"y{k + 1}" for k in range(self.outputs)]

    @property
    def has_words(self) -> bool:
        """Whether the labels are words."""
        return self.classes is not None and self.classes.dtype.kind == "U"

    @property
    def has_probabilities(self) -> bool:
        """Whether the scores are log odds."""
        return self.kind in ("logistic", "grouplogistic")

    def scores(self, X: Any) -> Floats:
        """Return X w + b, one column for each row of ``coef``."""
        if place_of(X) == "file":
            return np.asarray(predictions(X, self.coef.toarray(), self.intercept))
        product: Any = (self.coef @ X.T).T
        if not isinstance(product, np.ndarray):
            product = product.toarray()
        return np.asarray(product, dtype=np.float64) + self.intercept

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return predicted values, or labels: the sign of one score, the largest of several."""
        scores = self.scores(X)
        if self.classes is None:
            return scores[:, 0] if self.outputs == 1 else scores
        if len(self.classes) == 2:
            chosen = (scores[:, 0] > 0.0).astype(np.intp)
        else:
            chosen = np.argmax(scores, axis=1)
        return np.asarray(self.classes[chosen])

    def probabilities(self, X: Any) -> Floats:
        """Return the probability of each class; of several, one-vs-rest ones made to sum to 1."""
        if self.multinomial:
            return np.asarray(special.softmax(self.scores(X), axis=1))
        share = special.expit(self.scores(X))
        if share.shape[1] == 1:
            return np.hstack([1.0 - share, share])
        total = share.sum(axis=1, keepdims=True)
        even = np.full_like(share, 1.0 / share.shape[1])
        return np.asarray(np.divide(share, total, out=even, where=total > 0.0))

    def evaluate(self, X: Any, y: npt.NDArray[Any]) -> dict[str, float]:
        """Return measures of the predictions: accuracy and log loss, or errors and R²."""
        if self.classes is not None:
            right = int(np.sum(self.predict(X) == y))
            measures = {"accuracy": right / len(y), "right": float(right), "of": float(len(y))}
            if self.has_probabilities and np.all(np.isin(y, self.classes)):
                chosen = np.searchsorted(self.classes, y)
                likely = self.probabilities(X)[np.arange(len(y)), chosen]
                tiny = np.finfo(np.float64).tiny
                measures["log_loss"] = float(-np.mean(np.log(np.maximum(likely, tiny))))
            return measures
        error = self.predict(X) - y
        spread = np.atleast_1d(np.mean((y - y.mean(axis=0)) ** 2, axis=0))
        squared = np.atleast_1d(np.mean(error**2, axis=0))
        measures = {
            "mean_squared_error": float(squared.mean()),
            "mean_absolute_error": float(np.mean(np.abs(error))),
        }
        if np.all(spread > 0.0):  # of several targets the mean, as in scikit-learn
            measures["r2"] = float(np.mean(1.0 - squared / spread))
        return measures


def from_estimator(
    kind: str, estimator: Any, feature_names: tuple[str, ...], facts: dict[str, Any]
) -> LinearModel:
    """Take the numbers of a fitted estimator; a search gives those of its best one."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    coef = np.atleast_2d(np.asarray(estimator.coef_, dtype=np.float64))
    intercept = np.ravel(np.asarray(estimator.intercept_, dtype=np.float64))
    if len(intercept) != len(coef):  # a single 0.0 where there is no intercept
        intercept = np.full(len(coef), float(intercept[0]))
    classes = getattr(estimator, "classes_", None)
    labels = None if classes is None else np.asarray(classes)
    if labels is not None and labels.dtype.kind != "U":
        labels = labels.astype(np.float64)
    # Other libraries' models come here, too: those of several classes are one against the rest.
    one = kind == "logistic" and len(coef) > 1 and getattr(estimator, "multi_class", "ovr") != "ovr"
    csr = sparse.csr_matrix(coef)
    return LinearModel(kind, csr, intercept, labels, feature_names, facts, multinomial=one)
