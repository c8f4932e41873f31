"""Tables from files and from standard input, whatever their format and compression."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import IO, Any

import numpy as np

from banditcd.data.delimited import DEFAULT_READING, Reading, parse_text
from banditcd.data.frames import Column, Frame, check_names
from banditcd.data.odd_numbers import has_rounded
from banditcd.data.streams import read_chunks

STANDARD_INPUT = "-"
_COMPRESSED = (".bz2", ".xz", ".gz", ".zst")
_KINDS = {
    ".csv": ".csv",
    ".tsv": ".csv",
    ".tab": ".csv",
    ".parquet": ".parquet",
    ".pq": ".parquet",
    ".feather": ".feather",
    ".arrow": ".feather",
    ".npz": ".npz",
}
_MAGIC = ((b"PAR1", ".parquet"), (b"ARROW1", ".feather"))
_LIBSVM = re.compile(rb"[-+.,\deE]+\s+\d+:\S")  # a label, and the first of its features


def kind_of(path: Path) -> str:
    """Return the kind of a table by the name of its file.

    ".csv" for delimited text, compressed too, ".parquet", ".feather", ".npz", or "" for everything
    else.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
        kind = _KINDS.get(suffixes[-1], "") if suffixes else ""
        return kind if kind == ".csv" else ""
    return _KINDS.get(suffixes[-1], "") if suffixes else ""


def kind_of_content(path: Path) -> str:
    """Return the kind of a file whose name says nothing: by its first bytes, "" for LIBSVM text."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        start = file.read(1 << 16)
    return _kind_of_start(start)


def read_frame(path: Path, reading: Reading = DEFAULT_READING) -> Frame:
    """Read every column of a table: delimited text, Parquet or Feather."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; a file is needed.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}.")
    kind = kind_of(path) or kind_of_content(path)
    if kind in (".parquet", ".feather"):
        return _read_columnar(path, str(path), kind)
    if reading.separator == "auto" and {".tsv", ".tab"} & {s.lower() for s in path.suffixes}:
        reading = Reading(reading.header, "tab", reading.decimal, reading.as_text)
    content = b"".join(bytes(chunk) for chunk in read_chunks(path))
    return parse_text(content, str(path), reading)


class StandardInput:
    """Everything that standard input holds, unpacked, and what kind of table it is."""

    def __init__(self, stream: IO[bytes] | None = None) -> None:
        source = stream or sys.stdin.buffer
        packed = source.read()
        if _kind_of_start(packed) in (".parquet", ".feather"):
            self.content, self.kind = packed, _kind_of_start(packed)
        else:
            self.content = b"".join(bytes(chunk) for chunk in read_chunks(io.BytesIO(packed)))
            self.kind = _kind_of_start(self.content, last=".csv")

    def frame(self, reading: Reading) -> Frame:
        """Return the table."""
        if self.kind == ".csv":
            return parse_text(self.content, "standard input", reading)
        return _read_columnar(io.BytesIO(self.content), "standard input", self.kind)


def _kind_of_start(start: bytes, last: str = "") -> str:
    """Return the kind of a file that starts like this; ``last`` if nothing tells."""
    for magic, kind in _MAGIC:
        if start.startswith(magic):
            return kind
    first = start.lstrip(b"\xef\xbb\xbf\r\n").partition(b"\n")[0]
    if _LIBSVM.match(first.lstrip()):
        return ""
    text = b"\0" not in first and bool(first.strip())
    return ".csv" if text and any(sign in first for sign in (b",", b";", b"\t")) else last


def _read_columnar(source: Any, title: str, kind: str) -> Frame:
    """Read Parquet or Feather with pandas and pyarrow."""
    try:
        import pandas as pd
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(
            f"{title} is a {kind[1:].title()} file, which needs pandas and pyarrow: "
            "pip install 'banditcd[pandas]'."
        ) from error
    try:
        table = pd.read_parquet(source) if kind == ".parquet" else pd.read_feather(source)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise ValueError(f"{title} is not a {kind[1:].title()} file ({error}).") from error
    if not table.shape[0] or not table.shape[1]:
        raise ValueError(f"{title} has no row or no column.")
    names = check_names([str(name) for name in table.columns], title)
    columns = [_column(table.iloc[:, j], names[j], title) for j in range(table.shape[1])]
    return Frame(title, tuple(columns), names)


def _column(values: Any, name: str, title: str) -> Column:
    """Return numbers, or words as they would stand in a text file."""
    from pandas.api import types

    if types.is_bool_dtype(values) or types.is_numeric_dtype(values):
        as_floats = np.asarray(values.to_numpy(dtype=np.float64, na_value=np.nan))
        # Long whole numbers keep their digits: they may be labels or identifiers.
        if not (types.is_integer_dtype(values) and has_rounded(as_floats)):
            return as_floats
    absent = values.isna().to_numpy()
    first = next((value for value, gone in zip(values, absent, strict=True) if not gone), None)
    if isinstance(first, list | dict | np.ndarray):
        raise ValueError(f"{name!r} of {title} holds lists; a column needs one value in each row.")
    text = ["" if gone else str(v).strip() for v, gone in zip(values, absent, strict=True)]
    return np.array(text, dtype=object)
