"""Arrays from untrusted files: plain numbers and words, no pickle, no more bytes than announced."""

from __future__ import annotations

import lzma
import math
import sys
import tokenize
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from banditcd.data.streams import check_unpacked

#: What zipfile and NumPy raise for damaged files; the last three come from damaged headers of
#: arrays, which NumPy reads with Python's own tokenizer and parser.
DAMAGED = (
    ValueError,
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
    OverflowError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    SyntaxError,
    TypeError,
    tokenize.TokenError,
)


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read every array of an ``.npz`` file.

    Raises ValueError for anything that is not one, for objects, and for arrays whose announced
    size differs from what the archive holds: nothing is allocated before that is known.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            check_unpacked(path, "zip", sum(member.file_size for member in members))
            return {m.filename.removesuffix(".npy"): _read_member(archive, m) for m in members}
    except DAMAGED as error:
        raise ValueError(f"it is not a file of plain NumPy arrays ({error})") from error


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    with archive.open(member) as file:
        size, kind = _announced(file)
        if kind.hasobject:
            raise ValueError(
                f"{member.filename} holds Python objects; save words as .astype(str) makes them"
            )
        if file.tell() + size != member.file_size:
            raise ValueError(f"{member.filename} announces {size} bytes and has others")
    with archive.open(member) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same about the header
        array: npt.NDArray[Any] = npy.read_array(file, allow_pickle=False)
    if array.dtype.kind == "U" and not _is_text(array):
        raise ValueError(f"{member.filename} holds characters that do not exist")
    return array


def _is_text(words: npt.NDArray[Any]) -> bool:
    """Whether all characters exist; of others Python makes no string, but a SystemError."""
    if words.nbytes == 0:
        return True
    codes = np.dtype(np.uint32).newbyteorder(words.dtype.byteorder)
    return bool(np.frombuffer(words.tobytes(), dtype=codes).max() <= sys.maxunicode)


def _announced(file: Any) -> tuple[int, np.dtype[Any]]:
    """Return the bytes that follow a header, and their type."""
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    version = npy.read_magic(file)
    if version not in readers:
        raise ValueError(f"arrays of version {version} are not supported")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how a header is written, which is read or refused
        try:
            shape, _, kind = readers[version](file)
        except SystemError as error:  # what the tokenizer of Python 3.13 makes of some NUL bytes
            raise ValueError("the header of an array is damaged") from error
    if any(length < 0 for length in shape):
        raise ValueError("an array has a negative length")
    return math.prod(shape) * kind.itemsize, kind


def map_array(path: Path) -> npt.NDArray[Any]:
    """Map an ``.npy`` file into memory, read-only; ValueError for anything that is not one."""
    try:
        with path.open("rb") as file:
            size, kind = _announced(file)
            if kind.hasobject or file.tell() + size != path.stat().st_size:
                raise ValueError("its header does not fit its length")
        array: npt.NDArray[Any] = np.load(path, mmap_mode="r" if size else None)
    except DAMAGED as error:
        raise ValueError(f"{path} is not a plain NumPy array ({error})") from error
    return array
