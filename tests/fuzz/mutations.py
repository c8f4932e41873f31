"""Seeded mutations of a corpus: input k of a seed is the same on every machine."""

from __future__ import annotations

import random
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
#: Numbers and words at which readers of text and arrays have their corners.
WORDS = (
    *(b"0", b"-0", b"-1", b"1e308", b"1e309", b"4.9e-324", b"2.47e-324", b"nan", b"inf"),
    *(b"2147483647", b"2147483648", b"9223372036854775808", b"1" * 400, b"0." + b"0" * 330 + b"1"),
    *(b"qid:", b":", b"#", b"\n", b"\r\n", b"\r", b"\x00", b",", b'"', b"null", b"[]", b"{}"),
    *(b"true", b"\xef\xbb\xbf", b"\xff", b"\x7f", b"\x80", b"../../x", b"[" * 2000),
)


def seeds(target: str) -> list[bytes]:
    """Return the committed inputs of a target, by name."""
    return [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]


def mutated(corpus: list[bytes], seed: int, index: int) -> bytes:
    """Return input ``index`` of a seed: one to eight changes of a member of the corpus."""
    rng = random.Random(f"{seed}-{index}")
    content = bytearray(rng.choice(corpus))
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _change(content, corpus, rng)
    return bytes(content[:20000])


def _change(content: bytearray, corpus: list[bytes], rng: random.Random) -> None:
    place = rng.randrange(len(content) + 1)
    length = rng.choice((1, 1, 2, 4, 8, 16, 64))
    kind = rng.randrange(7)
    if kind == 0 and place < len(content):
        content[place] ^= 1 << rng.randrange(8)
    elif kind == 1 and place < len(content):
        content[place] = rng.randrange(256)
    elif kind == 2:
        content[place:place] = rng.choice(WORDS)
    elif kind == 3:
        del content[place : place + length]
    elif kind == 4:
        content[place:place] = content[place : place + length]
    elif kind == 5:
        other = rng.choice(corpus)
        start = rng.randrange(len(other) + 1)
        content[place : place + length] = other[start : start + length]
    else:
        content[place : place + length] = rng.choice(WORDS)
