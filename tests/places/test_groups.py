"""Groups of small blocks that lie on one worker."""

from types import SimpleNamespace

import pytest

from banditcd.places.groups import GROUP_BYTES, Group, alone, by_home

MB = 1 << 20


class Cluster:
    """What a client says about keys: where they lie, and their sizes."""

    def __init__(self, homes, sizes, threads):
        self._homes, self._sizes, self._threads = homes, sizes, threads

    def who_has(self, blocks):
        return {block.key: self._homes[block.key] for block in blocks}

    def nbytes(self, keys, summary):
        assert not summary
        return dict.fromkeys(keys, self._sizes)

    def nthreads(self):
        return self._threads


def grouped(homes, size=MB, threads=None):
    keys = list(homes)
    cluster = Cluster(homes, size, threads or {"a": 1, "b": 1})
    return by_home(cluster, list(range(len(keys))), [SimpleNamespace(key=key) for key in keys])


def test_blocks_of_a_worker_are_one_group():
    homes = {"0": ["a"], "1": ["b"], "2": ["a"], "3": ["b", "a"]}
    assert grouped(homes) == [Group((0, 2, 3), "a"), Group((1,), "b")]


def test_a_group_for_every_thread():
    groups = grouped({str(k): ["a"] for k in range(6)}, threads={"a": 3})
    assert [group.blocks for group in groups] == [(0, 1), (2, 3), (4, 5)]


def test_large_blocks_stay_alone():
    """A task has all of its blocks in memory, so workers that spill must not be asked for more."""
    groups = grouped({str(k): ["a"] for k in range(4)}, size=GROUP_BYTES // 2 + 1)
    assert [group.blocks for group in groups] == [(0,), (1,), (2,), (3,)]


@pytest.mark.parametrize("homes", [[], ["gone"]])
def test_a_lost_block_is_alone(homes):
    assert grouped({"0": ["a"], "1": homes}) == [Group((0,), "a"), Group((1,))]


def test_at_first_every_block_is_alone():
    assert alone([0, 3]) == [Group((0,)), Group((3,))]
