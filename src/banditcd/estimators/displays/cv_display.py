"""A picture of a cross-validated choice of alpha."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.displays.plotting import alpha_axis, axes
from banditcd.estimators.search.logistic_search import scoring_word


class CVDisplay:
    """Test error or score against the penalty: folds, their mean and standard error, the choice.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Penalties.
    errors : array-like of shape (n_alphas, n_folds)
        Mean squared error (or score) of every fold.
    alpha : float, optional
        The chosen alpha.
    label : str, optional
        Title of the picture.
    score_name : str, optional
        What ``errors`` are if they are scores, of which the largest is the best.
    alpha_name : str, default="alpha"
        What the penalties are called.

    Attributes
    ----------
    ax_, figure_
        What was drawn, after :meth:`plot`.
    """

    def __init__(
        self,
        alphas: Any,
        errors: Any,
        *,
        alpha: float | None = None,
        label: str | None = None,
        score_name: str | None = None,
        alpha_name: str = "alpha",
    ) -> None:
        self.alphas: Floats = np.asarray(alphas, dtype=np.float64)
        self.errors: Floats = np.asarray(errors, dtype=np.float64)
        if self.errors.ndim != 2 or self.errors.shape[0] != self.alphas.size:
            raise ValueError(
                f"errors has shape {self.errors.shape}; it needs one row for each of the "
                f"{self.alphas.size} alphas."
            )
        self.alpha = alpha
        self.label = label
        self.score_name = score_name
        self.alpha_name = alpha_name

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> CVDisplay:
        """Draw the errors of a fitted estimator (of its chosen l1_ratio).

        Parameters
        ----------
        estimator : LassoCV, ElasticNetCV, LogisticRegressionCV or RidgeCV
            Fitted, with ``select_alpha="min"`` or "1se"; RidgeCV with folds.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.

        Returns
        -------
        CVDisplay
        """
        if hasattr(estimator, "Cs_"):
            return cls(**_of_classifier(estimator)).plot(ax=ax)
        if hasattr(estimator, "fold_scores_"):
            return cls(**_of_ridge(estimator)).plot(ax=ax)
        if not hasattr(estimator, "mse_path_"):
            raise ValueError(
                f"{type(estimator).__name__} has no cross-validated errors to draw; fit a LassoCV "
                "or ElasticNetCV with select_alpha='min' or '1se', a LogisticRegressionCV, or a "
                "RidgeCV with folds (cv=5)."
            )
        alphas, errors, label = estimator.alphas_, estimator.mse_path_, None
        ratios = np.ravel(getattr(estimator, "l1_ratio", 1.0))
        if hasattr(estimator, "l1_ratio_"):
            label = f"l1_ratio = {estimator.l1_ratio_:g}"
        if ratios.size > 1:
            chosen = int(np.flatnonzero(ratios == estimator.l1_ratio_)[0])
            errors = errors.reshape(ratios.size, -1, errors.shape[-1])[chosen]
            alphas = alphas[chosen] if alphas.ndim == 2 else alphas
        errors = np.reshape(errors, (alphas.size, -1))
        return cls(alphas, errors, alpha=estimator.alpha_, label=label).plot(ax=ax)

    def plot(self, ax: Any = None) -> CVDisplay:
        """Draw on the given axes, or on new ones."""
        ax = axes(ax)
        folds = self.errors.shape[1]
        mean = self.errors.mean(axis=1)
        ax.plot(self.alphas, self.errors, color="0.75", linewidth=0.8)
        ax.plot([], [], color="0.75", linewidth=0.8, label=f"{folds} folds")
        if folds > 1:
            spread = self.errors.std(axis=1, ddof=1) / np.sqrt(folds)
            ax.fill_between(
                self.alphas, mean - spread, mean + spread, alpha=0.25, label="one standard error"
            )
        ax.plot(self.alphas, mean, linewidth=1.8, label="mean")
        best = int(np.argmin(mean) if self.score_name is None else np.argmax(mean))
        word = "smallest" if self.score_name is None else "largest"
        ax.plot(self.alphas[best], mean[best], "o", color="C0", label=f"{word} mean")
        if self.alpha is not None:
            ax.axvline(self.alpha, color="0.3", linestyle="--", label=f"chosen: {self.alpha:.3g}")
        alpha_axis(ax, self.alphas, self.alpha_name)
        ax.set_ylabel(self.score_name or "mean squared test error")
        if self.label:
            ax.set_title(self.label)
        ax.legend(frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _of_classifier(estimator: Any) -> dict[str, Any]:
    """Return the parts of a picture of LogisticRegressionCV, for its chosen l1_ratio."""
    ratio = float(np.ravel(estimator.l1_ratio_)[0])
    chosen = int(np.argmin(np.abs(estimator.l1_ratios_ - ratio)))
    scores = estimator.scores_
    if isinstance(scores, dict):
        older = np.asarray(next(iter(scores.values())))
        folds_by_Cs = older if older.ndim == 2 else older[:, :, chosen]
    else:
        folds_by_Cs = scores[:, chosen]
    order = np.argsort(estimator.Cs_, kind="stable")
    named = scoring_word(estimator.scoring)
    return {
        "alphas": 1.0 / estimator.Cs_[order],
        "errors": folds_by_Cs[:, order].T,
        "alpha": 1.0 / float(np.ravel(estimator.C_)[0]),
        "label": f"l1_ratio = {ratio:g}",
        "score_name": f"test {named if isinstance(named, str) else 'score'}",
        "alpha_name": "1 / C",
    }


def _of_ridge(estimator: Any) -> dict[str, Any]:
    """Return the parts of a picture of RidgeCV with folds."""
    alphas = np.ravel(np.asarray(estimator.alphas, dtype=np.float64))
    order = np.argsort(alphas, kind="stable")
    scoring = estimator.scoring
    named = scoring if isinstance(scoring, str) else "R²" if scoring is None else "score"
    return {
        "alphas": alphas[order],
        "errors": estimator.fold_scores_[:, order].T,
        "alpha": estimator.alpha_,
        "score_name": f"test {named}",
    }
