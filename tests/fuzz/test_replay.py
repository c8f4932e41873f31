"""The seed corpus, and seeded mutations of it, through every reader of untrusted bytes.

Counts, not seconds, so that a run can be repeated; a fifth of them takes about 5 s on a slow core,
and ``make test-full`` goes on to the last. The same readers are fuzzed with coverage guidance, for
longer, by ``make fuzz``.
"""

from __future__ import annotations

import pytest

from tests.fuzz.mutations import mutated, seeds
from tests.fuzz.targets import TARGETS

COUNTS = {
    "libsvm": 100_000,
    "decimal": 100_000,
    "csv": 10_000,
    "npz": 8_000,
    "npz_members": 1_000,
    "cache": 5_000,
    "model_json": 6_000,
    "model_npz": 5_000,
    "model_members": 1_000,
    "arrays": 40_000,
}
EVERYDAY = 5  # one in so many


@pytest.mark.parametrize("target", TARGETS)
def test_the_seed_corpus_is_read_or_refused(target: str) -> None:
    corpus = seeds(target)
    assert len(corpus) >= 3
    for content in corpus:
        TARGETS[target](content)


@pytest.mark.parametrize("step", [EVERYDAY, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("target", TARGETS)
def test_mutations_are_read_or_refused(target: str, step: int) -> None:
    corpus = seeds(target)
    for index in range(0, COUNTS[target], step):
        content = mutated(corpus, 0, index)
        try:
            TARGETS[target](content)
        except Exception as error:
            pytest.fail(f"input {index} of seed 0, {content[:200]!r}: {error!r}")
