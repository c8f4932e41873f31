"""A picture of coefficients along a path."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.displays.fitted_paths import parts_of_path
from banditcd.estimators.displays.plotting import (
    axes,
    draw_marks,
    features_axis,
    label_ends,
    marks,
    penalty_axis,
)

TAIL = 3.0
"""A path is shown up to coefficients this many times as large as those of the weakest mark."""


class PathDisplay:
    """Coefficients against the penalty: numbers of features above, the largest ones labeled.

    Build it with :meth:`from_estimator` or from the values that ``lasso_path`` returns; for
    ``logistic_path`` the penalties are ``1 / Cs``.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Penalties.
    coefs : array-like of shape (n_features, n_alphas)
        Coefficients along the path.
    feature_names : sequence of str, optional
        Names for the labels.
    alpha : float, optional
        A chosen alpha to mark.
    alpha_best, alpha_1se : float, optional
        Penalties of the best mean score and of the one-standard-error rule, to mark.
    penalty_name : str
        What the penalties are called.
    title : str, optional
        Title of the picture; by default, how many features enter.

    Attributes
    ----------
    alpha, alpha_best, alpha_1se : float or None
        The penalties that are marked.
    features : ndarray of shape (n_alphas,)
        Number of non-zero coefficients of each model.
    ax_, figure_, lines_
        What was drawn, after :meth:`plot`.
    """

    def __init__(
        self,
        alphas: Any,
        coefs: Any,
        *,
        feature_names: Any = None,
        alpha: float | None = None,
        alpha_best: float | None = None,
        alpha_1se: float | None = None,
        penalty_name: str = "alpha",
        title: str | None = None,
    ) -> None:
        self.alphas: Floats = np.asarray(alphas, dtype=np.float64)
        self.coefs: Floats = np.asarray(coefs, dtype=np.float64)
        if self.coefs.ndim != 2 or self.coefs.shape[1] != self.alphas.size:
            raise ValueError(
                f"coefs has shape {self.coefs.shape}; it needs one column for each of the "
                f"{self.alphas.size} alphas."
            )
        self.feature_names = feature_names
        self.alpha, self.alpha_best, self.alpha_1se = alpha, alpha_best, alpha_1se
        self.penalty_name, self.title = penalty_name, title
        self.features: NDArray[np.intp] = np.asarray(np.count_nonzero(self.coefs, axis=0))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        ax: Any = None,
        n_labels: int = 8,
        label: Any = None,
        whole: bool = False,
        **line: Any,
    ) -> PathDisplay:
        """Draw the path of a fitted estimator.

        Parameters
        ----------
        estimator : estimator, search, GridSearchCV or Pipeline
            A fitted Lasso, elastic net (of groups or of several responses, too), ridge or logistic
            regression or a search over them, ours or scikit-learn's; or a pipeline or grid search
            that holds one. Without X and y it needs
            a path of its own: ``store_path=True``, or LogisticRegressionCV, of which the mean of
            the folds' models is drawn.
        X, y : array-like, optional
            The training data: the path is followed again.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.
        n_labels : int
            How many of the largest coefficients to name.
        label : optional
            The class (or the number of the response) whose model is drawn, if there are several.
        whole : bool, default=False
            See :meth:`plot`.
        **line
            Passed to ``ax.plot``.

        Returns
        -------
        PathDisplay
        """
        parts = parts_of_path(estimator, (X, y), label)
        return cls(**parts).plot(ax=ax, n_labels=n_labels, whole=whole, **line)

    def plot(
        self, ax: Any = None, n_labels: int = 8, whole: bool = False, **line: Any
    ) -> PathDisplay:
        """Draw the coefficients that are ever non-zero.

        Parameters
        ----------
        ax, n_labels, **line
            As :meth:`from_estimator`.
        whole : bool, default=False
            Show penalties so weak that their coefficients flatten the rest, too: larger than three
            times those at the weakest mark, or without a mark those at three quarters of the path.

        Returns
        -------
        PathDisplay
        """
        ax = axes(ax)
        order = np.argsort(-self.alphas, kind="stable")
        shown = order if whole else order[self._visible(order)]
        used = np.flatnonzero(self.coefs[:, shown].any(axis=1))
        style = {"linewidth": 1.2, **line}
        dots = {"marker": "o", "markersize": 3.0} if shown.size <= 20 else {}
        self.lines_ = [
            ax.plot(self.alphas[shown], self.coefs[j, shown], **{**dots, **style})[0] for j in used
        ]
        ax.axhline(0.0, color="0.6", linewidth=0.8)
        penalty_axis(ax, self.alphas[shown], self.penalty_name)
        low, high = self.alphas[shown].min(), self.alphas[shown].max()
        placed = marks(self.alpha, self.alpha_best, self.alpha_1se)
        draw_marks(ax, [mark for mark in placed if low <= mark[0] <= high])
        features_axis(ax, self.alphas[shown], self.features[shown])
        ax.set_ylabel("coefficient")
        ax.set_title(self._title(shown, used.size))
        self._label(ax, used, (shown[-1], n_labels))
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _visible(self, order: NDArray[np.intp]) -> slice:
        """Return the part of the path, strongest first, that is neither empty nor a tail."""
        heights = np.abs(self.coefs[:, order]).max(axis=0)
        entered = np.flatnonzero(heights > 0.0)
        if not entered.size:
            return slice(None)
        marked = [p for p in (self.alpha, self.alpha_best, self.alpha_1se) if p is not None]
        least = 1
        reference = float(np.quantile(heights[entered], 0.75))
        if marked:
            least = int(np.argmin(np.abs(self.alphas[order] - min(marked))))
            reference = float(heights[least]) or reference
        end = int(np.flatnonzero(heights <= TAIL * reference)[-1])
        return slice(max(int(entered[0]) - 1, 0), max(end, least) + 1)

    def _title(self, shown: NDArray[np.intp], used: int) -> str:
        text = self.title or f"{used} of {len(self.coefs)} features enter the path"
        if self.alphas[shown].min() > self.alphas.min():
            text += f"\n(weaker penalties down to {self.alphas.min():.3g} are not shown)"
        return text

    def _label(self, ax: Any, used: NDArray[np.intp], wanted: tuple[int, int]) -> None:
        """Name the largest coefficients at the right edge; ``wanted``: the last model, how many."""
        last, n_labels = wanted
        final = self.coefs[:, last]
        chosen = used[np.argsort(-np.abs(final[used]), kind="stable")[:n_labels]]
        colors = {j: line.get_color() for j, line in zip(used, self.lines_, strict=True)}
        names = [self._name(int(j)) for j in chosen]
        label_ends(ax, final[chosen], names, [colors[j] for j in chosen])

    def _name(self, j: int) -> str:
        return f"x{j}" if self.feature_names is None else str(self.feature_names[j])
