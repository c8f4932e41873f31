"""The places of data sets: the user's directory, the cache, the network, in this order."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from banditcd.data.catalog import Entry, find
from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.download import DownloadError, Progress, download, file_digest
from banditcd.data.lock import locked
from banditcd.data.parsed import Parsed, read_cached
from banditcd.data.stand_ins import STAND_INS

DATA_VARIABLE = "BANDITCD_DATA"
CACHE_VARIABLE = "BANDITCD_CACHE"
_ENDINGS = (".svm.bz2", ".svm.xz", ".svm.gz", ".svm", "", ".bz2", ".xz", ".gz")


def data_directory() -> Path | None:
    """Return the directory of the environment variable BANDITCD_DATA, or None if it is not set."""
    text = os.environ.get(DATA_VARIABLE, "")
    if not text:
        return None
    path = Path(text).expanduser()
    if not path.is_dir():
        raise NotADirectoryError(
            f"{DATA_VARIABLE} is {text!r}, which is not a directory; correct it or unset it."
        )
    return path


def cache_directory() -> Path:
    """Return the directory of BANDITCD_CACHE, or the platform's place for caches."""
    text = os.environ.get(CACHE_VARIABLE, "")
    if text:
        return Path(text).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "banditcd" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "banditcd"
    base = os.environ.get("XDG_CACHE_HOME", "") or str(Path.home() / ".cache")
    return Path(base) / "banditcd"


def _downloads() -> Path:
    return cache_directory() / "files"


def locate(name: str) -> Path | None:
    """Return the file of a cataloged set if it is on this machine, else None.

    Parameters
    ----------
    name : str
        A name of the catalog.
    """
    entry = find(name)
    for directory in (data_directory(), _downloads()):
        if directory is None:
            continue
        for candidate in _candidates(entry):
            if (directory / candidate).is_file():
                return directory / candidate
    return None


def _candidates(entry: Entry) -> list[str]:
    """File names a set may have: its names with every ending, and the original's name."""
    names = [name + ending for name in entry.names for ending in _ENDINGS]
    return [*names, entry.file] if entry.file else names


def fetch(name: str, *, progress: Progress | None = None) -> Path:
    """Return the file of a cataloged set, downloading it if it is not on this machine.

    An interrupted download goes on where it stopped; two processes download a file once. The
    checksum is verified where the catalog knows it; where it does not, a warning says so.

    Parameters
    ----------
    name : str
        A name of the catalog.
    progress : callable, optional
        Called with the bytes so far and in all.
    """
    entry = find(name)
    found = locate(name)
    if found is not None:
        return found
    if not entry.url:
        raise FileNotFoundError(_what_to_do(entry, "it has no place to be downloaded from"))
    target = _downloads() / entry.file
    with locked(target.with_name(target.name + ".lock")):
        if not target.exists():  # else another process was faster
            try:
                download(entry.url, target, checksum=entry.checksum, progress=progress)
            except DownloadError as error:
                raise FileNotFoundError(_what_to_do(entry, str(error))) from error
    return target


def _what_to_do(entry: Entry, reason: str) -> str:
    here = data_directory()
    place = f"in {here} ({DATA_VARIABLE})" if here else f"in {DATA_VARIABLE} (not set)"
    stand_in = ""
    if entry.name in STAND_INS:
        stand_in = f" 'synthetic:{entry.name}' is a generated stand-in of the same shape."
    return (
        f"The data set {entry.name!r} is neither {place} nor in the cache {_downloads()}, and "
        f"{reason[0].lower()}{reason[1:].rstrip('.')}. Put the file, as {entry.name}.svm.bz2 "
        f"(or .svm.xz, .svm.gz, .svm), into a directory and set {DATA_VARIABLE} to it, "
        f"or put it into the cache; the set is described at {entry.page}.{stand_in}"
    )


def known_copy(entry: Entry, path: Path) -> str:
    """Return a remark on a file: which checked copy it is, by its checksum, or that it is none."""
    unknown = "not a checked copy"
    if not entry.checksum and not entry.copies:
        return unknown
    if entry.checksum:
        kind, _, expected = entry.checksum.partition(":")
        if file_digest(path, kind) == expected:
            return "the original file"
    digest = file_digest(path)
    for copy in entry.copies:
        if copy.sha256 == digest:
            return f"a checked copy, {copy.remark}" if copy.remark else "a checked copy"
    return unknown


def load_cataloged(name: str, *, progress: Progress | None = None) -> Dataset:
    """Load a set of the catalog, from wherever it is found first."""
    entry = find(name)
    path = fetch(name, progress=progress)
    X, y = _parsed(path, entry.columns)
    if X.shape[0] != entry.rows:
        raise ValueError(
            f"{path} has {X.shape[0]} rows, but {entry.name} has {entry.rows}; the file was cut or "
            "is another set. Replace it, or load it by its path."
        )
    source = f"{path.name}, {known_copy(entry, path)}; {entry.page}"
    return Dataset(entry.name, X, y, entry.task, partial=entry.partial, source=source)


def load_file(path: Path, n_features: int | None = None) -> Dataset:
    """Load a user's own file of LIBSVM text; the task is guessed from the labels."""
    X, y = _parsed(path, n_features)
    return Dataset(path.name, X, y, guess_task(y), source=path.name)


def _parsed(path: Path, n_features: int | None) -> Parsed:
    return read_cached(path, n_features, cache_directory() / "parsed")
