"""Small blocks that lie on one worker: one task works on all of them.

A task costs a scheduler and its workers a few milliseconds, whatever it does. Groups follow the
blocks: where a round shows that a group was worked on elsewhere, blocks have moved, and groups are
made anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

#: Bytes of the blocks of a group: a task needs all of its blocks in memory at once.
GROUP_BYTES = 1 << 27


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks by number, and the worker they lie on (empty: not known)."""

    blocks: tuple[int, ...]
    home: str = ""


def alone(blocks: Iterable[int]) -> list[Group]:
    """Return one group for every block."""
    return [Group((k,)) for k in blocks]


def by_home(client: Any, numbers: list[int], blocks: list[Any]) -> list[Group]:
    """Return groups of blocks that lie together, at least one for every thread of a worker."""
    homes = client.who_has(blocks)
    sizes = client.nbytes([block.key for block in blocks], summary=False)
    threads = client.nthreads()
    lying: dict[str, list[tuple[int, int]]] = {}
    groups: list[Group] = []
    for k, block in zip(numbers, blocks, strict=True):
        found = sorted(home for home in homes.get(block.key, ()) if home in threads)
        if found:
            lying.setdefault(found[0], []).append((k, int(sizes.get(block.key, GROUP_BYTES))))
        else:
            groups.append(Group((k,)))
    for home, members in lying.items():
        groups += [Group(part, home) for part in _cut(members, threads[home])]
    return sorted(groups, key=lambda group: group.blocks)


def _cut(members: list[tuple[int, int]], threads: int) -> list[tuple[int, ...]]:
    """Cut numbered sizes into parts below the limit, about alike, one for each thread or more."""
    limit = min(GROUP_BYTES, -(-sum(size for _, size in members) // threads))
    parts: list[list[int]] = []
    room = 0
    for k, size in members:
        if not parts or size > room:
            parts.append([])
            room = limit
        parts[-1].append(k)
        room -= size
    return [tuple(part) for part in parts]
