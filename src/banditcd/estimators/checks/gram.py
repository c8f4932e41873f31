"""A Gram matrix given as ``precompute``: whether it is that of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array

from banditcd._typing import Floats
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.moments import column_means, exact_product
from banditcd.estimators.checks.warning import warn_caller


def check_gram(gram: Any, data: Training, fit_intercept: bool) -> Floats | None:
    r"""Check that a matrix is :math:`X^\top S X`, weights S normalized to sum to n, and return it.

    None where there is none to use: whether to compute one is up to the solver, and one in float32
    is too rough for steps to a certificate, and computed anew. Beside an intercept it has to be
    that of centered columns; where the columns are not centered the matrix is of no use, as in
    scikit-learn, and a warning says so. One random combination v of the columns is compared,
    :math:`Gv = X^\top S X v`, which a wrong matrix passes with probability 0 and which costs two
    passes over X.
    """
    if isinstance(gram, (bool, str)):
        return None
    features = data.X.shape[1]
    gram = check_array(gram, dtype=[np.float64, np.float32], input_name="precompute")
    if gram.shape != (features, features):
        raise ValueError(
            f"precompute has shape {gram.shape}; the Gram matrix of these data has shape "
            f"{(features, features)}."
        )
    if fit_intercept and not np.allclose(column_means(data.X, data.sample_weight), 0.0):
        warn_caller(
            "Gram matrix was provided but X was centered to fit intercept: recomputing Gram "
            "matrix. Center X before its Gram matrix is computed.",
        )
        return None
    v = np.random.default_rng(0).standard_normal(features)
    image = exact_product(data.X, v[:, None])[:, 0]
    if data.sample_weight is not None:
        image *= data.sample_weight * (len(image) / data.sample_weight.sum())
    rough = gram.dtype == np.float32
    single = rough or data.X.dtype == np.float32
    gram = np.ascontiguousarray(gram, dtype=np.float64)
    found, true = gram @ v, _transposed(data.X, image)
    scale = np.abs(true) + float(np.linalg.norm(true)) / max(1.0, np.sqrt(features))
    wrong = np.abs(found - true) > (1e-4 if single else 1e-7) * scale + 1e-5
    if wrong.any():
        j = int(wrong.argmax())
        raise ValueError(
            "Gram matrix passed in via 'precompute' did not pass validation: it is not X.T @ X of "
            f"these data; row {j} times a random vector is {found[j]:.6g} and should be "
            f"{true[j]:.6g}."
        )
    return None if rough else np.asarray(gram)


def _transposed(X: Any, image: Floats) -> Floats:
    """Return X.T @ image in float64."""
    return np.asarray(X.T.astype(np.float64, copy=False) @ image)
