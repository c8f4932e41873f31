"""Leave-one-out errors of a few penalties from a Cholesky factor of each."""

from __future__ import annotations

import numpy as np

from banditcd._typing import Floats
from banditcd.solvers.ridge.gram import Gram
from banditcd.solvers.ridge.rows import RidgeRows

#: Entries of a block of rows, and its least rows.
BLOCK_ENTRIES, BLOCK_ROWS = 1 << 17, 256


def by_factors(rows: RidgeRows, targets: Floats, l2s: Floats) -> Floats | None:
    r"""Return r_i / (1 - h_ii) for every penalty, row and target; None if a factor is not there.

    With :math:`(G + \lambda)^{-1} = R R^\top` of the columns, :math:`h_{ii} = s_i |R^\top x_i|^2 +
    s_i / \sum s` (the last term only with an intercept). Of the rows,
    :math:`S^{1/2} r = \lambda c` and :math:`1 - h_{ii} = \lambda (G + \lambda)^{-1}_{ii}` with
    :math:`c = (G + \lambda)^{-1} S^{1/2} y`; the direction that centered rows miss is taken out.
    """
    n, d = rows.shape
    wide = n < d
    if wide and rows.root is not None and not np.all(rows.root > 0.0):
        return None  # the rows' side does not know rows without weight
    gram = Gram(rows, wide=wide, solves=2)
    response = targets - rows.averages(targets)[:, None]
    out = np.empty((len(l2s), n, len(targets)))
    for k, l2 in enumerate(l2s.tolist()):
        inverse = gram.root_inverse(n * l2)
        if inverse is None:
            return None
        with rows.limited_blas(), np.errstate(divide="ignore", invalid="ignore"):
            if wide:
                out[k] = _rows_errors(rows, gram, inverse, n * l2, response).T
            else:
                _columns_errors(rows, inverse, response, out[k])
    return out


def _rows_errors(
    rows: RidgeRows, gram: Gram, inverse: Floats, lam: float, response: Floats
) -> Floats:
    root = np.ones(len(inverse)) if rows.root is None else rows.root
    dual = ((root * response) @ inverse) @ inverse.T
    diagonal = np.einsum("ij,ij->i", inverse, inverse)
    if rows.mean is not None:
        diagonal -= rows.unit**2 / (gram.typical + lam)
    errors: Floats = dual / root / diagonal
    return errors


def _columns_errors(rows: RidgeRows, inverse: Floats, response: Floats, out: Floats) -> None:
    n, d = rows.shape
    weighted = rows.weighted(response)
    sums = rows.combinations(weighted)
    if rows.mean is not None:
        sums -= np.outer(weighted.sum(axis=1), rows.mean)
    coef = (sums @ inverse) @ inverse.T
    weight = np.ones(n) if rows.weight is None else rows.weight
    size = max(BLOCK_ROWS, BLOCK_ENTRIES // d)
    for first in range(0, n, size):
        part = slice(first, first + size)
        block = rows.centered_block(part)
        leverage = weight[part] * np.square(block @ inverse).sum(axis=1)
        if rows.mean is not None:
            leverage += weight[part] / rows.total
        out[part] = (response[:, part].T - block @ coef.T) / (1.0 - leverage)[:, None]
