"""Matrices in files, mapped and not loaded: .npy files and the members of uncompressed .npz files.

What comes out is a :class:`numpy.memmap`, which ``fit`` takes as it is: in memory if it is small,
and read in blocks if it is large.
"""

from __future__ import annotations

import os
import struct
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.data.npz import DAMAGED, map_array

#: Bytes of the fixed part of a local file header of a zip archive, and where its lengths are.
_HEADER, _LENGTHS = 30, 26


def mapped(path: str | os.PathLike[str], member: str = "X") -> np.memmap[Any, Any]:
    """Map a .npy file, or a member of an uncompressed .npz file.

    Parameters
    ----------
    path : path
        The file.
    member : str
        The array of an .npz file; ``numpy.savez`` writes files that can be mapped,
        ``numpy.savez_compressed`` does not.
    """
    path = Path(path)
    if path.suffix != ".npz":
        found = map_array(path)
        if not isinstance(found, np.memmap):
            raise ValueError(f"{path} is no .npy file of numbers that can be mapped.")
        return found
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        try:
            entry = archive.getinfo(f"{member}.npy")
        except KeyError as error:
            known = ", ".join(name.removesuffix(".npy") for name in archive.namelist())
            raise ValueError(f"{path} has no array {member}; it has {known}.") from error
        if entry.compress_type != zipfile.ZIP_STORED:
            raise ValueError(
                f"The array {member} of {path} is compressed and cannot be mapped; save it with "
                "numpy.save or numpy.savez."
            )
        file.seek(entry.header_offset + _LENGTHS)
        name_length, extra_length = struct.unpack("<HH", file.read(4))
        file.seek(entry.header_offset + _HEADER + name_length + extra_length)
        try:
            shape, fortran, dtype = _header(file)
        except DAMAGED as error:
            raise ValueError(f"The array {member} of {path} is damaged ({error}).") from error
        if dtype.hasobject:
            raise ValueError(f"The array {member} of {path} holds objects, not numbers.")
        flat = np.memmap(path, dtype, "r", offset=file.tell(), shape=shape[:: -1 if fortran else 1])
        return flat.T if fortran else flat


def _header(file: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return shape, order and type of the array that begins here; the data follow."""
    version = np.lib.format.read_magic(file)
    read = {(1, 0): np.lib.format.read_array_header_1_0}.get(
        version, np.lib.format.read_array_header_2_0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how a header is written, which is read or refused
        try:
            found: tuple[tuple[int, ...], bool, np.dtype[Any]] = read(file)
        except SystemError as error:  # what the tokenizer of Python 3.13 makes of some NUL bytes
            raise ValueError("its header is damaged") from error
    return found
