"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file beside the target; it takes the target's place when the block ends well.

    Whatever ends the block early leaves the target as it was, and nothing beside it.

    Parameters
    ----------
    path : Path
        The target, in a directory that is there.
    mode : {"w", "wb"}
        Text is UTF-8 with the line ends as given.
    """
    text: dict[str, Any] = {} if "b" in mode else {"newline": "", "encoding": "utf-8"}
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, mode, **text) as file:
            yield file
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check_target(path: Path, option: str, *read: str | Path | None) -> None:
    """Check, before any work, that a file can be written where an option names it.

    It would take the place of what is there; a file that the same command reads is refused.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{option} {path} is a directory; name a file.")
    if path.exists() and any(other and _is_same(path, other) for other in read):
        raise ValueError(f"{option} {path} would replace a file that is read; name another one.")
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{option} {path}: there is no directory {folder}; make it first.")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{option} {path}: the directory {folder} cannot be written to.")


def _is_same(path: Path, other: str | Path) -> bool:
    """Whether two names are one file."""
    try:
        return path.samefile(other)
    except OSError:  # no file: the name of a data set or of a column, however long
        return False
