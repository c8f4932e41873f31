"""The project's own small random generator, the same stream in both engines."""

from __future__ import annotations

import secrets
from typing import Protocol

import numpy as np
import numpy.typing as npt

_MASK = (1 << 64) - 1


class RandomSource(Protocol):
    """Random draws that a selector may make."""

    def integer(self, n: int) -> int:
        """Draw from 0..n-1, all equally likely."""

    def uniform(self) -> float:
        """Draw from [0, 1)."""

    def shuffle(self, values: npt.NDArray[np.int32]) -> None:
        """Permute in place."""


class Rng:
    """xoshiro256++ seeded by splitmix64 (Blackman & Vigna, 2019), in plain Python.

    The compiled engine has the same generator; a test compares the streams.

    Parameters
    ----------
    seed : int
        64 bits.
    """

    def __init__(self, seed: int) -> None:
        self._state = []
        z = seed & _MASK
        for _ in range(4):
            z = (z + 0x9E3779B97F4A7C15) & _MASK
            mixed = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
            self._state.append(mixed ^ (mixed >> 31))

    def bits(self) -> int:
        """Draw 64 random bits."""
        a, b, c, d = self._state
        out = (_rotate((a + d) & _MASK, 23) + a) & _MASK
        shifted = (b << 17) & _MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        self._state = [a, b, c, _rotate(d, 45)]
        return out

    def uniform(self) -> float:
        """Draw from [0, 1) with 53 bits."""
        return (self.bits() >> 11) * 2.0**-53

    def integer(self, n: int) -> int:
        """Draw from 0..n-1 by Lemire's multiply-and-reject on 32 bits (n < 2**32)."""
        product = (self.bits() >> 32) * n
        if product & 0xFFFFFFFF < n:
            threshold = (1 << 32) % n
            while product & 0xFFFFFFFF < threshold:
                product = (self.bits() >> 32) * n
        return product >> 32

    def shuffle(self, values: npt.NDArray[np.int32]) -> None:
        """Fisher-Yates, from the end."""
        for last in range(len(values) - 1, 0, -1):
            other = self.integer(last + 1)
            values[last], values[other] = values[other], values[last]


def _rotate(value: int, by: int) -> int:
    return ((value << by) | (value >> (64 - by))) & _MASK


def seed_from(random_state: object) -> int:
    """Return a 64-bit seed from None, an int, or a NumPy generator.

    Parameters
    ----------
    random_state : None, int, RandomState or Generator
        None draws a fresh seed.
    """
    if random_state is None:
        return secrets.randbits(64)
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state is {random_state}; it must not be negative.")
        return int(random_state) & _MASK
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, _MASK, dtype=np.uint64, endpoint=True))
    if isinstance(random_state, np.random.RandomState):
        high, low = random_state.randint(0, 2**32, size=2, dtype=np.uint64)
        return (int(high) << 32) | int(low)
    raise ValueError(
        f"random_state is {random_state!r}; use None, an integer, or a NumPy random generator."
    )
