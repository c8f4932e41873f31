"""Fits of celer and skglm under the judge: ``make twins`` installs both; skipped elsewhere."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from banditcd import verify

N, P = 50, 16
RNG = np.random.default_rng(3)
X = RNG.normal(size=(N, P)) * (RNG.random((N, P)) < 0.6)
Y = 2.0 * X[:, 0] - X[:, 3] + RNG.normal(size=N) + 3.0
TWO = (Y > 3.0).astype(int)
WEIGHTS = RNG.uniform(0.5, 2.0, P)

CASES: list[tuple[str, str, dict[str, Any], Any]] = [
    ("celer", "Lasso", {"alpha": 0.1}, Y),
    ("celer", "Lasso", {"alpha": 0.1, "fit_intercept": False}, Y),
    ("celer", "Lasso", {"alpha": 0.1, "positive": True}, Y),
    ("celer", "Lasso", {"alpha": 0.1, "weights": WEIGHTS}, Y),
    ("celer", "ElasticNet", {"alpha": 0.1, "l1_ratio": 0.4}, Y),
    ("celer", "ElasticNet", {"alpha": 0.1, "l1_ratio": 0.4, "weights": WEIGHTS}, Y),
    ("celer", "LogisticRegression", {"C": 0.5, "fit_intercept": False}, TWO),
    ("skglm", "Lasso", {"alpha": 0.1}, Y),
    ("skglm", "Lasso", {"alpha": 0.1, "fit_intercept": False}, Y),
    ("skglm", "Lasso", {"alpha": 0.1, "positive": True}, Y),
    ("skglm", "ElasticNet", {"alpha": 0.1, "l1_ratio": 0.4}, Y),
    ("skglm", "SparseLogisticRegression", {"alpha": 0.02}, TWO),
    ("skglm", "SparseLogisticRegression", {"alpha": 0.02, "l1_ratio": 0.3}, TWO),
]


@pytest.mark.parametrize("storage", ["dense", "csc"])
@pytest.mark.parametrize(("package", "kind", "options", "y"), CASES)
def test_fits_are_near_the_optimum_of_the_objective_we_read(
    package: str, kind: str, options: dict[str, Any], y: Any, storage: str
) -> None:
    library = pytest.importorskip(package, reason="make twins installs it")
    data = sparse.csc_matrix(X) if storage == "csc" else np.asfortranarray(X)
    model = getattr(library, kind)(tol=1e-10, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(data, y)
    seen = verify(model, data, y)
    assert -seen.rounding <= seen.gap <= 1e-6 * seen.objective, seen.sentence
    model.coef_ = np.asarray(model.coef_) + 0.05
    assert verify(model, data, y).gap > 1e-4 * seen.objective


@pytest.mark.parametrize(
    ("package", "kind"),
    [("celer", "LassoCV"), ("celer", "GroupLassoCV"), ("skglm", "MCPRegression")],
)
def test_other_models_of_theirs_are_refused_by_name(package: str, kind: str) -> None:
    library = pytest.importorskip(package, reason="make twins installs it")
    with pytest.raises(TypeError, match=rf"does not know {package}\.{kind}"):
        verify(object.__new__(getattr(library, kind)), X, Y)  # by its class, before any attribute
