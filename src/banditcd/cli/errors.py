"""Mistakes of the user, told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

MISTAKE = 2
FAILED = 1
UNFINISHED = 3
INTERRUPTED = 130


class UserError(Exception):
    """Something the user can put right; ``status`` becomes the exit status of the command."""

    def __init__(self, message: str, status: int = MISTAKE) -> None:
        super().__init__(message)
        self.status = status


@contextmanager
def checking_input() -> Iterator[None]:
    """Turn the errors that checks of the input raise into user errors.

    To be put around checks and loading only, so that a bug in the work itself is not mistaken
    for a mistake of the user.
    """
    try:
        yield
    except BrokenPipeError:  # an OSError too, but about our output
        raise
    except (ValueError, TypeError, OSError, ImportError) as error:
        raise UserError(str(error)) from error
