"""The LIBSVM reader: agreement with scikit-learn, streams, and messages."""

import bz2
import gzip
import io
import lzma
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from banditcd._core import LibsvmParser
from banditcd.data import streams
from banditcd.data.libsvm import read_libsvm, write_libsvm
from banditcd.data.streams import MalformedFileError

NASTY = b"""# a comment first

+1 1:0.5 3:-2e-3 # and one behind
-1\t2:1\t 3:.25   7:1e5 \r
   # an indented comment
2.5 qid:12 1:1. 4:+7#glued
-1
0 qid:-3
1e2 2:0 5:123456789.123456789 9:1e-300
3 10:4"""


def read_both(text: bytes, columns=None):
    ours = read_libsvm(io.BytesIO(text), columns)
    theirs = load_svmlight_file(io.BytesIO(text), n_features=columns, zero_based=False)
    return ours, theirs


def assert_same(ours, theirs):
    (X, y), (X_theirs, y_theirs) = ours, theirs
    assert X.shape == X_theirs.shape
    np.testing.assert_array_equal(y, y_theirs)
    np.testing.assert_array_equal(X.indptr, X_theirs.indptr)
    np.testing.assert_array_equal(X.indices, X_theirs.indices)
    np.testing.assert_array_equal(X.data, X_theirs.data)


def random_text(rng: np.random.Generator, rows: int, columns: int) -> bytes:
    lines = []
    for _ in range(rows):
        chosen = np.flatnonzero(rng.random(columns) < 0.3) + 1
        values = rng.standard_normal(len(chosen)) * 10.0 ** rng.integers(-8, 8, len(chosen))
        style = rng.choice(["r", "g", ".3f", ".17e"])
        written = [repr(v) if style == "r" else format(v, style) for v in values.tolist()]
        pairs = [f"{j}:{v}" for j, v in zip(chosen.tolist(), written, strict=True)]
        lines.append(" ".join([str(rng.integers(-5, 5)), *pairs]))
    return "\n".join(lines).encode() + b"\n"


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_scikit_learn_on_random_files(seed):
    text = random_text(np.random.default_rng(seed), rows=60, columns=40)
    assert_same(*read_both(text, 40))


def test_agrees_with_scikit_learn_on_a_nasty_file():
    assert_same(*read_both(NASTY))


def test_result_is_canonical_csr_with_small_indices():
    X, y = read_libsvm(io.BytesIO(NASTY))
    assert sparse.issparse(X)
    assert X.format == "csr"
    assert X.indices.dtype == X.indptr.dtype == np.int32
    assert X.data.dtype == y.dtype == np.float64
    X.check_format(full_check=True)
    assert X.has_canonical_format


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 16, 50, 10_000])
def test_pieces_of_any_size_give_the_same_arrays(size):
    text = NASTY + b"\n" + random_text(np.random.default_rng(1), 20, 30)
    whole, pieces = LibsvmParser(), LibsvmParser()
    assert whole.feed(text)
    for start in range(0, len(text), size):
        assert pieces.feed(text[start : start + size])
    assert whole.finish()
    assert pieces.finish()
    for a, b in zip(whole.take(), pieces.take(), strict=True):
        np.testing.assert_array_equal(a, b)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200), st.integers(1, 40))
def test_any_bytes_are_read_or_refused_with_a_line(text, size):
    parser = LibsvmParser()
    good = all(parser.feed(text[start : start + size]) for start in range(0, len(text), size))
    if good and parser.finish():
        labels, indptr, indices, values = parser.take()
        assert len(indptr) == len(labels) + 1
        assert indptr[-1] == len(indices) == len(values)
        assert np.isfinite(values).all()
    else:
        assert 1 <= parser.error_line <= text.count(b"\n") + 1
        assert parser.error_reason.isprintable()


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789.:-+e# \n\tqid", max_size=80))
def test_what_we_accept_scikit_learn_reads_alike(text):
    try:
        ours = read_libsvm(io.BytesIO(text.encode()), 1000)
    except ValueError:
        return
    lines = [line.partition("#")[0].split() for line in text.split("\n")]
    words = [line for line in lines if line]
    np.testing.assert_array_equal(ours[1], [float(line[0]) for line in words])
    pairs = [word.split(":") for line in words for word in line[1:] if word[:3] != "qid"]
    np.testing.assert_array_equal(ours[0].indices, [int(index) - 1 for index, _ in pairs])
    np.testing.assert_array_equal(ours[0].data, [float(value) for _, value in pairs])


MALFORMED = [
    ("x 1:2", "the label 'x' is not a finite number"),
    ("nan 1:2", "the label 'nan' is not a finite number"),
    ("inf", "the label 'inf' is not a finite number"),
    ("1e999", "the label '1e999' is not a finite number"),
    ("1,2 1:2", "'1,2' are several labels; one label a line is supported"),
    ("1:2 2:3", "the line starts with '1:2', not with a label"),
    ("1 0:2", "the index in '0:2' is 0; indices start at 1"),
    ("1 2:1 2:3", "column 2 appears twice"),
    ("1 5:1 2:3", "column 2 follows column 5; indices must ascend"),
    ("1 301:1", "the index in '301:1' is above the number of columns, 300"),
    ("1 99999999999999999999999:1", "is above the number of columns, 300"),
    ("1 0000000000001:1", "has too many digits"),
    ("1 2", "'2' is not an index:value pair"),
    ("1 a:2", "'a:2' is not an index:value pair"),
    ("1 -3:2", "'-3:2' is not an index:value pair"),
    ("1 :2", "':2' is not an index:value pair"),
    ("1 2:", "the value in '2:' is not a finite number"),
    ("1 2: 3", "the value in '2:' is not a finite number"),
    ("1 2:abc", "the value in '2:abc' is not a finite number"),
    ("1 2:1x", "the value in '2:1x' is not a finite number"),
    ("1 2:nan", "the value in '2:nan' is not a finite number"),
    ("1 2:-inf", "the value in '2:-inf' is not a finite number"),
    ("1 2:1e400", "the value in '2:1e400' is not a finite number"),
    ("1 qid:x 2:1", "the query id 'qid:x' is not a whole number"),
    ("1 2:1 qid:3", "'qid:3' is not an index:value pair"),
    ("1 2:\x00", "the value in '2:?' is not a finite number"),
    ("1 " + "y" * 100, "'" + "y" * 40 + "...' is not an index:value pair"),
]


@pytest.mark.parametrize(("line", "reason"), MALFORMED, ids=[repr(m[0][:20]) for m in MALFORMED])
def test_a_malformed_line_gives_file_line_and_reason(line, reason, tmp_path):
    file = tmp_path / "broken.svm"
    file.write_bytes(b"1 1:2\n\n# fine\n" + line.encode() + b"\n1 1:3\n")
    with pytest.raises(MalformedFileError) as caught:
        read_libsvm(file, n_features=300)
    assert caught.value.line == 4
    assert reason in caught.value.reason
    assert str(caught.value) == f"{file}, line 4: {caught.value.reason}."


def test_an_index_beyond_32_bits_is_refused_without_n_features():
    with pytest.raises(MalformedFileError, match="above the number of columns, 2147483647"):
        read_libsvm(io.BytesIO(b"1 2147483648:1\n"))


def test_the_last_line_may_lack_its_newline_and_still_be_wrong():
    with pytest.raises(MalformedFileError, match="line 2: column 1 appears twice"):
        read_libsvm(io.BytesIO(b"1 1:2\n1 1:2 1:3"))


@pytest.mark.parametrize(
    ("text", "message"), [(b"", "no sample"), (b"# x\n\n", "no sample"), (b"1\n2\n", "n_features")]
)
def test_files_without_content(text, message):
    with pytest.raises(MalformedFileError, match=message):
        read_libsvm(io.BytesIO(text))


def test_n_features_widens_the_matrix_and_rows_may_be_empty():
    X, y = read_libsvm(io.BytesIO(b"1\n2\n"), n_features=5)
    assert X.shape == (2, 5)
    assert X.nnz == 0
    np.testing.assert_array_equal(y, [1.0, 2.0])


@pytest.mark.parametrize("columns", [0, -1, 2.5, 2**31])
def test_n_features_is_checked(columns):
    with pytest.raises(ValueError, match="n_features"):
        read_libsvm(io.BytesIO(b"1 1:1\n"), n_features=columns)


def test_a_byte_order_mark_is_skipped():
    X, y = read_libsvm(io.BytesIO(b"\xef\xbb\xbf1 1:2\n"))
    assert (y[0], X[0, 0]) == (1.0, 2.0)


COMPRESS = {".bz2": bz2.compress, ".xz": lzma.compress, ".gz": gzip.compress, "": bytes}


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("opened", [False, True])
def test_compressed_files_are_read_as_streams(ending, opened, tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "CHUNK", 64)  # so that lines span pieces
    file = tmp_path / f"set.svm{ending}"
    file.write_bytes(COMPRESS[ending](NASTY))
    expected = read_libsvm(io.BytesIO(NASTY))
    if opened:
        with file.open("rb") as stream:
            assert_same(read_libsvm(stream), expected)
            assert not stream.closed
    else:
        assert_same(read_libsvm(file), expected)


@pytest.mark.parametrize("ending", [".bz2", ".xz", ".gz"])
def test_files_of_several_compressed_parts_and_any_name(ending, tmp_path):
    half = NASTY.index(b"2.5")
    file = tmp_path / "no-ending"
    file.write_bytes(COMPRESS[ending](NASTY[:half]) + COMPRESS[ending](NASTY[half:]))
    assert_same(read_libsvm(file), read_libsvm(io.BytesIO(NASTY)))


@pytest.mark.parametrize("ending", [".bz2", ".xz", ".gz"])
def test_cut_compressed_files_are_named_as_such(ending, tmp_path):
    data = COMPRESS[ending](random_text(np.random.default_rng(0), 200, 30))
    file = tmp_path / f"cut.svm{ending}"
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(MalformedFileError, match="end too early; the file was cut, get it again"):
        read_libsvm(file)


@pytest.mark.parametrize("ending", [".bz2", ".xz", ".gz"])
def test_damaged_compressed_files_are_named_as_such(ending, tmp_path):
    data = bytearray(COMPRESS[ending](random_text(np.random.default_rng(0), 200, 30)))
    for position in range(len(data) // 3, len(data) // 3 + 40):
        data[position] ^= 0xFF
    file = tmp_path / f"damaged.svm{ending}"
    file.write_bytes(data)
    with pytest.raises(MalformedFileError):
        read_libsvm(file)


def test_wrong_kinds_of_files(tmp_path):
    file = tmp_path / "set.svm.bz2"
    file.write_bytes(b"1 1:2\n")
    with pytest.raises(MalformedFileError, match="a bzip2 file, but its content is not"):
        read_libsvm(file)
    file = tmp_path / "set.zip"
    file.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(MalformedFileError, match="zip files are not supported; unpack it first"):
        read_libsvm(file)
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read_libsvm(tmp_path / "absent.svm")
    with pytest.raises(IsADirectoryError, match="is a directory"):
        read_libsvm(tmp_path)
    with pytest.raises(TypeError, match="binary mode"):
        read_libsvm(io.StringIO("1 1:2\n"))


def test_progress_counts_plain_bytes():
    seen = []
    read_libsvm(io.BytesIO(NASTY), progress=seen.append)
    assert seen[-1] == len(NASTY)


@pytest.mark.parametrize("ending", ["", ".bz2", ".xz", ".gz"])
def test_what_is_written_reads_back_to_the_bit(ending, tmp_path):
    rng = np.random.default_rng(5)
    X = sparse.random_array((30, 12), density=0.4, random_state=rng, format="csr")
    X.data *= 10.0 ** rng.integers(-300, 300, X.nnz)
    y = np.concatenate([rng.standard_normal(28), [3.0, -math.pi]])
    file = tmp_path / f"out.svm{ending}"
    write_libsvm(file, X, y)
    X_back, y_back = read_libsvm(file, 12)
    np.testing.assert_array_equal(X_back.toarray(), X.toarray())
    np.testing.assert_array_equal(y_back, y)
