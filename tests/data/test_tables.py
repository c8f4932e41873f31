import gzip
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from banditcd.data import load, write_libsvm
from banditcd.data.files import check_target, replacing
from banditcd.data.reading import kind_of
from banditcd.data.tables import load_table


def test_files_of_every_kind_hold_the_same_data(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(1, 9, (6, 3)).astype(float), rng.integers(0, 9, 6) + 0.5
    np.savez(tmp_path / "dense.npz", X=X, y=y)
    csc = sparse.csc_matrix(X)
    np.savez(
        tmp_path / "sparse.npz", data=csc.data, indices=csc.indices, indptr=csc.indptr,
        shape=csc.shape, format=b"csc", y=y,
    )  # fmt: skip
    table = np.column_stack([X, y])
    np.savetxt(tmp_path / "plain.csv", table, delimiter=",")
    np.savetxt(tmp_path / "header.csv", table, delimiter=",", header="a,b,c,y", comments="")
    with gzip.open(tmp_path / "packed.csv.gz", "wb") as file:
        file.write((tmp_path / "header.csv").read_bytes())
    (tmp_path / "windows.csv").write_bytes(
        b"\xef\xbb\xbf" + (tmp_path / "header.csv").read_bytes().replace(b"\n", b"\r\n")
    )
    write_libsvm(tmp_path / "text.svm", X, y)
    kinds = ("dense.npz", "sparse.npz", "plain.csv", "header.csv", "packed.csv.gz", "windows.csv")
    for name in (*kinds, "text.svm"):
        data = load(str(tmp_path / name))
        found = data.X.toarray() if data.is_sparse else data.X
        np.testing.assert_array_equal(found, X, err_msg=name)
        np.testing.assert_array_equal(data.y, y, err_msg=name)
        named = name.startswith(("header", "packed", "windows"))
        assert data.feature_names == (("a", "b", "c") if named else ())


def test_bad_files_are_explained(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text("a,b\n1,2\nx,y\n")
    (tmp_path / "short.csv").write_text("1,2\n\n3,4\n5\n")
    (tmp_path / "thin.csv").write_text("1\n2\n")
    (tmp_path / "text.npz").write_text("no numbers")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "names.csv").write_text("a,b\n")
    (tmp_path / "ragged.csv").write_text("a,b\n1,2,3\n")
    (tmp_path / "latin.csv").write_bytes(b"\xe9,1\n2,3\n")
    np.savez(tmp_path / "other.npz", Z=np.ones(3))
    np.savez(tmp_path / "samples.npz", X=np.ones((3, 2)))
    for name, message in (
        ("words.csv", "not a table of numbers: 'a' has 'x'"),
        ("short.csv", "line 4 has 1 columns and the lines before it 2"),
        ("thin.csv", "a column of targets"),
        ("empty.csv", "has no row"),
        ("names.csv", "a line of names and no row"),
        ("ragged.csv", "line 2 has 3 columns and the lines before it 2"),
        ("latin.csv", "not UTF-8"),
        ("samples.npz", "no array y"),
        ("text.npz", "not a file of plain NumPy arrays"),
        ("other.npz", "has the arrays Z"),
    ):
        with pytest.raises(ValueError, match=message):
            load(str(tmp_path / name))
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load(str(tmp_path / "absent.csv"))


@pytest.mark.parametrize(("target", "column"), [("b", 1), ("2", 1), ("a", 0), (None, 2)])
def test_the_column_of_targets_is_named_or_counted(
    tmp_path: Path, target: str | None, column: int
) -> None:
    (tmp_path / "t.csv").write_text("a,b,c\n1,2,3\n4,5,6\n")
    data = load_table(tmp_path / "t.csv", target)
    table = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    np.testing.assert_array_equal(data.y, table[:, column])
    np.testing.assert_array_equal(data.X, np.delete(table, column, axis=1))
    assert data.feature_names == tuple(np.delete(["a", "b", "c"], column))


@pytest.mark.parametrize("target", ["z", "0", "4", "-1"])
def test_a_column_that_is_not_there_is_explained(tmp_path: Path, target: str) -> None:
    (tmp_path / "t.csv").write_text("a,b,c\n1,2,3\n")
    with pytest.raises(ValueError, match=r"its columns are a, b, c, and positions go from 1 to 3"):
        load_table(tmp_path / "t.csv", target)


def test_kinds_are_told_by_the_name() -> None:
    names = {"a.csv": ".csv", "a.CSV": ".csv", "a.csv.bz2": ".csv", "a.b.npz": ".npz"}
    names |= {"a.tsv.zst": ".csv", "a.parquet": ".parquet", "a.feather": ".feather"}
    names |= {"a.parquet.gz": "", "a.svm": "", "a.svm.gz": "", "csv": "", "a.csv.svm": ""}
    assert {name: kind_of(Path(name)) for name in names} == names


def test_a_file_is_replaced_whole_or_stays(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")

    def fail_half_way() -> None:
        with replacing(target) as file:
            file.write("new")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail_half_way()
    assert target.read_text() == "old"
    with replacing(target, "wb") as file:
        file.write(b"new")
    assert target.read_text() == "new"
    assert list(tmp_path.glob("file*")) == [target]


def test_a_place_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    check_target(tmp_path / "new", "--out")
    with pytest.raises(IsADirectoryError, match=r"--out .* is a directory"):
        check_target(tmp_path, "--out")
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        check_target(tmp_path / "deep" / "new", "--out")


def test_a_file_that_is_read_is_not_written_over(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("1,2\n")
    check_target(data, "--out", "diabetes", 300 * "long", None, tmp_path / "other.csv")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match=r"--out .* would replace a file that is read"):
        check_target(tmp_path / "folder" / ".." / "data.csv", "--out", None, str(data))
