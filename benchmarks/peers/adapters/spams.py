"""SPAMS (the package spams-bin): LARS, exact, dense data only; no paths."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import spams
from variant import THREADS, Variant


class Lars(Variant):
    """``spams.lasso`` in penalty mode."""

    exact: ClassVar[bool] = True

    def refuses(self, kind: str) -> str:
        return "dense data only" if self.sparse else ""

    def lasso(self, penalty: float, tol: float) -> Any:
        target = np.asfortranarray(self.y[:, None])
        coef = spams.lasso(
            target, D=self.X, lambda1=penalty, mode=spams.PENALTY, numThreads=THREADS
        )
        return coef.toarray().ravel()


VARIANTS: dict[str, type[Variant]] = {"SPAMS LARS": Lars}
