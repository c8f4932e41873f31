"""Cells from rows: our time, the best peer's, and their ratio."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from benchmarks.peers.rows import Row

Clock = Literal["cpu", "wall"]

#: Ends the name of the variant of ours whose tolerance is searched like the peers'.
LOOSEST = ", loosest"


@dataclass(frozen=True)
class Cell:
    """Everybody's rows in one cell.

    Attributes
    ----------
    ours : Row or None
        Our row, reached or not; None if we were not run.
    proved : Row or None
        Our row at the tolerance that proves the target, often the same one.
    peers : tuple of Row
        The peers that reached the target, fastest first.
    others : tuple of Row
        The peers that did not, with their reasons.
    clock : {"cpu", "wall"}
        The time that is compared.
    """

    ours: Row | None
    proved: Row | None
    peers: tuple[Row, ...]
    others: tuple[Row, ...]
    clock: Clock

    @property
    def any(self) -> Row:
        """Some row, for what all rows of a cell share."""
        return next(row for row in (self.ours, *self.peers, *self.others) if row is not None)

    @property
    def reached(self) -> bool:
        """Whether we reached the target."""
        return self.ours is not None and self.ours.status == "ok"

    def against(self, names: Sequence[str]) -> Cell:
        """Return the cell with these peers only."""
        peers = tuple(row for row in self.peers if row.solver in names)
        return replace(self, peers=peers)

    def with_proof(self) -> Cell:
        """Return the cell with our time to a proof of the target."""
        return replace(self, ours=self.proved)

    @property
    def ratio(self) -> float | None:
        """Time of the best peer over ours; None if either of us is missing."""
        if not self.reached or not self.peers:
            return None
        assert self.ours is not None
        return seconds(self.peers[0], self.clock) / seconds(self.ours, self.clock)


def seconds(row: Row, clock: Clock) -> float:
    """Return the time of a row that has one."""
    value = row.cpu if clock == "cpu" else row.wall
    assert value is not None
    return value


def cells(rows: Iterable[Row], ours: Sequence[str], clock: Clock) -> list[Cell]:
    """Group rows; ``ours`` names our solvers, the one to be compared first if it was run.

    Peers that do not offer such a task, or are not meant for such data, are not listed.
    """
    groups: dict[tuple[str, str, str, float], dict[str, Row]] = {}
    for row in rows:
        groups.setdefault(row.cell, {})[row.solver] = row
    found = []
    for group in groups.values():
        mine = [group[name] for name in ours if name in group]
        tried = [r for r in mine if r.tol is not None or r.status.startswith("not reached")]
        peers = [row for name, row in group.items() if name not in ours]
        done = sorted((r for r in peers if r.status == "ok"), key=lambda r: seconds(r, clock))
        failed = [r for r in peers if r.status != "ok" and not r.status.startswith("not ")]
        missed = [r for r in peers if r.status.startswith("not reached")]
        first = next(iter(tried), None)
        proved = next((r for r in tried if not r.solver.endswith(LOOSEST)), None)
        found.append(Cell(first, proved, tuple(done), tuple(missed + failed), clock))
    return found


@dataclass(frozen=True)
class Summary:
    """Counts and quantiles of the ratio over cells."""

    cells: int
    compared: int
    won: int
    unopposed: int
    missed: int
    worst: float | None
    median: float | None
    best: float | None


def summarize(some: Sequence[Cell]) -> Summary:
    """A cell that no peer reaches counts as won and has no ratio; one without us is no miss."""
    ratios = sorted(cell.ratio for cell in some if cell.ratio is not None)
    unopposed = sum(cell.reached and not cell.peers for cell in some)
    return Summary(
        cells=len(some),
        compared=len(ratios),
        won=sum(ratio >= 1.0 for ratio in ratios) + unopposed,
        unopposed=unopposed,
        missed=sum(cell.ours is not None and not cell.reached for cell in some),
        worst=ratios[0] if ratios else None,
        median=statistics.median(ratios) if ratios else None,
        best=ratios[-1] if ratios else None,
    )
