"""A picture of a cross-validated choice of alpha."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd.estimators.plotting import alpha_axis, axes
from banditcd.estimators.solution import Floats


class CVDisplay:
    """Test error against alpha: the folds, their mean and standard error, and the choice.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Penalties.
    errors : array-like of shape (n_alphas, n_folds)
        Mean squared error of every fold.
    alpha : float, optional
        The chosen alpha.
    label : str, optional
        Title of the picture.

    Attributes
    ----------
    ax_, figure_
        What was drawn, after :meth:`plot`.
    """

    def __init__(
        self, alphas: Any, errors: Any, *, alpha: float | None = None, label: str | None = None
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

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> CVDisplay:
        """Draw the errors of a fitted estimator (of its chosen l1_ratio).

        Parameters
        ----------
        estimator : LassoCV or ElasticNetCV
            Fitted with ``select_alpha="min"`` or "1se".
        ax : matplotlib axes, optional
            Where to draw; new ones by default.

        Returns
        -------
        CVDisplay
        """
        if not hasattr(estimator, "mse_path_"):
            raise ValueError(
                f"{type(estimator).__name__} has no cross-validated errors to draw; fit a LassoCV "
                "or ElasticNetCV with select_alpha='min' or '1se'."
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
        best = int(np.argmin(mean))
        ax.plot(self.alphas[best], mean[best], "o", color="C0", label="smallest mean")
        if self.alpha is not None:
            ax.axvline(self.alpha, color="0.3", linestyle="--", label=f"chosen: {self.alpha:.3g}")
        alpha_axis(ax, self.alphas)
        ax.set_ylabel("mean squared test error")
        if self.label:
            ax.set_title(self.label)
        ax.legend(frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
