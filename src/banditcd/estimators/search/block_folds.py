"""One fold of a search over models with blocks: fit a path, measure it on the other rows."""

from __future__ import annotations

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.blocks import BlockBackend, BlockPath
from banditcd.estimators.checks.groups import Blocks
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.fold_errors import FoldErrors, rows_of
from banditcd.estimators.search.splits import Fold


def block_fold_errors(
    data: Training, fold: Fold, blocks: Blocks, settings: LinearSettings, alphas: Floats
) -> FoldErrors:
    """Return the mean squared test error, over all responses, at every alpha."""
    path = BlockBackend(rows_of(data, fold.train), blocks, settings).path(alphas, len(alphas))
    missed = [certificate for certificate in path.certificates if not certificate.converged]
    used = path.coefs.any(axis=0) if path.coefs.ndim == 3 else path.coefs
    errors = _errors(path, rows_of(data, fold.test))
    return FoldErrors(errors, np.count_nonzero(used, axis=0), len(alphas), missed)


def _errors(path: BlockPath, held_out: Training) -> Floats:
    coefs = np.atleast_3d(path.coefs) if path.coefs.ndim == 3 else path.coefs[None]
    intercepts = np.atleast_2d(path.intercepts)
    y = held_out.y.reshape(len(held_out.y), -1)
    used = np.flatnonzero(coefs.any(axis=(0, 2)))
    X = held_out.X[:, used]
    out = np.empty(coefs.shape[2])
    for k in range(out.size):
        residual = y - intercepts[:, k] - X @ coefs[:, used, k].T
        each = np.mean(np.asarray(residual) ** 2, axis=1)
        out[k] = np.average(each, weights=held_out.sample_weight)
    return out
