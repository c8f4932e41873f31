"""Generated data sets that follow from a text, such as the hash of a commit.

Nobody can have chosen a constant by them before the commit existed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Design:
    """A design of ``banditcd.data`` and the ranges that its numbers are drawn from.

    Attributes
    ----------
    name : str
        The design.
    smallest, largest : (rows, columns)
        Ends of the sizes, whose logarithm is drawn.
    option : str
        The design's own option.
    values : (low, high)
        Ends of the option.
    pattern : str
        How the option is printed.
    """

    name: str
    smallest: tuple[int, int]
    largest: tuple[int, int]
    option: str
    values: tuple[float, float]
    pattern: str = ".2f"

    def draw(self, rng: np.random.Generator, task: str) -> str:
        """Return the name of a set."""
        rows, columns = (
            int(np.exp(rng.uniform(np.log(low), np.log(high))))
            for low, high in zip(self.smallest, self.largest, strict=True)
        )
        value = rng.uniform(*self.values)
        return (
            f"synthetic:{self.name}(rows={rows}, columns={columns}, "
            f"{self.option}={value:{self.pattern}}, task='{task}', seed={rng.integers(2**31)})"
        )


def unseen_shapes(
    seed: str, designs: Sequence[Design], tasks: Sequence[str], count: int
) -> list[str]:
    """Return the names of ``count`` sets: the designs in turn, and the tasks in turn."""
    rng = np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))
    return [designs[k % len(designs)].draw(rng, tasks[k % len(tasks)]) for k in range(count)]
