"""Loops in step, and parts of the rows as weights."""

import threading

import numpy as np
import pytest

from banditcd.places import tasks
from banditcd.places.blocks import ArrayPlace
from banditcd.places.lockstep import in_step
from banditcd.places.place import one
from banditcd.places.rows import LocalRows
from banditcd.places.shares import RowShare, share_of

X = np.arange(12.0).reshape(6, 2)
Y = np.arange(6.0)


class CountedRows(LocalRows):
    def __init__(self, X):
        super().__init__(X)
        self.asked = []

    def run(self, requests):
        assert threading.current_thread() is threading.main_thread()
        self.asked.append(len(requests))
        return super().run(requests)


def places(number):
    return [ArrayPlace(X, Y + k) for k in range(number)]


def test_loops_share_trips_and_need_not_be_equally_long():
    rows = CountedRows(X)

    def work(k, place):
        return [float(one(place, tasks.spread, 0.0)[0][0]) for _ in range(k + 1)]

    found = in_step(rows, places(3), work)
    assert rows.asked == [3, 2, 1]
    assert found == [[float(np.sum((Y + k) ** 2))] * (k + 1) for k in range(3)]


@pytest.mark.parametrize("error", [ValueError("one"), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
def test_an_error_of_a_loop_ends_all(error):
    def work(k, place):
        one(place, tasks.spread, 0.0)
        if k == 1:
            raise error
        while True:
            one(place, tasks.spread, 0.0)

    with pytest.raises(type(error)):
        in_step(CountedRows(X), places(3), work)
    assert not [t for t in threading.enumerate() if t.name.startswith("banditcd-loop")]


def test_an_error_of_the_rows_ends_all():
    class Broken(LocalRows):
        def run(self, requests):
            raise OSError("the disk")

    with pytest.raises(OSError, match="the disk"):
        in_step(Broken(X), places(2), lambda k, place: one(place, tasks.spread, 0.0))
    assert not [t for t in threading.enumerate() if t.name.startswith("banditcd-loop")]


@pytest.mark.parametrize(
    ("chosen", "small"),
    [
        ([0, 1], True),
        ([4, 5], True),
        ([2, 3], True),
        ([0, 1, 4, 5], True),
        ([0, 1, 2, 3, 4, 5], True),
        ([5, 4, 1, 0], True),
        ([0, 2, 4], False),
        ([0, 0, 3], False),
    ],
    ids=str,
)
def test_shares_of_rows(chosen, small):
    share = share_of(np.array(chosen), 6)
    expected = np.bincount(chosen, minlength=6)
    assert (share.counts is None) == small
    np.testing.assert_array_equal(share.weights(6), expected)
    for begin in range(6):
        for end in range(begin, 7):
            part = share.part(begin, end).weights(end - begin)
            np.testing.assert_array_equal(part, expected[begin:end])


def test_a_share_without_rows_has_no_weight():
    assert RowShare(0, 0).weights(3).sum() == 0.0
