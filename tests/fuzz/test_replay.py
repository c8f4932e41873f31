"""The seed corpus, and seeded mutations of it, through every reader of untrusted bytes.

Counts, not seconds, so that a run can be repeated; about 20 s in all on a slow core. The same
readers are fuzzed with coverage guidance, for longer, by ``make fuzz``.
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


@pytest.mark.parametrize("target", TARGETS)
def test_the_seed_corpus_is_read_or_refused(target: str) -> None:
    corpus = seeds(target)
    assert len(corpus) >= 3
    for content in corpus:
        TARGETS[target](content)


@pytest.mark.parametrize("target", TARGETS)
def test_mutations_are_read_or_refused(target: str) -> None:
    corpus = seeds(target)
    for index in range(COUNTS[target]):
        content = mutated(corpus, 0, index)
        try:
            TARGETS[target](content)
        except Exception as error:
            pytest.fail(f"input {index} of seed 0, {content[:200]!r}: {error!r}")
