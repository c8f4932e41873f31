"""The argmax and sampling structures against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditcd import _core

SIZES = [1, 2, 3, 7, 8, 9, 31, 64, 100]
values = st.one_of(
    st.just(0.0), st.floats(0.0, 1e3), st.sampled_from([1.0, 5e-324, 1e-300, 1e300, 0.5, 2.0])
)
changes = st.lists(st.tuples(st.integers(0, 10**6), values), max_size=40)
careful = settings(deadline=None, derandomize=True, max_examples=60)


def sized(draw, size):
    return np.array(draw(st.lists(values, min_size=size, max_size=size)))


@careful
@given(st.data(), st.sampled_from(SIZES), changes)
def test_the_tournament_finds_the_first_largest(data, size, sequence):
    numbers = sized(data.draw, size)
    tree = _core.parts.ArgmaxTree(numbers)
    assert (tree.argmax(), tree.largest()) == (int(np.argmax(numbers)), numbers.max())
    for i, value in sequence:
        numbers[i % size] = value
        tree.set(i % size, value)
        assert tree.largest() == numbers.max()
        assert tree.argmax() == int(np.argmax(numbers))


@careful
@given(st.data(), st.sampled_from(SIZES), changes)
def test_the_bucket_queue_is_within_its_factor(data, size, sequence):
    numbers = sized(data.draw, size)
    queue = _core.parts.BucketQueue(numbers)
    for i, value in [(0, numbers[0]), *sequence]:
        numbers[i % size] = value
        queue.set(i % size, value)
        assert queue.empty() == (not numbers.any())
        if numbers.any():
            assert numbers[queue.argmax()] * np.sqrt(2.0) * (1.0 + 1e-15) >= numbers.max()


def test_an_empty_bucket_queue_has_no_argmax():
    with pytest.raises(ValueError, match="every value is zero"):
        _core.parts.BucketQueue(np.zeros(3)).argmax()
    queue = _core.parts.BucketQueue(np.ones(3))
    queue.assign(np.array([0.0, 2.0]))  # a smaller set forgets the larger one
    assert queue.argmax() == 1


@pytest.mark.parametrize("size", SIZES)
def test_the_sampling_tree_inverts_the_cumulative_sum(size):
    rng = np.random.default_rng(size)
    weights = rng.integers(0, 5, size).astype(float)  # exact sums
    weights[rng.integers(size)] = 3.0
    tree = _core.parts.SamplingTree(weights)
    for _ in range(30):
        sums = np.cumsum(weights)
        assert tree.total() == sums[-1]
        for u in [0.0, 0.5, 1.0 - 2.0**-53, *rng.random(10)]:
            expected = int(np.searchsorted(sums, u * sums[-1], side="right"))
            assert tree.draw(u) == min(expected, int(np.flatnonzero(weights)[-1]))
        i = int(rng.integers(size))
        weights[i] = float(rng.integers(1, 5))
        tree.set(i, weights[i])
    tree.scale(0.5)
    assert tree.total() == 0.5 * weights.sum()


def test_the_sampling_tree_never_draws_a_zero_weight_in_spite_of_rounding():
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = np.where(rng.random(33) < 0.7, 0.0, 10.0 ** rng.uniform(-12, 3, 33))
        if not weights.any():
            continue
        tree = _core.parts.SamplingTree(weights)
        for u in [0.0, 1.0 - 2.0**-53, *rng.random(5)]:
            assert weights[tree.draw(u)] > 0.0


@pytest.mark.parametrize("name", ["ArgmaxTree", "SamplingTree", "BucketQueue"])
def test_indices_are_checked(name):
    structure = getattr(_core.parts, name)(np.ones(3))
    for i in (-1, 3):
        with pytest.raises(IndexError, match="out of range"):
            structure.set(i, 1.0)
    with pytest.raises(ValueError, match="at least one value"):
        getattr(_core.parts, name)(np.zeros(0))
