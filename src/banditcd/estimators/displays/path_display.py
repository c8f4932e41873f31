"""A picture of coefficients along a path."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.displays.plotting import alpha_axis, axes


class PathDisplay:
    """Coefficients against the penalty, the largest ones labeled.

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
    penalty_name : str
        What the penalties are called.

    Attributes
    ----------
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
        penalty_name: str = "alpha",
    ) -> None:
        self.alphas: Floats = np.asarray(alphas, dtype=np.float64)
        self.coefs: Floats = np.asarray(coefs, dtype=np.float64)
        if self.coefs.ndim != 2 or self.coefs.shape[1] != self.alphas.size:
            raise ValueError(
                f"coefs has shape {self.coefs.shape}; it needs one column for each of the "
                f"{self.alphas.size} alphas."
            )
        self.feature_names = feature_names
        self.alpha = alpha
        self.penalty_name = penalty_name

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: Any = None, n_labels: int = 8, label: Any = None, **line: Any
    ) -> PathDisplay:
        """Draw the path of a fitted estimator.

        Parameters
        ----------
        estimator : LassoCV, ElasticNetCV or LogisticRegressionCV
            Fitted with ``store_path=True``.
        ax : matplotlib axes, optional
            Where to draw; new ones by default.
        n_labels : int
            How many of the largest final coefficients to name.
        label : optional
            The class whose model is drawn; needed if a classifier has more than two.
        **line
            Passed to ``ax.plot``.

        Returns
        -------
        PathDisplay
        """
        if not hasattr(estimator, "coef_path_"):
            raise ValueError(
                f"{type(estimator).__name__} has no path to draw; fit a LassoCV, ElasticNetCV or "
                "LogisticRegressionCV with store_path=True, or use PathDisplay(alphas, coefs)."
            )
        names = getattr(estimator, "feature_names_in_", None)
        if hasattr(estimator, "C_path_"):
            display = cls(
                1.0 / estimator.C_path_,
                _path_of_class(estimator, label),
                feature_names=names,
                alpha=1.0 / float(np.ravel(estimator.C_)[0]),
                penalty_name="1 / C",
            )
        else:
            display = cls(
                estimator.alpha_path_,
                estimator.coef_path_,
                feature_names=names,
                alpha=estimator.alpha_,
            )
        return display.plot(ax=ax, n_labels=n_labels, **line)

    def plot(self, ax: Any = None, n_labels: int = 8, **line: Any) -> PathDisplay:
        """Draw the coefficients that are ever non-zero; parameters as :meth:`from_estimator`."""
        ax = axes(ax)
        used = np.flatnonzero(self.coefs.any(axis=1))
        style = {"linewidth": 1.2, **line}
        self.lines_ = [ax.plot(self.alphas, self.coefs[j], **style)[0] for j in used]
        ax.axhline(0.0, color="0.6", linewidth=0.8)
        alpha_axis(ax, self.alphas, self.penalty_name)
        if self.alpha is not None:
            ax.axvline(self.alpha, color="0.3", linestyle="--", linewidth=1.0)
            ax.annotate(
                f" chosen: {self.alpha:.3g}",
                (self.alpha, 0.02),
                xycoords=("data", "axes fraction"),
                color="0.3",
            )
        ax.set_ylabel("coefficient")
        ax.set_title(f"{used.size} of {len(self.coefs)} features enter the path")
        self._label(ax, used, n_labels)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _label(self, ax: Any, used: Any, n_labels: int) -> None:
        """Name the largest final coefficients at the right edge, without overlaps."""
        final = self.coefs[:, -1]
        chosen = used[np.argsort(-np.abs(final[used]), kind="stable")[:n_labels]]
        low, high = ax.get_ylim()
        room, floor = 0.045 * (high - low), -np.inf
        colors = {j: line.get_color() for j, line in zip(used, self.lines_, strict=True)}
        for j in sorted(chosen, key=lambda j: final[j]):
            place = max(final[j], floor + room)
            floor = place
            ax.annotate(
                self._name(int(j)),
                (1.01, place),
                xycoords=("axes fraction", "data"),
                color=colors[j],
                va="center",
                fontsize="small",
                annotation_clip=False,
            )

    def _name(self, j: int) -> str:
        return f"x{j}" if self.feature_names is None else str(self.feature_names[j])


def _path_of_class(estimator: Any, label: Any) -> Floats:
    """Return the coefficients of one class against the rest, or of two classes."""
    paths: Floats = estimator.coef_path_
    if paths.ndim == 2:
        return paths
    places = [k for k, known in enumerate(estimator.classes_.tolist()) if known == label]
    if not places:
        shown = ", ".join(map(repr, estimator.classes_.tolist()[:20]))
        raise ValueError(f"label is {label!r}; choose the class to draw among {shown}.")
    return np.asarray(paths[places[0]])
