"""Words of older scikit-learn, for tests that compare with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from sklearn.utils.fixes import parse_version

INSTALLED = parse_version(sklearn.__version__)

#: Whether "balanced" and the scores of a search weigh samples; scikit-learn 1.6 counts them there.
WEIGHS_CLASSES = WEIGHS_SCORES = parse_version("1.7") <= INSTALLED


def their_class_weight(given: Any, y: Any, weight: Any) -> Any:
    """Return class weights that mean to the installed scikit-learn what they mean here.

    "balanced" together with weights of samples is given as numbers to a scikit-learn that counts.
    """
    if WEIGHS_CLASSES or weight is None or given != "balanced":
        return given
    labels, codes = np.unique(y, return_inverse=True)
    sizes = np.bincount(codes, weights=weight)
    return dict(zip(labels.tolist(), weight.sum() / (len(labels) * sizes), strict=True))


def their_penalties(count: int, since: str = "1.7") -> dict[str, int]:
    """Return the word for a number of penalties: n_alphas before scikit-learn ``since``.

    Searches take a number as ``alphas`` since 1.7, the path functions since 1.9.
    """
    return {"alphas" if parse_version(since) <= INSTALLED else "n_alphas": count}


def their_l1_ratio(ratio: float) -> dict[str, Any]:
    """Return the word for an L2 (0) or L1 (1) penalty: ``penalty`` before scikit-learn 1.8."""
    if parse_version("1.8") <= INSTALLED:
        return {"l1_ratio": ratio}
    return {"penalty": {0.0: "l2", 1.0: "l1"}[ratio]}
