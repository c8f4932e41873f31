"""Readers of untrusted bytes as functions of bytes: they end quietly, or the reader has a fault.

A refusal is a ValueError (OverflowError, where a number is too large). What is accepted is checked
against a slow reading of the same bytes, or against the promises of the format.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from banditcd import _core
from banditcd.cli.model_file import read_model, write_model
from banditcd.data import parsed
from banditcd.data.libsvm import fits_csr
from banditcd.data.tables import read_csv, read_npz
from tests.fuzz.mutations import seeds

SCRATCH = Path(tempfile.mkdtemp(prefix="banditcd-fuzz-"))


def _written(name: str, content: bytes) -> Path:
    path = SCRATCH / name
    path.write_bytes(content)
    return path


def _taken(content: bytes, cut: int) -> Any:
    """The arrays of a text fed in two pieces, or the line that was refused and why."""
    parser = _core.LibsvmParser(0)
    text = np.frombuffer(content, dtype=np.uint8)
    _ = parser.feed(text[:cut]) and parser.feed(text[cut:])
    if not parser.finish():
        return parser.error_line, parser.error_reason
    return parser.take()


def libsvm(content: bytes) -> None:
    """The LIBSVM reader: the same whatever the pieces, and what Python's float reads."""
    whole = _taken(content, 0)
    pieces = _taken(content, len(content) // 2)
    if len(whole) == 2:
        assert whole == pieces
        assert whole[1]
        return
    for one, other in zip(whole, pieces, strict=True):
        assert one.tobytes() == other.tobytes()
    labels, starts, indices, values = whole
    assert len(starts) == len(labels) + 1
    if len(labels):
        width = int(indices.max(initial=0)) + 1
        assert fits_csr(values, indices, starts, (len(labels), width))
    slow_labels, slow_entries = _slow(content)
    assert labels.tolist() == slow_labels
    assert list(zip((indices + 1).tolist(), values.tolist(), strict=True)) == slow_entries


def _slow(content: bytes) -> tuple[list[float], list[tuple[int, float]]]:
    labels, entries = [], []
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        words = line.partition(b"#")[0].split()
        if not words:
            continue
        labels.append(float(words[0]))
        pairs = [word.partition(b":") for word in words[1:]]
        entries += [(int(index), float(value)) for index, _, value in pairs if index != b"qid"]
    return labels, entries


def decimal(content: bytes) -> None:
    """Decimal numbers: refused, or the bits of Python's float."""
    text = content.decode("latin-1").partition("\x00")[0][:400]
    with suppress(ValueError):
        value = _core.parse_decimal(text)
        assert value.hex() == float(text).hex(), text


def csv(content: bytes) -> None:
    """Tables: a rectangle of numbers and as many names, all different."""
    with suppress(ValueError):
        table = read_csv(_written("table.csv", content))
        assert table.values.ndim == 2
        assert len(table.names) in (0, table.values.shape[1])
        assert len(set(table.names)) == len(table.names)


def npz(content: bytes) -> None:
    """Files of arrays: no pickle, and a sparse matrix whose parts fit."""
    with suppress(ValueError):
        X, _ = read_npz(_written("arrays.npz", content))
        if sparse.issparse(X):
            X.check_format(full_check=True)


def cache(content: bytes) -> None:
    """The binary cache, one of its files replaced: as if it were not there, or a whole matrix."""
    names = ("facts.json", "y.npy", "values.npy", "indices.npy", "indptr.npy")
    folder = SCRATCH / "cache"
    if not folder.exists():
        X = sparse.random_array(
            (12, 9), density=0.3, format="csr", random_state=np.random.default_rng(0)
        )
        X.sort_indices()
        parsed._write(folder, (X, np.arange(12.0)))
    file = folder / names[content[0] % len(names) if content else 0]
    before = file.read_bytes()
    file.write_bytes(content[1:])
    try:
        found = parsed._open(folder)
    finally:
        file.write_bytes(before)
    if found is not None and sparse.issparse(found[0]):
        X, y = found
        assert fits_csr(X.data, X.indices, X.indptr, X.shape)
        assert y.shape == (X.shape[0],)
        assert np.isfinite(X @ np.ones(X.shape[1])).all() or not np.isfinite(X.data).all()


def _model(path: Path) -> None:
    with suppress(ValueError):
        model = read_model(path)
        assert model.coef.shape[1] == model.n_features
        model.coef.check_format(full_check=True)
        again = SCRATCH / f"again{path.suffix}"
        write_model(model, again)
        second = read_model(again)
        assert (second.coef != model.coef).nnz == 0
        np.testing.assert_array_equal(second.intercept, model.intercept)


def model_json(content: bytes) -> None:
    """Model files of JSON: refused, or a model that survives being written."""
    _model(_written("model.json", content))


def model_npz(content: bytes) -> None:
    """Model files of arrays."""
    _model(_written("model.npz", content))


def _one_member(target: str, content: bytes) -> bytes:
    """Return a seed of a target in which one member of the archive is replaced.

    The checksums are right, which changes of the archive itself are not: so the change reaches what
    reads the member. Two bytes say the archive and the member.
    """
    archive, member = content[:2].ljust(2, b"\x00")
    archives = [seed for seed in seeds(target) if seed.startswith(b"PK")]
    made = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(archives[archive % len(archives)])) as old,
        zipfile.ZipFile(made, "w") as new,
    ):
        names = old.namelist()
        for name in names:
            new.writestr(
                name, content[2:] if name == names[member % len(names)] else old.read(name)
            )
    return made.getvalue()


def model_members(content: bytes) -> None:
    """Model files of arrays, one of the arrays replaced."""
    model_npz(_one_member("model_npz", content))


def npz_members(content: bytes) -> None:
    """Files of arrays, one of the arrays replaced."""
    npz(_one_member("npz", content))


def arrays(content: bytes) -> None:
    """The native boundary: arrays of a compressed matrix that may lie about each other.

    Five bytes say the storage, the width and the lengths; the others are the entries.
    """
    form, wide, starts, indices, values = content[:5].ljust(5, b"\x00")
    entries = np.frombuffer(content[5:].ljust(3, b"\x01"), dtype=np.int8)
    indptr = np.resize(entries, starts % 24).astype(np.int64)
    if form & 4:
        indptr = np.sort(np.abs(indptr))
        indptr[:1] = 0
    index = np.resize(entries[::-1], indices % 64).astype(np.int32)
    if form & 8 and wide:
        index = np.abs(index) % wide
    data = np.resize(entries, values % 64).astype(np.float32 if form & 2 else np.float64)
    kind = _core.Rows if form & 1 else _core.Columns
    try:
        made = kind(data, index, indptr, wide)
    except ValueError:
        return
    count = len(indptr) - 1
    index, data = index[: indptr[-1]], data[: indptr[-1]]  # more than indptr says is allowed
    stored = sparse.csr_array((data, index, indptr), shape=(count, wide))
    stored.check_format(full_check=True)
    assert made.shape == ((count, wide) if form & 1 else (wide, count))
    if form & 1:
        out = np.empty(count)
        made.times(np.ones(wide), out)
        np.testing.assert_allclose(out, stored.toarray().sum(axis=1))
        back = np.empty(wide)
        made.transposed_times(np.ones(count), back)
        np.testing.assert_allclose(back, stored.toarray().sum(axis=0))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "libsvm": libsvm,
    "decimal": decimal,
    "csv": csv,
    "npz": npz,
    "cache": cache,
    "model_json": model_json,
    "npz_members": npz_members,
    "model_npz": model_npz,
    "model_members": model_members,
    "arrays": arrays,
}
