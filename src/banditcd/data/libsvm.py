"""LIBSVM text: `label [qid:n] index:value index:value ... [# comment]`, one sample a line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._core import LibsvmParser
from banditcd._typing import Floats
from banditcd.data.checks import check_matrix, check_vector
from banditcd.data.streams import MalformedFileError, name_of, open_for_writing, read_chunks

_LARGEST = int(np.iinfo(np.int32).max)
#: Without n_features, the columns of a file, and the columns per entry, that are believed.
_FEW_COLUMNS, _EMPTIEST = 10_000_000, 100


def read_libsvm(
    source: str | os.PathLike[str] | IO[bytes],
    n_features: int | None = None,
    *,
    progress: Callable[[int], None] | None = None,
) -> tuple[sparse.csr_matrix, Floats]:
    """Read a file of LIBSVM text, plain or compressed with bzip2, xz or gzip.

    The file is read as a stream. Indices must start at 1 and ascend within a line, numbers must be
    finite, blank lines and comments are skipped, query ids are checked and dropped. Numbers are
    rounded correctly: they have the same bits as Python's `float` of the same text. Zeros that are
    written out are kept as stored entries.

    Parameters
    ----------
    source : path or binary file
        A file object is read from where it stands and is left open.
    n_features : int, optional
        Number of columns; a larger index is an error. Default: the largest index in the file.
    progress : callable, optional
        Called with the bytes of plain text read so far, about once per MiB.

    Returns
    -------
    X : CSR matrix of shape (rows, n_features)
    y : ndarray of shape (rows,)

    Raises
    ------
    MalformedFileError
        With file, line and reason in one sentence.
    """
    columns = _check_columns(n_features)
    file = name_of(source)
    parser = LibsvmParser(columns)
    done = 0
    for chunk in read_chunks(source):
        if not parser.feed(np.frombuffer(chunk, dtype=np.uint8)):
            break
        done += len(chunk)
        if progress is not None:
            progress(done)
    if not parser.finish():
        raise MalformedFileError(file, parser.error_line, parser.error_reason)
    return _to_csr(parser, columns, file)


def _check_columns(n_features: int | None) -> int:
    if n_features is None:
        return 0
    columns = int(n_features)
    if columns != n_features or not 1 <= columns <= _LARGEST:
        raise ValueError(
            f"n_features is {n_features!r}; it must be a whole number from 1 to {_LARGEST}."
        )
    return columns


def _to_csr(parser: LibsvmParser, columns: int, file: str) -> tuple[sparse.csr_matrix, Floats]:
    y, indptr, indices, values = parser.take()
    if len(y) == 0:
        raise MalformedFileError(file, 0, "it holds no sample")
    if not columns and parser.largest_index > max(_FEW_COLUMNS, _EMPTIEST * len(indices)):
        reason = (
            f"its largest index is {parser.largest_index:,} and it has {len(indices):,} entries in "
            "all; if that is meant, read it with read_libsvm(file, n_features=...)"
        )
        raise MalformedFileError(file, 0, reason)
    columns = columns or parser.largest_index
    if columns == 0:
        raise MalformedFileError(file, 0, "no sample has a feature; n_features must say how many")
    X = as_csr(values, indices, indptr, (len(y), columns))
    return X, y


def as_csr(
    values: Floats,
    indices: npt.NDArray[Any],
    indptr: npt.NDArray[Any],
    shape: tuple[int, int],
) -> sparse.csr_matrix:
    """Wrap arrays whose indices ascend in every row as a CSR matrix, without copying entries."""
    if len(values) <= _LARGEST and indptr.dtype != np.int32:
        indptr = indptr.astype(np.int32)  # scipy wants one type; the entries are the larger array
    X = sparse.csr_matrix((values, indices, indptr), shape=shape, copy=False)
    X.has_sorted_indices = True
    X.has_canonical_format = True
    return X


def fits_csr(values: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> bool:
    """Whether arrays are a canonical CSR matrix of this shape: nothing is trusted, all is read."""
    rows, columns = shape
    kinds = values.dtype == np.float64, indices.dtype.kind == "i", indptr.dtype.kind == "i"
    if not all(kinds) or any(part.ndim != 1 for part in (values, indices, indptr)):
        return False
    if len(indptr) != rows + 1 or len(values) != len(indices):
        return False
    if indptr[0] != 0 or indptr[-1] != len(values) or np.any(np.diff(indptr) < 0):
        return False
    if len(indices) == 0:
        return True
    if indices.min() < 0 or indices.max() >= columns:
        return False
    falls = np.flatnonzero(np.diff(indices) <= 0) + 1  # allowed where a new row begins
    return bool(np.isin(falls, indptr).all())


def write_libsvm(path: str | os.PathLike[str], X: Any, y: Any) -> None:
    """Write a matrix and its labels as LIBSVM text, compressed if the name ends in .bz2, .xz, .gz.

    Every number is written with the fewest digits that read back as the same number.

    Parameters
    ----------
    path : path-like
        The file.
    X : array or sparse matrix of shape (n, d)
        The rows.
    y : array of shape (n,)
        Their labels.
    """
    rows = sparse.csr_matrix(check_matrix(X))
    labels = check_vector(y, rows.shape[0])
    with open_for_writing(Path(path)) as stream:
        for i, label in enumerate(labels.tolist()):
            part = slice(rows.indptr[i], rows.indptr[i + 1])
            entries = zip(rows.indices[part].tolist(), rows.data[part].tolist(), strict=True)
            words = [_shortest(label), *(f"{j + 1}:{_shortest(v)}" for j, v in entries)]
            stream.write(" ".join(words).encode() + b"\n")


def _shortest(value: float) -> str:
    text = repr(float(value))
    return text.removesuffix(".0")
