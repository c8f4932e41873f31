"""Files that lie: damaged caches, bombs, indices that name absent columns, double names."""

import bz2
import contextlib
import dataclasses
import gzip
import json
import lzma
import os
import time
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from banditcd.data.libsvm import fits_csr, read_libsvm
from banditcd.data.loading import load
from banditcd.data.store import load_file
from banditcd.data.streams import LIMIT_VARIABLE, MalformedFileError
from banditcd.data.tables import read_csv, read_npz

TEXT = b"1 1:0.5 3:2\n-1 2:1\n1 1:1 2:3 3:4\n" + b"1 5:1\n" * 7


@pytest.fixture
def parsed(tmp_path, cache):
    """A parsed file, and the folder of its arrays."""
    path = tmp_path / "some.svm"
    path.write_bytes(TEXT)
    mapped = load_file(path)
    expected = dataclasses.replace(mapped, X=mapped.X.copy(), y=mapped.y.copy())
    (folder,) = [p for p in (cache / "parsed").iterdir() if p.is_dir()]
    return path, expected, folder


def overwrite(file, change):
    array = np.load(file)
    array = change(array.copy())
    np.save(file, array)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("indices", lambda a: np.where(np.arange(len(a)) == 1, 2**30, a).astype(a.dtype)),
        ("indices", lambda a: np.where(np.arange(len(a)) == 0, -1, a).astype(a.dtype)),
        ("indices", lambda a: a[::-1].copy()),
        ("indptr", lambda a: np.where(np.arange(len(a)) == 1, 10**6, a).astype(a.dtype)),
        ("indptr", lambda a: np.where(np.arange(len(a)) == 2, -5, a).astype(a.dtype)),
        ("values", lambda a: a.astype(np.int64)),
        ("y", lambda a: a.astype(np.int64)),
    ],
)
def test_a_cache_with_wrong_numbers_is_parsed_again(parsed, name, change):
    path, expected, folder = parsed
    overwrite(folder / f"{name}.npy", change)
    again = load_file(path)
    assert (again.X != expected.X).nnz == 0
    np.testing.assert_array_equal(again.y, expected.y)


@pytest.mark.parametrize("facts", ["", "{}", "[1]", '{"sizes": {}, "shape": [1]}', "\xff"])
def test_damaged_facts_are_parsed_again(parsed, facts):
    path, expected, folder = parsed
    (folder / "facts.json").write_bytes(facts.encode("latin-1"))
    assert (load_file(path).X != expected.X).nnz == 0
    assert json.loads((folder / "facts.json").read_text())["shape"] == [10, 5]


def test_what_killed_writers_left_is_swept(tmp_path, cache):
    left = cache / "parsed" / ".writing-abandoned"
    young = cache / "parsed" / ".writing-now"
    for folder in (left, young):
        folder.mkdir(parents=True)
    os.utime(left, (time.time() - 10**5,) * 2)
    path = tmp_path / "some.svm"
    path.write_bytes(TEXT)
    load_file(path)
    assert not left.exists()
    assert young.exists()


def test_a_writer_that_finishes_while_another_sweeps_does_no_harm(tmp_path, cache, monkeypatch):
    """Its folder is listed and then gone."""
    listed = Path.glob

    def and_one_that_is_gone(folder, pattern):
        yield from listed(folder, pattern)
        yield folder / ".writing-gone"

    path = tmp_path / "some.svm"
    path.write_bytes(TEXT)
    monkeypatch.setattr(Path, "glob", and_one_that_is_gone)
    assert load_file(path).X.shape == (10, 5)


def test_fits_csr_reads_everything():
    X = sparse.random(50, 20, 0.2, "csr", random_state=0)
    X.sort_indices()
    assert fits_csr(X.data, X.indices, X.indptr, X.shape)
    assert not fits_csr(X.data, X.indices, X.indptr, (50, 19 if X.indices.max() == 19 else 5))
    assert not fits_csr(X.data[:-1], X.indices, X.indptr, X.shape)
    assert not fits_csr(X.data, X.indices, X.indptr[:-1], X.shape)
    assert fits_csr(np.empty(0), np.empty(0, dtype=np.int32), np.zeros(3, dtype=np.int32), (2, 4))


def test_a_largest_index_far_beyond_the_entries_is_refused(tmp_path):
    path = tmp_path / "bomb.svm"
    path.write_bytes(b"1 999999999:1\n-1 2:1\n")
    with pytest.raises(MalformedFileError, match="largest index is 999,999,999 and it has 2"):
        read_libsvm(path)
    X, _ = read_libsvm(path, n_features=10**9)  # meant, and said so
    assert X.shape == (2, 10**9)


@pytest.mark.parametrize("module", [bz2, gzip, lzma])
def test_data_that_unpack_to_too_much_are_refused(tmp_path, monkeypatch, module):
    path = tmp_path / f"bomb.svm.{ {bz2: 'bz2', gzip: 'gz', lzma: 'xz'}[module] }"
    path.write_bytes(module.compress(b"1 1:1\n" * 500_000))
    monkeypatch.setenv(LIMIT_VARIABLE, "1000000")
    with pytest.raises(MalformedFileError, match="unpack to more than 1,000,000 bytes; set"):
        read_libsvm(path)
    monkeypatch.setenv(LIMIT_VARIABLE, "10000000")
    assert read_libsvm(path)[0].shape == (500_000, 1)
    monkeypatch.setenv(LIMIT_VARIABLE, "many")
    with pytest.raises(ValueError, match="it must be a number of bytes"):
        read_libsvm(path)


def test_two_columns_of_one_name_are_refused(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("a,a,y\n1,2,3\n4,5,6\n")
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        read_csv(path)


@pytest.mark.parametrize("part", ["indices", "indptr", "data"])
def test_arrays_of_a_sparse_file_must_fit_each_other(tmp_path, part):
    X = sparse.random(9, 7, 0.4, "csr", random_state=1)
    arrays = {"data": X.data, "indices": X.indices, "indptr": X.indptr}
    arrays[part] = arrays[part][:-1] if part != "indices" else arrays[part] + 100
    path = tmp_path / "broken.npz"
    np.savez(path, **arrays, shape=X.shape, format=b"csr", y=np.ones(9))
    with pytest.raises(ValueError, match="do not fit each other"):
        read_npz(path)


def test_a_directory_is_called_one(tmp_path):
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    with pytest.raises(IsADirectoryError, match="is a directory; a file is needed"):
        read_csv(folder)


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="no such device here")
def test_a_device_is_called_one():
    with pytest.raises(OSError, match=f"{os.devnull} is a device or a pipe"):
        load(os.devnull)


@pytest.mark.parametrize("seed", range(60))
def test_flipped_bytes_of_an_array_file_end_in_a_sentence(tmp_path, seed):
    rng = np.random.default_rng(seed)
    path = tmp_path / "flipped.npz"
    np.savez_compressed(path, X=rng.standard_normal((20, 3)), y=rng.standard_normal(20))
    content = bytearray(path.read_bytes())
    for _ in range(1 + seed % 4):
        content[int(rng.integers(len(content)))] ^= int(rng.integers(1, 256))
    path.write_bytes(content)
    with contextlib.suppress(ValueError):  # a sentence; anything else fails the test
        assert read_npz(path)[0] is not None
