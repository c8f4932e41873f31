"""A picture of a cross-validated choice of the penalty."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.displays.plotting import (
    axes,
    draw_marks,
    features_axis,
    marks,
    penalty_axis,
)
from banditcd.estimators.displays.searches import parts_of_search, rules

MOST_FOLDS = 30
"""More folds than these (every sample, left out) are not drawn one by one."""


class CVDisplay:
    """Test error or score against the penalty: folds, mean, standard error, both rules.

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
    features : array-like of shape (n_alphas,), optional
        Numbers of features, for the upper axis.

    Attributes
    ----------
    alpha : float or None
        The chosen penalty.
    alpha_best, alpha_1se : float
        The penalty of the best mean, and the strongest one whose mean is within one standard error
        of it; None if no penalty has a score in every fold.
    mean, standard_errors : ndarray of shape (n_alphas,)
        Mean over the folds, and its standard error: the standard deviation of the folds (k - 1
        degrees of freedom) divided by the root of their number k; NaN for one fold.
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
        features: Any = None,
    ) -> None:
        self.alphas: Floats = np.asarray(alphas, dtype=np.float64)
        self.errors: Floats = np.asarray(errors, dtype=np.float64)
        if self.errors.ndim != 2 or self.errors.shape[0] != self.alphas.size:
            raise ValueError(
                f"errors has shape {self.errors.shape}; it needs one row for each of the "
                f"{self.alphas.size} alphas."
            )
        if features is not None and np.shape(features) != self.alphas.shape:
            raise ValueError(
                f"features has shape {np.shape(features)}; it needs one number for each of the "
                f"{self.alphas.size} alphas."
            )
        self.alpha, self.label = alpha, label
        self.score_name, self.alpha_name = score_name, alpha_name
        self.features = features
        sign = -1.0 if score_name is None else 1.0
        self.alpha_best, self.alpha_1se = rules(self.alphas, sign * self.errors)
        folds = self.errors.shape[1]
        self.mean: Floats = self.errors.mean(axis=1)
        self.standard_errors: Floats = (
            self.errors.std(axis=1, ddof=1) / np.sqrt(folds)
            if folds > 1
            else np.full(self.mean.shape, np.nan)
        )

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> CVDisplay:
        """Draw the scores of a fitted search, at its chosen l1_ratio.

        Parameters
        ----------
        estimator : LassoCV, ElasticNetCV, LogisticRegressionCV, RidgeCV, GridSearchCV or Pipeline
            Fitted; ours or scikit-learn's. LassoCV and ElasticNetCV with ``select_alpha="min"`` or
            "1se", RidgeCV with folds or ``store_cv_results=True``, GridSearchCV over an alpha or a
            C, a pipeline that ends in one of them.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.

        Returns
        -------
        CVDisplay
        """
        parts = parts_of_search(estimator)
        if parts is None:
            raise ValueError(
                f"{type(estimator).__name__} has no cross-validated errors to draw; fit a LassoCV "
                "or ElasticNetCV with select_alpha='min' or '1se', a LogisticRegressionCV, a "
                "GridSearchCV over alpha or C, or a RidgeCV with folds (banditcd's, cv=5) or with "
                "store_cv_results=True and no scoring."
            )
        return cls(**parts).plot(ax=ax)

    def plot(self, ax: Any = None) -> CVDisplay:
        """Draw on the given axes, or on new ones."""
        ax = axes(ax)
        folds = self.errors.shape[1]
        if 1 < folds <= MOST_FOLDS:
            ax.plot(self.alphas, self.errors, color="0.8", linewidth=0.7)
            ax.plot([], [], color="0.8", linewidth=0.7, label=f"{folds} folds")
        low, high = self.mean - self.standard_errors, self.mean + self.standard_errors
        if folds > 1:
            ax.fill_between(
                self.alphas, low, high, alpha=0.25, color="C0", label="± one standard error"
            )
        dots = "o" if self.alphas.size <= 20 else ""
        ax.plot(self.alphas, self.mean, marker=dots, color="C0", linewidth=1.8, label="mean")
        penalty_axis(ax, self.alphas, self.alpha_name)
        self._limit(ax)
        ax.legend(frameon=False, fontsize="small")
        draw_marks(ax, marks(self.alpha, self.alpha_best, self.alpha_1se))
        if self.features is not None:
            features_axis(ax, self.alphas, np.asarray(self.features))
        ax.set_ylabel(self.score_name or "mean squared test error")
        if self.label:
            ax.set_title(self.label)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _limit(self, ax: Any) -> None:
        """Keep penalties that are much worse than the strongest one from flattening the rest."""
        sign = 1.0 if self.score_name is None else -1.0
        loss = sign * self.mean
        if not np.isfinite(loss).any():
            return
        spread = np.nan_to_num(self.standard_errors)
        best = int(np.nanargmin(loss))
        strongest = loss[int(np.argmax(self.alphas))]
        rise = max(2.0 * (strongest - loss[best]), 10.0 * spread[best], 0.0)
        tops = loss + spread
        if not rise > 0.0 or np.nanmax(tops) <= loss[best] + rise:
            return
        ends = (float(np.nanmin(loss - spread)) - 0.05 * rise, float(loss[best] + 1.05 * rise))
        ax.set_ylim(*sorted(sign * end for end in ends))
