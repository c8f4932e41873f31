"""LIBLINEAR by its own Python interface (the package liblinear-official).

The problem is converted to its linked nodes beforehand, untimed.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from liblinear.liblinearutil import parameter, problem, train
from scipy import sparse
from variant import Variant


class Primal(Variant):
    """Newton methods; coordinate descent in the primal for the L1 penalty."""

    loosest: ClassVar[float] = 1.0
    tightest: ClassVar[float] = 1e-14

    @cached_property
    def nodes(self) -> Any:
        """The data as LIBLINEAR stores them."""
        return problem(self.y, sparse.csr_matrix(self.X))

    def prepare(self, kind: str) -> None:
        _ = self.nodes  # converted now, not while a fit is timed

    def _solve(self, solver: int, C: float, tol: float) -> Any:
        options = parameter(f"-s {solver} -c {C:.17g} -e {tol:.17g} -B -1 -q")
        model = train(self.nodes, options)
        weights = np.ctypeslib.as_array(model.w, (self.d,)).copy()
        return weights * model.get_labels()[0]  # the first label seen is its positive class

    def _regress(self, solver: int, C: float, epsilon: float, tol: float) -> Any:
        words = f"-s {solver} -c {C:.17g} -p {epsilon:.17g} -e {tol:.17g} -B -1 -q"
        model = train(self.nodes, parameter(words))  # owns its weights
        return np.ctypeslib.as_array(model.w, (self.d,)).copy()

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        return self._solve(6, 1.0 / penalty, tol)

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._solve(0, C, tol)

    def svm_squared_hinge(self, C: float, tol: float) -> Any:
        return self._solve(2, C, tol)

    def svm_l1(self, penalty: float, tol: float) -> Any:
        return self._solve(5, 1.0 / penalty, tol)

    def svr_squared(self, C: float, epsilon: float, tol: float) -> Any:
        return self._regress(11, C, epsilon, tol)


class Dual(Primal):
    """Coordinate descent in the dual."""

    def refuses(self, kind: str) -> str:
        return "no dual solver" if kind in ("logistic_l1", "svm_l1") else ""

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._solve(7, C, tol)

    def svm_squared_hinge(self, C: float, tol: float) -> Any:
        return self._solve(1, C, tol)

    def svm_hinge(self, C: float, tol: float) -> Any:
        return self._solve(3, C, tol)

    def svr_squared(self, C: float, epsilon: float, tol: float) -> Any:
        return self._regress(12, C, epsilon, tol)

    def svr_linear(self, C: float, epsilon: float, tol: float) -> Any:
        return self._regress(13, C, epsilon, tol)


VARIANTS: dict[str, type[Variant]] = {"liblinear": Primal, "liblinear dual": Dual}
