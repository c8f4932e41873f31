"""One generator, the same stream in Python and in native code."""

import numpy as np
import pytest

from banditcd import _core
from banditcd.selectors import Rng, seed_from

SEEDS = [0, 1, 12345, 2**63, 2**64 - 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_both_engines_draw_the_same_stream(seed):
    python, native = Rng(seed), _core.Rng(seed)
    assert [python.bits() for _ in range(50)] == [native.bits() for _ in range(50)]
    assert [python.uniform() for _ in range(50)] == [native.uniform() for _ in range(50)]
    for n in (1, 2, 3, 7, 1000, 2**31 + 7, 2**32 - 1):
        assert [python.integer(n) for _ in range(20)] == [native.integer(n) for _ in range(20)]
    a, b = np.arange(100, dtype=np.int32), np.arange(100, dtype=np.int32)
    python.shuffle(a)
    native.shuffle(b)
    np.testing.assert_array_equal(a, b)
    assert sorted(a) == list(range(100))
    assert python.bits() == native.bits()


def test_the_generator_is_xoshiro256plusplus():
    """From the state 1, 2, 3, 4 the published generator begins with these numbers."""
    rng = Rng(0)
    rng._state = [1, 2, 3, 4]
    expected = [41943041, 58720359, 3588806011781223, 3591011842654386]
    assert [rng.bits() for _ in range(4)] == expected


@pytest.mark.parametrize("n", [3, 10, 37])
def test_bounded_integers_are_unbiased(n):
    rng, draws = _core.Rng(2024), 200 * n
    counts = np.bincount([rng.integer(n) for _ in range(draws)], minlength=n)
    chi_square = float(np.sum((counts - 200.0) ** 2 / 200.0))
    # Mean n - 1, deviation sqrt(2 (n - 1)); the seed is fixed, so this does not flicker.
    assert abs(chi_square - (n - 1)) < 4.0 * np.sqrt(2.0 * (n - 1))


def test_rejection_makes_a_range_just_above_half_unbiased():
    """Without it, a range of 3/4 of 2**32 would hit its multiples of 3 twice as often."""
    rng, n = _core.Rng(1), 3 * 2**30
    rest = np.bincount([rng.integer(n) % 3 for _ in range(6000)], minlength=3)
    assert np.all(np.abs(rest - 2000) < 200)


def test_uniform_numbers_fill_the_interval():
    rng = _core.Rng(3)
    numbers = np.array([rng.uniform() for _ in range(20000)])
    assert 0.0 <= numbers.min() < numbers.max() < 1.0
    counts, _ = np.histogram(numbers, bins=20, range=(0.0, 1.0))
    assert np.all(np.abs(counts - 1000) < 5 * np.sqrt(1000))


def test_shuffles_reach_every_order_equally():
    rng, counts = _core.Rng(5), {}
    for _ in range(2400):
        order = np.arange(4, dtype=np.int32)
        rng.shuffle(order)
        counts[tuple(order)] = counts.get(tuple(order), 0) + 1
    assert len(counts) == 24
    assert all(abs(count - 100) < 50 for count in counts.values())


def test_bad_ranges_and_seeds_are_refused():
    for n in (0, 2**32):
        with pytest.raises(ValueError, match=r"n must be in 1 .. 2\*\*32 - 1"):
            _core.Rng(0).integer(n)
    with pytest.raises(ValueError, match="must not be negative"):
        seed_from(-1)
    for bad in ("seed", 1.5, True):
        with pytest.raises(ValueError, match="use None, an integer, or a NumPy random generator"):
            seed_from(bad)
