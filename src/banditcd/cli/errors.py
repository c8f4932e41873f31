"""Mistakes of the user, told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says about a file that cannot be written into a sentence."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{path} could not be written: {error}.", FAILED) from error


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
    except MemoryError as error:
        raise UserError("The data do not fit into memory.", FAILED) from error
