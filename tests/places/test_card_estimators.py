"""Estimators on arrays of a GPU, with a NumPy double of CuPy in its place.

The double's arrays are NumPy's under another name, so that every branch for arrays on a card runs;
that the kernels themselves are right is measured by ``python -m benchmarks.gpu``.
"""

import numpy as np
import pytest

from banditcd import Lasso, LinearSVC, LogisticRegression, Ridge
from tests.places.doubles import Array

RNG = np.random.default_rng(5)
X = RNG.standard_normal((200, 20))
Y = X[:, :4] @ RNG.standard_normal(4) + RNG.standard_normal(200)
LABELS = (Y > 0.0).astype(int)
MODELS = [
    (Lasso(0.05, tol=1e-9), Y),
    (Ridge(2.0, tol=1e-10), Y),
    (LogisticRegression(l1_ratio=1.0, C=0.2, tol=1e-9), LABELS),
    (LogisticRegression(C=0.2, tol=1e-10), LABELS),
    (LinearSVC(C=0.1, tol=1e-10), LABELS),
]


@pytest.mark.parametrize(("model", "y"), MODELS, ids=lambda part: str(part)[:40])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_answer_is_that_of_memory(cupy, model, y, weighted):
    weight = RNG.random(200) + 0.5 if weighted else None
    here = type(model)(**model.get_params()).fit(X, y, sample_weight=weight)
    there = type(model)(**model.get_params())
    there.fit(
        cupy.asarray(X),
        cupy.asarray(y),
        sample_weight=None if weight is None else cupy.asarray(weight),
    )
    np.testing.assert_allclose(np.asarray(there.coef_), here.coef_, atol=1e-4)
    assert there.certificate_.converged
    assert there.certificate_.rounds > 0
    assert isinstance(there.coef_, Array)
    np.testing.assert_allclose(there.predict(X), here.predict(X), atol=1e-3)
    assert there.sparse_coef_.shape == (1, 20)
    found = there.predict(cupy.asarray(X))
    assert isinstance(found, Array)
    np.testing.assert_allclose(np.asarray(found), here.predict(X), atol=1e-3)
    assert there.score(cupy.asarray(X), cupy.asarray(y)) == pytest.approx(
        here.score(X, y), abs=0.01
    )


def test_values_that_are_not_finite_are_refused(cupy):
    bad = X.copy()
    bad[3, 4] = np.inf
    with pytest.raises(ValueError, match="not finite"):
        Lasso().fit(cupy.asarray(bad), cupy.asarray(Y))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_coefficients_have_the_type_of_x(cupy, dtype):
    model = LogisticRegression(C=0.2).fit(cupy.asarray(X, dtype=dtype), cupy.asarray(LABELS))
    assert isinstance(model.intercept_, Array)
    assert model.coef_.dtype == model.intercept_.dtype == dtype
    again = model.set_params(warm_start=True).fit(X, LABELS)
    assert type(again.coef_) is np.ndarray
