"""Data in files: mapped members, parsed sets, folders of shards, and the command line."""

import numpy as np
import pytest
from scipy import sparse

from banditcd import Lasso, LassoCV, LogisticRegression
from banditcd.cli import main
from banditcd.data import read_libsvm, write_libsvm
from banditcd.data.parsed import read_cached
from banditcd.places import blocks, kinds, matrix_file
from banditcd.places.files import mapped
from banditcd.places.folder import read_folder

RNG = np.random.default_rng(8)
X = np.where(RNG.random((120, 15)) < 0.5, RNG.standard_normal((120, 15)), 0.0)
Y = X[:, 0] - 2.0 * X[:, 3] + 0.1 * RNG.standard_normal(120)
EXACT = Lasso(0.02, tol=1e-10).fit(X, Y)


@pytest.fixture
def small_memory(monkeypatch):
    monkeypatch.setattr(kinds, "MEMORY_SHARE", 0.0)
    monkeypatch.setattr(matrix_file, "READ_BYTES", 1 << 12)
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 1 << 12)


def check(model):
    np.testing.assert_allclose(model.coef_, EXACT.coef_, atol=1e-6)
    assert model.certificate_.rounds > 0


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_a_mapped_member(tmp_path, small_memory, order, suffix):
    path = tmp_path / f"data{suffix}"
    values = np.asarray(X, order=order)
    np.save(path, values) if suffix == ".npy" else np.savez(path, y=Y, X=values)
    there = mapped(path)
    np.testing.assert_array_equal(there, X)
    check(Lasso(0.02, tol=1e-10).fit(there, Y))
    labels = (Y > 0.0).astype(int) + (Y > 1.0)
    here = LogisticRegression(tol=1e-9).fit(X, labels)
    model = LogisticRegression(tol=1e-9).fit(there, labels)
    np.testing.assert_allclose(model.decision_function(there), here.decision_function(X), atol=1e-3)
    np.testing.assert_array_equal(model.predict(there), here.predict(X))


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_slice_of_a_mapped_file_is_read_where_it_begins(tmp_path, small_memory, order):
    np.save(
        tmp_path / "X.npy",
        np.asarray(np.r_[X, X[:7]] if order == "C" else np.c_[X, X], order=order),
    )
    whole = np.load(tmp_path / "X.npy", mmap_mode="r")
    there = whole[7:] if order == "C" else whole[:, 15:]
    assert kinds.kind_of(there) == "file"
    y = np.r_[Y[7:], Y[:7]] if order == "C" else Y
    check(Lasso(0.02, tol=1e-10).fit(there, y))


def test_members_that_cannot_be_mapped(tmp_path):
    np.savez_compressed(tmp_path / "small.npz", X=X)
    with pytest.raises(ValueError, match=r"compressed and cannot be mapped; save it with"):
        mapped(tmp_path / "small.npz")
    with pytest.raises(ValueError, match="has no array Z; it has X"):
        mapped(tmp_path / "small.npz", "Z")


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
@pytest.mark.parametrize("damage", [b"\0", b"(", b"\xff", b"'"])
def test_a_damaged_header_is_refused(tmp_path, suffix, damage):
    path = tmp_path / f"data{suffix}"
    np.save(path, X) if suffix == ".npy" else np.savez(path, X=X)
    raw = path.read_bytes()
    at = raw.index(b"{'descr'")
    path.write_bytes(raw[:at] + 20 * damage + raw[at + 20 :])
    with pytest.raises(ValueError, match=r"not a plain NumPy array|The array X of .* is damaged"):
        mapped(path)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_the_error_of_a_tokenizer_is_a_sentence(tmp_path, suffix, monkeypatch):
    """Python 3.13's raises SystemError for some headers."""

    def broken(file):
        raise SystemError

    path = tmp_path / f"data{suffix}"
    np.save(path, X) if suffix == ".npy" else np.savez(path, X=X)
    monkeypatch.setattr(np.lib.format, "read_array_header_1_0", broken)
    with pytest.raises(ValueError, match="header"):
        mapped(path)


def test_a_parsed_set_is_read_in_blocks(tmp_path, small_memory):
    write_libsvm(tmp_path / "set.svm", sparse.csr_matrix(X), Y)
    read_cached(tmp_path / "set.svm", 15, tmp_path)
    there, y = read_cached(tmp_path / "set.svm", 15, tmp_path)
    assert kinds.kind_of(there) == ("sparse file" if sparse.issparse(there) else "file")
    check(Lasso(0.02, tol=1e-10).fit(there, y))
    here = LassoCV(alphas=4, cv=3, tol=1e-9).fit(X, Y)
    search = LassoCV(alphas=4, cv=3, tol=1e-9).fit(there, y)
    np.testing.assert_allclose(search.mse_path_, here.mse_path_, atol=1e-6)
    np.testing.assert_allclose(search.predict(there), here.predict(X), atol=1e-5)


def test_sparse_arrays_in_files(tmp_path, small_memory):
    stored = sparse.csr_array(X)
    for name in ("data", "indices", "indptr"):
        np.save(tmp_path / f"{name}.npy", getattr(stored, name))
    parts = [np.load(tmp_path / f"{n}.npy", mmap_mode="r") for n in ("data", "indices", "indptr")]
    there = sparse.csr_array(tuple(parts), shape=X.shape, copy=False)
    assert kinds.kind_of(there) == "sparse file"
    assert kinds.kind_of(stored) is None
    check(Lasso(0.02, tol=1e-10).fit(there, Y))


def test_a_folder_of_libsvm_files(tmp_path):
    pytest.importorskip("dask.array")
    for k, rows in enumerate(np.array_split(np.arange(120), 3)):
        write_libsvm(tmp_path / f"part-{k}.svm", sparse.csr_matrix(X[rows]), Y[rows])
    assert read_libsvm(tmp_path / "part-0.svm")[0].shape[0] == 40
    check(Lasso(0.02, tol=1e-10).fit(*read_folder(tmp_path)))
    check(Lasso(0.02, tol=1e-10).fit(*read_folder(tmp_path, n_features=15)))
    with pytest.raises(ValueError, match="target is a column of Parquet files"):
        read_folder(tmp_path, target="y")
    with pytest.raises(NotADirectoryError, match="is no folder"):
        read_folder(tmp_path / "part-0.svm")


def test_a_folder_of_parquet_files(tmp_path):
    pytest.importorskip("dask.dataframe")
    pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(X, columns=[f"c{k}" for k in range(15)]).assign(y=Y)
    for k, rows in enumerate(np.array_split(np.arange(120), 3)):
        table.iloc[rows].to_parquet(tmp_path / f"part-{k}.parquet")
    check(Lasso(0.02, tol=1e-10).fit(*read_folder(tmp_path, target="y")))
    with pytest.raises(ValueError, match="target is 'z'; it must be one of the columns c0, c1"):
        read_folder(tmp_path, target="z")
    (tmp_path / "more.svm").write_text("1 1:1\n")
    with pytest.raises(ValueError, match="has 3 Parquet and 1 LIBSVM files"):
        read_folder(tmp_path)


@pytest.mark.parametrize("large", [False, True])
def test_the_command_line_fits_npy_files(tmp_path, monkeypatch, capsys, large):
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", Y)
    np.save(tmp_path / "both.npy", np.c_[X, Y])
    if large:
        monkeypatch.setattr(kinds, "MEMORY_SHARE", 0.0)
    model = ["--model", "lasso", "--alpha", "0.02"]
    target = ["--target", str(tmp_path / "y.npy")]
    assert main(["fit", str(tmp_path / "X.npy"), *target, *model]) == 0
    own = capsys.readouterr().out
    assert ("read in blocks" in own) == large
    code = main(["fit", str(tmp_path / "both.npy"), *model])
    told = capsys.readouterr()
    if large:
        assert code != 0
        assert "save the targets in a file of their own" in told.err
    else:
        assert code == 0
        assert told.out.splitlines()[-1] == own.splitlines()[-1]


@pytest.mark.parametrize("order", ["C", "F"])
def test_scattered_lines_leave_no_pages_that_would_interrupt_the_next_reading(tmp_path, order):
    X = RNG.standard_normal((3_000, 40))
    np.save(tmp_path / "X.npy", np.asarray(X, order=order))
    there = np.load(tmp_path / "X.npy", mmap_mode="r")
    file = matrix_file.MatrixFile(there)
    advice = []
    file._advise = lambda at, count, word: advice.append((at, count, word))
    numbers = np.array([3, 17, 18, 39])
    lines = [line.copy() for line in file.scattered(numbers)]
    np.testing.assert_array_equal(lines, X[numbers] if order == "C" else X[:, numbers].T)
    size = lines[0].nbytes
    for word in ("POSIX_FADV_WILLNEED", "POSIX_FADV_DONTNEED"):
        assert [a for a in advice if a[2] == word] == [(k * size, size, word) for k in numbers]
    file.close()
