"""The court of a claim: the rows, the rules, and one reading of the paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from banditcd.experiments.paper.configuration import Configuration, ProblemSpec
from banditcd.experiments.paper.ledger import Ledger
from banditcd.experiments.paper.measure import Evidence
from banditcd.experiments.paper.readings import Reading, as_read, own_reading
from banditcd.experiments.paper.rules import Rules
from banditcd.experiments.paper.worker import TARGET


@dataclass
class Court:
    """Judges under one reading, on the paper's own sets or on what stands in for them."""

    configuration: Configuration
    evidence: Evidence
    ledger: Ledger
    reading: Reading
    real: bool = True

    @property
    def rules(self) -> Rules:
        """The rules of judging."""
        return self.configuration.rules

    def problems(self, figure: int, *costs: str) -> list[str]:
        """Return the problems of a figure and of some costs that were posed."""
        return self._posed(
            spec for spec in self.configuration.of_figure(figure) if not costs or spec.cost in costs
        )

    def columns(self) -> list[str]:
        """Return the columns of table 1 that were posed."""
        return self._posed(map(self.configuration.problem, self.configuration.table1))

    def read(self, problem: str) -> str:
        """Return the name in the rows of a problem of the configuration, as it is read here."""
        spec = self.configuration.problem(problem)
        return as_read(self.configuration, spec, self.reading).key

    def is_judged(self, problem: str) -> bool:
        """Whether a problem is there and of the kind that is judged here."""
        row = self.evidence.problems.get(problem)
        return row is not None and row.is_real == self.real

    def title(self, problem: str) -> str:
        """Return how a problem is printed."""
        return self.evidence.problems[problem].title

    def target(self, problem: str, accuracy: str) -> float:
        """Return a suboptimality: the paper's e^-5, or 1e-6 relative to P0."""
        if accuracy == "paper":
            return TARGET
        return 1e-6 * self.evidence.problems[problem].null_objective

    def _posed(self, specs: Iterable[ProblemSpec]) -> list[str]:
        keys = [as_read(self.configuration, spec, self.reading).key for spec in specs]
        return [key for key in dict.fromkeys(keys) if self.is_judged(key)]


def configured(configuration: Configuration, cost: str | None = None) -> Reading:
    """Return the reading that the figures show: that of the first problem (of a cost)."""
    return next(own_reading(s) for s in configuration.problems if cost in (None, s.cost))
