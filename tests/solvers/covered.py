"""Storages, models and regimes of the fast solvers that the instances of their laws cover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from tests.solvers import problems

STORAGES: dict[str, Callable[[np.ndarray], Any]] = {
    "C64": np.ascontiguousarray,
    "F64": np.asfortranarray,
    "C32": lambda X: np.ascontiguousarray(X, dtype=np.float32),
    "F32": lambda X: np.asfortranarray(X, dtype=np.float32),
    "CSR64": sparse.csr_matrix,
    "CSC64": sparse.csc_array,
    "CSR32": lambda X: sparse.csr_array(X.astype(np.float32)),
    "CSC32": lambda X: sparse.csc_matrix(X.astype(np.float32)),
}

MODELS: dict[str, type[problems.Problem]] = {
    "lasso": problems.ElasticNet,
    "elastic_net": problems.ElasticNet,
    "logistic": problems.Logistic,
    "l1_svm": problems.L1Svm,
    "l2_logistic": problems.L2Logistic,
    "multinomial": problems.Multinomial,
    "l2_multinomial": problems.L2Multinomial,
    "ridge": problems.Ridge,
    "hinge": problems.Svm,
    "squared_hinge": problems.Svm,
    "epsilon_insensitive": problems.Svr,
    "squared_epsilon_insensitive": problems.Svr,
    "multi_task": problems.Blocks,
    "group_lasso": problems.Blocks,
    "group_logistic": problems.Blocks,
}
CLASSIFIERS = {"group_logistic", "logistic", "l1_svm", "l2_logistic", "hinge", "squared_hinge"}

#: Every regime that a model has; the list of cases must reach each of them.
_COLUMNS = {"null", "pool", "residual"}
_ROWS = {"null", "descent", "newton", "descent_then_newton", "gram"}
_HINGE = {"null", "descent", "proximal_newton", "descent_then_newton", "gram"}
REGIMES: dict[str, set[str]] = {
    "lasso": _COLUMNS | {"whole_gram", "crowd"},
    "elastic_net": _COLUMNS | {"whole_gram", "crowd"},
    "logistic": _COLUMNS,
    "l1_svm": _COLUMNS,
    "l2_logistic": {"newton", "newton_cg", "row_space", "dual_descent"},
    "multinomial": _COLUMNS,
    "l2_multinomial": {"quasi_newton"}
    | {f"newton_{kind}" for kind in ("diagonal", "shared", "blocks", "coupled")},
    "ridge": {"normal_equations", "dual_gram", "singular_values", "cg", "least_squares"},
    "hinge": _HINGE,
    "squared_hinge": _ROWS,
    "epsilon_insensitive": _HINGE,
    "squared_epsilon_insensitive": _ROWS,
    "multi_task": _COLUMNS,
    "group_lasso": _COLUMNS,
    "group_logistic": _COLUMNS,
}
