"""Models along a grid of penalties, and the files they are kept in."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from banditcd._typing import Floats
from banditcd.cli.inputs import as_codes
from banditcd.cli.models import ModelKind
from banditcd.cli.training import Training
from banditcd.data import check_labels
from banditcd.data.files import replacing


@dataclass(frozen=True)
class Followed:
    """Models along a grid, from the strongest penalty to the weakest.

    Attributes
    ----------
    penalty : str
        "alpha" or "C".
    penalties, intercepts, gaps, scores : ndarray of shape (k,)
        Penalties, intercepts, duality gaps relative to the null model's objective, and the share
        of the null model's loss that is explained on the training data (R² for squared losses).
    coefs : ndarray of shape (n_features, k)
        Coefficients.
    """

    penalty: str
    penalties: Floats
    coefs: Floats
    intercepts: Floats
    gaps: Floats
    scores: Floats

    @property
    def used(self) -> npt.NDArray[np.intp]:
        """Features that enter somewhere on the path."""
        return np.flatnonzero(np.any(self.coefs != 0.0, axis=1))

    @property
    def supports(self) -> npt.NDArray[np.intp]:
        """Number of features in each model."""
        return np.asarray(np.count_nonzero(self.coefs, axis=0))


def follow(kind: ModelKind, training: Training, options: dict[str, Any]) -> Followed:
    """Fit along the path; options are those of :func:`banditcd.enet_path`.

    Explained shares and the null model take the weights of the samples into account.
    """
    if training.weights is not None:
        options = {**options, "sample_weight": training.weights}
    if kind.name == "logistic":
        return _follow_logistic(training, options)
    from banditcd.estimators import enet_path

    if kind.name == "lasso":
        options = {**options, "l1_ratio": 1.0}
    X, y = training.dataset.X, np.asarray(training.dataset.y, dtype=np.float64)
    share = _shares(training)
    alphas, coefs, gaps, *found = enet_path(X, y, **options)
    fitted = np.asarray(X @ coefs)
    center = float(share @ y) if options["fit_intercept"] else 0.0
    intercepts = found[0] if options["fit_intercept"] else np.zeros(len(alphas))
    null = 0.5 * float(share @ (y - center) ** 2)
    losses = 0.5 * (share @ (y[:, None] - fitted - intercepts) ** 2)
    return Followed("alpha", alphas, coefs, intercepts, *_relative(gaps, losses, null))


def _shares(training: Training) -> Floats:
    """Return the weights of the samples, which sum to 1."""
    rows, weights = training.dataset.rows, training.weights
    return np.full(rows, 1.0 / rows) if weights is None else weights / weights.sum()


def _follow_logistic(training: Training, options: dict[str, Any]) -> Followed:
    from banditcd.estimators import logistic_path

    renamed = {name: value for name, value in options.items() if name != "positive"}
    renamed["Cs"] = renamed.pop("alphas")
    dataset = training.dataset
    sign = check_labels(as_codes(dataset.y), dataset.rows)
    weights = np.ones(dataset.rows) if training.weights is None else training.weights
    Cs, coefs, intercepts, gaps = logistic_path(dataset.X, sign, **renamed)
    margins = sign[:, None] * (np.asarray(dataset.X @ coefs) + intercepts)
    losses = weights @ np.logaddexp(0.0, -margins)
    positive = float(_shares(training) @ (sign > 0.0))
    share = positive if options["fit_intercept"] else 0.5
    null = -float(weights.sum()) * float(xlogy(share, share) + xlogy(1.0 - share, 1.0 - share))
    return Followed("C", Cs, coefs, intercepts, *_relative(gaps / Cs, losses, null))


def _relative(gaps: Floats, losses: Floats, null: float) -> tuple[Floats, Floats]:
    """Return gaps and explained shares relative to the loss of the null model."""
    if null <= 0.0:
        return gaps, np.zeros(len(gaps))
    return gaps / null, 1.0 - losses / null


def write_path(path: Followed, names: list[str], file: Path) -> None:
    """Write penalties, gaps and the coefficients of every feature that enters, in .csv or .npz."""
    used = path.used
    if file.suffix.lower() == ".npz":
        arrays: dict[str, Any] = {
            path.penalty: path.penalties,
            "gap": path.gaps,
            "score": path.scores,
            "intercept": path.intercepts,
            "features": used,
            "coef": path.coefs[used],
            "names": np.array([names[j] for j in used], dtype=np.str_),
        }
        with replacing(file, "wb") as stream:
            np.savez_compressed(stream, **arrays)
        return
    with replacing(file) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        head = [path.penalty, "gap", "features", "score", "intercept"]
        writer.writerow([*head, *(names[j] for j in used)])
        columns = [path.penalties, path.gaps, path.supports, path.scores, path.intercepts]
        for k, row in enumerate(zip(*columns, strict=True)):
            values = [float(value) for value in (*row, *path.coefs[used, k])]
            writer.writerow([repr(value).removesuffix(".0") for value in values])
