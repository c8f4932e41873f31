"""Several loops on the same rows, in step: what they ask for at a time costs one reading of X.

The folds of a cross-validation are such loops: the same rows with other weights. Each loop runs in
a thread of its own and waits whenever it asks its place for sums; when all of them wait, the
calling thread asks the rows for everything at once. Loops that have ended are not waited for. So a
search over K folds takes about as many trips to a cluster, or readings of a file, as the longest
of its loops. The order of the requests is that of the loops: the same input gives the same bits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from banditcd.places.place import Job, Place, Rows, Traffic

Outcome = TypeVar("Outcome")


class AbandonedError(Exception):
    """The calling thread has given up: a loop that waits for sums ends."""


class LockstepPlace:
    """A place whose sums are fetched together with those of other loops."""

    def __init__(self, place: Place, meeting: Meeting) -> None:
        self.place, self._meeting = place, meeting
        self.shape: tuple[int, int] = place.shape
        self.gathers, self.whole, self.readings = place.gathers, place.whole, place.readings

    @property
    def traffic(self) -> Traffic:
        """What this loop asked for."""
        return self.place.traffic

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Wait until all loops want sums, and return those of this one."""
        return self._meeting.ask(self, jobs)


class Meeting:
    """Where loops leave requests, and the calling thread leaves answers."""

    def __init__(self, loops: int) -> None:
        self._changed = threading.Condition()
        self._running = loops
        self._requests: dict[LockstepPlace, tuple[Job, ...]] = {}
        self._answers: dict[LockstepPlace, list[tuple[Any, ...]]] = {}
        self._given_up = False

    def ask(self, place: LockstepPlace, jobs: tuple[Job, ...]) -> list[tuple[Any, ...]]:
        """Leave a request and wait for its answer."""
        with self._changed:
            self._requests[place] = jobs
            self._changed.notify_all()
            self._changed.wait_for(lambda: place in self._answers or self._given_up)
            if self._given_up:
                raise AbandonedError
            return self._answers.pop(place)

    def leave(self) -> None:
        """Say that a loop has ended."""
        with self._changed:
            self._running -= 1
            self._changed.notify_all()

    def requests(self) -> dict[LockstepPlace, tuple[Job, ...]]:
        """Wait until all loops that run have asked, and return what they want; nothing: the end."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._requests) == self._running)
            found, self._requests = self._requests, {}
            return found

    def answer(self, answers: dict[LockstepPlace, list[tuple[Any, ...]]]) -> None:
        """Hand out sums."""
        with self._changed:
            self._answers |= answers
            self._changed.notify_all()

    def give_up(self) -> None:
        """Let every loop end when it next asks."""
        with self._changed:
            self._given_up = True
            self._changed.notify_all()


class _Loop(threading.Thread, Generic[Outcome]):
    """One loop, and how it ended."""

    def __init__(
        self, work: Callable[[int, Place], Outcome], number: int, place: Any, meeting: Meeting
    ) -> None:
        super().__init__(name=f"banditcd-loop-{number}", daemon=True)
        self._work, self._number, self._place, self._meeting = work, number, place, meeting
        self.outcome: list[Outcome] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.outcome.append(self._work(self._number, self._place))
        except BaseException as error:  # handed to the calling thread
            self.error = error
        finally:
            self._meeting.leave()


def in_step(
    rows: Rows,
    places: Sequence[Place],
    work: Callable[[int, Place], Outcome],
    report: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Return ``work(k, place)`` of every place, run in step; the first error ends all of them.

    ``report`` is told the rounds so far and the number of loops that run.
    """
    meeting = Meeting(len(places))
    stepping = [LockstepPlace(place, meeting) for place in places]
    loops = [_Loop(work, k, place, meeting) for k, place in enumerate(stepping)]
    for loop in loops:
        loop.start()
    rounds = 0
    try:
        while wanted := meeting.requests():
            _check(loops)
            order = [place for place in stepping if place in wanted]
            asked = [(place, job) for place in order for job in wanted[place]]
            found = iter(rows.run([(place.place, job) for place, job in asked]))
            meeting.answer({place: [next(found) for _ in wanted[place]] for place in order})
            rounds += 1
            if report is not None:
                report(rounds, len(order))
        _check(loops)
    finally:
        meeting.give_up()
        for loop in loops:
            loop.join()
    return [loop.outcome[0] for loop in loops]


def _check(loops: list[_Loop[Any]]) -> None:
    for loop in loops:
        if loop.error is not None:
            raise loop.error
