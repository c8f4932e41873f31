"""lightning (the package sklearn-contrib-lightning): coordinate descent; no paths."""

from __future__ import annotations

from typing import Any

from lightning.regression import CDRegressor
from variant import Variant


class Lightning(Variant):
    """``CDRegressor``."""

    def lasso(self, penalty: float, tol: float) -> Any:
        model = CDRegressor(
            loss="squared",
            penalty="l1",
            C=1.0,
            alpha=2.0 * penalty,  # its loss is not halved
            tol=tol,
            max_iter=1_000_000,
            random_state=0,
        )
        return model.fit(self.X, self.y).coef_.ravel()


VARIANTS: dict[str, type[Variant]] = {"lightning": Lightning}
