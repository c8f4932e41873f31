"""Unpenalized columns far from zero beside an intercept: no dual point passes for orthogonal.

Of a column of a small spread beside a large mean nearly all of the length is the mean's, which the
intercept takes care of. What a dual point leaves of the column was compared with that length, and a
model far from the optimum was called converged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from banditcd import LogisticRegression

pytestmark = pytest.mark.filterwarnings("ignore")
ROUNDING = 1e-15  # of margins, which are as large as the offset


def drawn(seed: int, offset: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return X, the same centered by whole numbers, a response and penalty weights."""
    rng = np.random.default_rng(seed)
    n, free, d = int(rng.integers(4, 25)), int(rng.integers(1, 4)), 5
    X = np.round(rng.standard_normal((n, d)) * 2.0**20) / 2.0**20
    response = X @ rng.standard_normal(d) + rng.choice([0.0, 1.0, 3.0]) * rng.standard_normal(n)
    far = X.copy()
    far[:, :free] += offset
    return (
        far,
        far - np.where(np.arange(d) < free, offset, 0.0),
        response,
        (np.arange(d) >= free).astype(float),
    )


@pytest.mark.parametrize("offset", [2.0**20, 2.0**26, 2.0**29, 2.0**32])
@pytest.mark.parametrize("ratio", [0.0, 1.0])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_array])
def test_what_is_called_converged_is_near_the_optimum(
    kind: Any, classes: int, ratio: float, offset: float
) -> None:
    for seed in range(90):
        X, near, response, weights = drawn(seed, offset)
        y = np.digitize(response, np.quantile(response, [0.4, 0.7][: classes - 1]))
        rng = np.random.default_rng(seed)
        C, tol = 10.0 ** rng.uniform(-6.0, 4.0), 10.0 ** -rng.integers(1, 9)
        model = LogisticRegression(
            C=C,
            l1_ratio=ratio,
            penalty_weights=weights,
            max_iter=int(rng.choice([1, 2, 3, 5, 50, 1000])),
        )
        found = model.set_params(tol=tol).fit(kind(X), y).certificate_
        best = model.set_params(tol=1e-10, max_iter=10000).fit(near, y).certificate_.primal
        null = C * len(y) * np.log(classes)
        if found.status == "converged":
            assert found.primal - best <= found.target * 1.001 + ROUNDING * offset * null, seed
