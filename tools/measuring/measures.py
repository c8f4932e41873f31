"""Measures of one source file, the same for both languages."""

import re
from dataclasses import dataclass

MAIN_LOOP = re.compile(r"main loop\b", re.IGNORECASE)


@dataclass(frozen=True)
class Function:
    """A function with a body: its lines of code, and whether a comment marks it as a main loop."""

    name: str
    line: int
    last_line: int
    code_lines: int
    main_loop: bool


@dataclass(frozen=True)
class Class:
    """A class with its own methods and fields, without inherited ones.

    ``parameters`` are the fields that hold an argument of the constructor unchanged; ``bases`` are
    the names of the base classes. Both are found in Python only.
    """

    name: str
    line: int
    methods: tuple[str, ...]
    fields: tuple[str, ...]
    bases: tuple[str, ...] = ()
    parameters: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Measures:
    """What a file holds. ``unparsed`` are lines whose declarations the parser does not understand.

    ``code_lines`` are the numbers of the lines that hold more than blanks, comments and docstrings.
    """

    code_lines: frozenset[int]
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    unparsed: tuple[int, ...] = ()


def is_main_loop(comments: dict[int, str], head: int, line: int) -> bool:
    """Whether a comment that starts with "main loop" stands at ``line`` or in the block above it.

    ``comments`` holds the text of every comment by its line, without the comment sign. ``head`` is
    the first line of the function, decorators and template parameters included; ``line`` is the one
    with its name. The comments above a function are those on the lines that end right above it.
    """
    texts = [comments.get(line, "")]
    above = head - 1
    while above in comments:
        texts.append(comments[above])
        above -= 1
    return any(MAIN_LOOP.match(text) for text in texts)


def code_between(code_lines: frozenset[int], first: int, last: int) -> int:
    """Return the number of lines of code from line ``first`` to line ``last``."""
    return sum(line in code_lines for line in range(first, last + 1))
