"""Files as streams of plain text, whatever they are compressed with."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import math
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

CHUNK = 1 << 20
#: Compressed data may unpack to this many bytes, or to this multiple of their size.
LEAST_LIMIT, LARGEST_RATIO = 4 << 30, 200
#: The environment variable that sets another limit, in bytes.
LIMIT_VARIABLE = "BANDITCD_UNPACK_LIMIT"


def _open_zstandard(raw: Any) -> Any:
    """Open zstandard data with pyarrow, which comes with the extra ``pandas``."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(
            "zstandard files need pyarrow: pip install 'banditcd[pandas]', or unpack it first."
        ) from error
    return pa.CompressedInputStream(raw, "zstd")


# How each kind of compressed data starts, what it is called, and how it is opened.
_KINDS: tuple[tuple[bytes, str, Callable[[Any], Any]], ...] = (
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMAFile),
    (b"\x1f\x8b", "gzip", lambda raw: gzip.GzipFile(fileobj=raw)),
    (b"\x28\xb5\x2f\xfd", "zstandard", _open_zstandard),
)
_UNSUPPORTED = (
    (b"PK\x03\x04", "zip files are not supported; unpack it first"),
    (b"7z\xbc\xaf", "7z files are not supported; unpack it first"),
    (b"\x93NUMPY", "it is a NumPy array; give it a name that ends in .npy"),
    (b"PAR1", "it is a Parquet file; give it a name that ends in .parquet"),
    (b"ARROW1", "it is a Feather file; give it a name that ends in .feather"),
)
_KIND_OF_SUFFIX = {".bz2": "bzip2", ".xz": "xz", ".gz": "gzip", ".zst": "zstandard"}


class MalformedFileError(ValueError):
    """A file that cannot be read: its name, the line (0 if there is none) and the reason."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        where = f"{file}, line {line}" if line else file
        super().__init__(f"{where}: {reason}.")
        self.file, self.line, self.reason = file, line, reason


class _Binary(io.RawIOBase):
    """Any object with a binary `read(size)` as a raw stream, so that it can be buffered."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._source.read(len(buffer))
        if not isinstance(data, bytes):
            raise TypeError("The file must be opened in binary mode (mode 'rb').")
        buffer[: len(data)] = data
        return len(data)


def name_of(source: str | os.PathLike[str] | IO[bytes]) -> str:
    """Return what a message calls this file."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    return str(getattr(source, "name", "the stream"))


@contextmanager
def _opened(source: str | os.PathLike[str] | IO[bytes]) -> Iterator[io.BufferedReader]:
    """Open a path, or wrap an open file without closing it."""
    if not isinstance(source, str | os.PathLike):
        yield io.BufferedReader(_Binary(source), CHUNK)
        return
    path = Path(source)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; a file of LIBSVM text is needed.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}.")
    with path.open("rb") as raw:
        yield raw


def _decompressed(raw: io.BufferedReader, file: str) -> tuple[str, IO[bytes]]:
    """Return the kind of compression, told by the first bytes, and the stream of plain text."""
    start = raw.peek(8)[:8]
    for magic, reason in _UNSUPPORTED:
        if start.startswith(magic):
            raise MalformedFileError(file, 0, reason)
    for magic, kind, opener in _KINDS:
        if start.startswith(magic):
            return kind, opener(raw)
    claimed = _KIND_OF_SUFFIX.get(Path(file).suffix)
    if claimed and start:
        raise MalformedFileError(
            file, 0, f"by its name it is a {claimed} file, but its content is not"
        )
    return "", raw


def read_chunks(source: str | os.PathLike[str] | IO[bytes]) -> Iterator[memoryview]:
    """Yield a file's plain text in pieces; each piece is valid until the next is asked for.

    Plain, bzip2, xz, gzip and zstandard data are told apart by their first bytes and decompressed
    as they are read. Cut or damaged data raise `MalformedFileError`.
    """
    file = name_of(source)
    buffer = memoryview(bytearray(CHUNK))
    with _opened(source) as raw:
        kind, text = _decompressed(raw, file)
        with closing(text) if kind else _left_open():
            left = _unpacked_limit(source) if kind else math.inf
            while size := _read_into(text, buffer, kind, file):
                left -= size
                if left < 0:
                    raise MalformedFileError(file, 0, _too_much(kind, _unpacked_limit(source)))
                yield buffer[:size]


def _unpacked_limit(source: str | os.PathLike[str] | IO[bytes]) -> float:
    """Return how many bytes compressed data may unpack to."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    if text:
        if not text.isdecimal():
            raise ValueError(f"{LIMIT_VARIABLE} is {text!r}; it must be a number of bytes.")
        return float(text)
    packed = Path(source).stat().st_size if isinstance(source, str | os.PathLike) else 0
    return float(max(LEAST_LIMIT, LARGEST_RATIO * packed))


def _too_much(kind: str, limit: float) -> str:
    return (
        f"its {kind} data unpack to more than {limit:,.0f} bytes; set {LIMIT_VARIABLE} to a larger "
        "number of bytes if that is meant"
    )


def check_unpacked(path: Path, kind: str, size: int) -> None:
    """Refuse a file that announces more bytes than its compressed data may unpack to."""
    limit = _unpacked_limit(path)
    if size > limit:
        raise MalformedFileError(os.fspath(path), 0, _too_much(kind, limit))


@contextmanager
def _left_open() -> Iterator[None]:
    yield


def _read_into(text: Any, buffer: memoryview, kind: str, file: str) -> int:
    try:
        return int(text.readinto(buffer))
    except EOFError as error:
        reason = f"the {kind} data end too early; the file was cut, get it again"
        raise MalformedFileError(file, 0, reason) from error
    except (lzma.LZMAError, zlib.error) as error:
        raise MalformedFileError(file, 0, f"the {kind} data are damaged ({error})") from error
    except OSError as error:
        if error.errno is not None:  # of the system: a disk, not the data
            raise
        raise MalformedFileError(file, 0, f"the {kind} data are damaged ({error})") from error


def open_for_writing(path: Path) -> IO[bytes]:
    """Open a file to write plain text to, compressed as the ending of its name says."""
    opener: dict[str, Callable[..., Any]] = {".bz2": bz2.open, ".xz": lzma.open, ".gz": gzip.open}
    stream: IO[bytes] = opener.get(path.suffix, open)(path, "wb")
    return stream
