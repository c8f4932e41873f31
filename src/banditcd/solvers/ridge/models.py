"""The models of all targets at one penalty: coefficients, and what the data say about them."""

from __future__ import annotations

import math
import time

import numpy as np

from banditcd._typing import Floats
from banditcd.solvers.result import Result
from banditcd.solvers.ridge.rows import BLOCK, RidgeRows

#: What may be left of a correlation with an unpenalized column, relative to its terms.
ORTHOGONAL = 1e-9


class Models:
    r"""Coefficients of every target (a row each), with residuals, gradients and gaps of the data.

    The gradient is that of descent, :math:`X_c^\top S r - \lambda w`; all sums are over rows.
    Targets, and all that is linear in them, are in ``units`` (None: 1), which the results are not.
    """

    def __init__(
        self,
        rows: RidgeRows,
        targets: Floats,
        lam: float,
        tol: float,
        units: Floats | None = None,
    ) -> None:
        self.started = time.perf_counter()
        self.units = np.ones(len(targets)) if units is None else units
        self.rows, self.targets, self.lam, self.tol = rows, targets, lam, tol
        count = len(targets)
        self.average = rows.averages(targets)
        self.residual = targets - self.average[:, None]
        self.coef = np.zeros((count, rows.shape[1]))
        self.gradient = np.empty_like(self.coef)
        self.intercept = self.average.copy()
        self.loss = 0.5 * _row_sums(rows.weighted(self.residual), self.residual)
        self.target = tol * self.loss
        self.primal, self.gap = self.loss.copy(), self.loss.copy()
        self.passes, self.n_iter = np.zeros(count), np.zeros(count, dtype=int)
        self.status = ["stalled"] * count
        self.price = 0.0  # of the factor that all targets share
        self.rounded = False

    @property
    def converged(self) -> bool:
        """Whether every gap is at most its target."""
        return bool((self.gap <= self.target).all())

    def correlate(self) -> None:
        """The gradient of the null models; its gap may be better than their objective."""
        self.gradient = self.rows.combinations(self.rows.weighted(self.residual))
        self.passes += 1.0
        self._judge(slice(None))

    def start(self, k: int) -> None:
        """The gradient of one null model."""
        self.gradient[k] = self.rows.transposed_times(self.rows.weighted(self.residual[k]))
        self.passes[k] += 1.0
        self._judge(slice(k, k + 1))

    def move(self, coef: Floats) -> None:
        """Take these coefficients: residuals, gradients and gaps from the data."""
        self.coef, self.rounded = coef, False
        self.intercept = self.average - self.rows.centers(coef)
        if len(coef) < BLOCK or self.rows.is_sparse:
            for k in range(len(coef)):
                self._read(k)
        else:
            self._read_all()
        self.passes += 1.0
        self.gradient -= self.lam * coef
        self._judge(slice(None))

    def move_one(self, k: int, coef: Floats) -> None:
        """The same for one target."""
        self.coef[k] = coef
        self.intercept[k] = self.average[k] - self.rows.center(coef)
        self._read(k)
        self.passes[k] += 1.0
        self.gradient[k] -= self.lam * coef
        self._judge(slice(k, k + 1))

    def round(self, coef: Floats) -> None:
        """Take coefficients rounded to single precision; what is certified is what is returned.

        A dual value bounds the objective of every model. Without a penalty that of the models
        before rounding is needed: residuals of the rounded ones are not orthogonal to X.
        """
        if self.lam == 0.0:
            self.move(coef)
        dual = self.primal - self.gap
        self.move(_single(coef, self.units[:, None]))
        self.rounded = True
        rounded = _single(self.intercept, self.units)
        worse = 0.5 * self.rows.total * (rounded - self.intercept) ** 2
        self.intercept = rounded
        self.primal = self.primal + worse
        self.gap = np.fmin(self.gap + worse, np.fmax(self.primal - dual, 0.0))

    def results(self, regimes: list[str]) -> list[Result]:
        """The outcome, one for each target; each took its share of the time."""
        n, count = self.rows.shape[0], len(self.targets)
        seconds = (time.perf_counter() - self.started) / count
        one_pass = self.rows.native.costs[2]
        out = []
        for k, regime in enumerate(regimes):
            status = "converged" if self.gap[k] <= self.target[k] else self.status[k]
            if status == "stalled" and self.lam == 0.0:
                status = "uncertified"
            unit = float(self.units[k])
            coef = self.coef[k] if count > 1 else self.coef.reshape(-1)
            out.append(
                Result(
                    coef=coef if unit == 1.0 else unit * coef,
                    intercept=unit * float(self.intercept[k]),
                    primal=float(self.primal[k]) / n * unit * unit,
                    gap=float(self.gap[k]) / n * unit * unit,
                    target=float(self.target[k]) / n * unit * unit,
                    status=status,
                    regime=regime,
                    passes=float(self.passes[k]),
                    n_iter=int(self.n_iter[k]),
                    seconds=seconds,
                    pool_size=self.rows.shape[1],
                    support=int(np.count_nonzero(coef)),
                    work=float(self.passes[k]) * one_pass + self.price / count,
                )
            )
        return out

    def _read(self, k: int) -> None:
        """Residual, correlation and loss of one target, with the best intercept."""
        rows, gradient, residual = self.rows, self.gradient[k], self.residual[k]
        model = self.coef[k], float(self.intercept[k])
        loss, excess = rows.data.residual(self.targets[k], model, None, residual, gradient)
        if rows.mean is not None:
            shift = excess / rows.total
            self.intercept[k] += shift
            residual -= shift
            gradient -= excess * rows.mean
            loss -= 0.5 * excess * shift
        self.loss[k] = loss

    def _read_all(self) -> None:
        """The same for all targets, by products of X with all of them."""
        rows = self.rows
        self.residual = self.targets - self.intercept[:, None] - rows.products(self.coef)
        if rows.mean is not None:
            shift = rows.averages(self.residual)
            self.intercept += shift
            self.residual -= shift[:, None]
        weighted = rows.weighted(self.residual)
        self.loss = 0.5 * _row_sums(weighted, self.residual)
        self.gradient = rows.combinations(weighted)
        if rows.mean is not None:
            self.gradient -= np.outer(weighted.sum(axis=1), rows.mean)

    def _judge(self, which: slice) -> None:
        """Objective and gap of some targets; the dual point is the residual, or zero."""
        coef, gradient, loss = self.coef[which], self.gradient[which], self.loss[which]
        with np.errstate(over="ignore", invalid="ignore"):  # infinite is right for what overflows
            primal = loss + 0.5 * _row_sums(self.lam * coef, coef)
            if self.lam > 0.0:  # divided first: a square that underflows would claim no gap
                share = gradient / math.sqrt(2.0 * self.lam)
                gap = _row_sums(share, share)
            else:
                terms = self.rows.scale * np.sqrt(2.0 * loss)[:, None]
                gap = np.abs(_row_sums(coef, gradient))
                parallel = np.any(np.abs(gradient) > ORTHOGONAL * terms, axis=1)
                gap[parallel & (loss > 0.0)] = math.inf
        self.primal[which] = primal
        self.gap[which] = np.fmin(gap, primal)


def _row_sums(left: Floats, right: Floats) -> Floats:
    """The dot product of each row of one with that of the other."""
    out: Floats = (left * right).sum(axis=1)
    return out


def _single(values: Floats, units: Floats) -> Floats:
    """Values rounded to what single precision holds once they are out of their units."""
    with np.errstate(over="ignore", under="ignore"):
        return (values * units).astype(np.float32).astype(np.float64) / units
