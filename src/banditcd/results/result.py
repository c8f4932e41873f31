"""The record that ``minimize`` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from banditcd._typing import Floats
from banditcd.results.certificate import Certificate
from banditcd.results.picks import Picks
from banditcd.results.status import Status
from banditcd.results.trace import Trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Result:
    """The point that a run found, and its certificate.

    Attributes
    ----------
    x : ndarray
        The coordinates that were minimized over.
    coef : ndarray
        The model in primal terms: ``x`` itself for a primal cost, the weight vector the dual
        variables stand for otherwise.
    objective : float
        F(x), the cost that was minimized.
    certificate : Certificate
        Primal value, dual value and gap of the returned point.
    tolerance : float
        The gap the run was asked for, ``tol * null_objective``.
    status : Status
        Why the run ended.
    steps, epochs, work, seconds : counts
        Updates, updates / d, matrix entries touched by the method / (2 nnz), and its time.
    engine : str
        ``"compiled"`` or ``"reference"``.
    selector, update : str
        What ran.
    trace : Trace
        The recorded rows (empty if none were asked for).
    picks : Picks or None
        Every choice and its gain, if the selector was a ``selectors.Watched``.
    """

    x: Floats
    coef: Floats
    objective: float
    certificate: Certificate
    tolerance: float
    status: Status
    steps: int
    epochs: float
    work: float
    seconds: float
    engine: str
    selector: str
    update: str
    trace: Trace
    picks: Picks | None = None

    @property
    def gap(self) -> float:
        """Duality gap of the returned point, in units of the primal objective."""
        return self.certificate.gap

    @property
    def primal_objective(self) -> float:
        """Primal objective of the model ``coef``."""
        return self.certificate.primal

    @property
    def converged(self) -> bool:
        """Whether the gap reached the tolerance."""
        return self.status is Status.CONVERGED

    def plot(self) -> Figure:
        """Return a picture of the run: the gap and, with recorded picks, how the rule learned."""
        from banditcd.results.plot import plot_result

        return plot_result(self)

    def __repr__(self) -> str:
        """Return one short paragraph; the arrays are in their fields."""
        return (
            f"{self.status}: {self.status.sentence} objective {self.objective:.10g}, "
            f"gap {self.gap:.3g} (target {self.tolerance:.3g}) after {self.epochs:.4g} epochs, "
            f"{self.work:.4g} passes of work, {self.seconds:.3g} s "
            f"[{self.selector}, {self.update}, {self.engine}]"
        )

    def _repr_html_(self) -> str:
        from banditcd.results.notebook import result_html

        return result_html(self)
