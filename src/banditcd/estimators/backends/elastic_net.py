"""The Lasso and elastic-net solver behind the estimators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import certificate_of
from banditcd.estimators.backends.solution import Solution, Watch
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.settings import Settings
from banditcd.solvers import ElasticNetSession, Path, Result

if TYPE_CHECKING:
    from banditcd.results import TraceRow


class ElasticNetBackend:
    """Solves one response by the fast solver, penalty after penalty."""

    def __init__(
        self,
        X: Any,
        y: Floats,
        sample_weight: Floats | None,
        columns: ColumnOptions,
        model: Settings,
        solves: int,
    ) -> None:
        self._model, self._columns = model, columns
        self._session = ElasticNetSession(
            X,
            y,
            fit_intercept=model.fit_intercept,
            sample_weight=sample_weight,
            penalty_weights=columns.penalty_weights,
            lower=columns.lower,
            upper=columns.upper,
            pool_bytes=model.pool_bytes,
            solves=solves,
            n_threads=model.n_threads,
        )

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""
        self._session.start_at(self._columns.clip(coef))

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        return self._session.largest_penalty() / self._model.l1_ratio

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty, warm-started."""
        if watch is not None or self._model.keep_history:
            return self._solve_by_bins(alpha, watch)
        result = self._bins(alpha, self._model.max_iter)
        return Solution(result.coef, result.intercept, certificate_of(result))

    def path(self, alphas: Floats) -> Path:
        """Minimize for every alpha in the order given, warm-started, in one native call."""
        ratio = self._model.l1_ratio
        return self._session.path(
            alphas * ratio,
            alphas * (1.0 - ratio),
            tol=self._model.tol,
            max_iter=self._model.max_iter,
        )

    def _bins(self, alpha: float, bins: int) -> Result:
        model = self._model
        l1, l2 = alpha * model.l1_ratio, alpha * (1.0 - model.l1_ratio)
        return self._session.solve(l1, l2, tol=model.tol, max_iter=bins)

    def _solve_by_bins(self, alpha: float, watch: Watch | None) -> Solution:
        """Solve one bin at a time and look at the point after each."""
        passes = seconds = 0.0
        rows: list[TraceRow] = []
        for bins in range(1, self._model.max_iter + 1):
            result = self._bins(alpha, 1)
            passes, seconds = passes + result.passes, seconds + result.seconds
            rows.append(_row(result, bins, passes, seconds))
            stopped = watch is not None and watch(result.coef, result.intercept)
            if result.status != "max_iter" or stopped:
                break
        if stopped and result.status == "max_iter":
            result.status = "stopped"
        result.passes, result.seconds, result.n_iter = passes, seconds, bins
        history = rows if self._model.keep_history else []
        return Solution(result.coef, result.intercept, certificate_of(result), history)


def _row(result: Result, bins: int, passes: float, seconds: float) -> TraceRow:
    """Return a row whose steps and epochs are bins; work counts entries / (2 nnz)."""
    from banditcd.results import TraceRow  # only histories need it

    return TraceRow(
        step=bins,
        epoch=float(bins),
        work=passes / 2.0,
        seconds=seconds,
        objective=result.primal,
        gap=result.gap,
        support=result.support,
        certificate_work=0.0,
    )
