"""What the displays share: matplotlib, loaded only when something is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats


def axes(ax: Any) -> Any:
    """Return the given axes, or new ones."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(
            "Drawing needs matplotlib; install it with 'pip install banditcd[plots]'."
        ) from error
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def alpha_axis(ax: Any, alphas: Floats, name: str = "alpha") -> None:
    """Show the penalty on a logarithmic scale, the strongest on the left."""
    positive = bool(np.all(alphas > 0.0))
    ax.set_xscale("log" if positive else "symlog")
    ax.set_xlim(max(alphas), min(alphas))
    ax.set_xlabel(f"{name} (strong penalty on the left)")
