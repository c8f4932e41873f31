"""Files of every format hold the same table; none is taken for another."""

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banditcd.cli import main
from banditcd.cli.inputs import read_training
from banditcd.cli.table_options import TableOptions
from banditcd.data import load
from tests.cli.tables import COLUMNS, customers, text_of, write

Captured = pytest.CaptureFixture[str]
NAMES = ("age", "city=New York", "city=Paris", "city=Rome", "income")


def decimal_commas(separator: str) -> bytes:
    head, *rest = text_of(customers(), separator).splitlines()
    return "\n".join([head, *(line.replace(".", ",") for line in rest)]).encode()


def quoted() -> bytes:
    lines = [",".join(f'"{cell}"' for cell in line.split(",")) for line in PLAIN.splitlines()]
    return "\r\n".join(lines).encode()


def columnar(method: str) -> bytes:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    stream = io.BytesIO()
    getattr(pd.DataFrame(customers()), method)(stream)
    return stream.getvalue()


def zstandard() -> bytes:
    pa = pytest.importorskip("pyarrow")
    return bytes(pa.compress(PLAIN.encode(), codec="zstd", asbytes=True))


PLAIN = text_of(customers())
FILES: dict[str, Callable[[], bytes]] = {
    "plain.csv": PLAIN.encode,
    "mark.csv": lambda: b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode(),
    "quoted.csv": quoted,
    "spaces.csv": lambda: PLAIN.replace(",", ", ").encode(),
    "tabs.tsv": lambda: text_of(customers(), "\t").encode(),
    "semicolons.csv": lambda: text_of(customers(), ";").encode(),
    "commas.csv": lambda: decimal_commas(";"),
    "commas.tsv": lambda: decimal_commas("\t"),
    "no_suffix": PLAIN.encode,
    "data.txt": lambda: text_of(customers(), ";").encode(),
    "packed.csv.gz": lambda: gzip.compress(PLAIN.encode()),
    "packed.csv.bz2": lambda: bz2.compress(PLAIN.encode()),
    "packed.tsv.xz": lambda: lzma.compress(text_of(customers(), "\t").encode()),
    "packed.csv.zst": zstandard,
    "table.parquet": lambda: columnar("to_parquet"),
    "table.feather": lambda: columnar("to_feather"),
    "misnamed.svm": lambda: columnar("to_parquet"),
}


def expected() -> tuple[Any, Any]:
    rows = customers()
    cities = [
        [float(row["city"] == city) for city in ("New York", "Paris", "Rome")] for row in rows
    ]
    X = [[row["age"], *hot, row["income"]] for row, hot in zip(rows, cities, strict=True)]
    return np.array(X), np.array([row["bought"] for row in rows])


def check(name: str, names: tuple[str, ...] = NAMES, **options: Any) -> None:
    dataset = read_training(name, TableOptions(**options), "classification").dataset
    X, y = expected()
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, y)
    assert dataset.feature_names == names


@pytest.mark.parametrize("name", FILES)
def test_every_format_holds_the_same_table(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name]())
    check(str(tmp_path / name))


@pytest.mark.parametrize("name", ["plain.csv", "semicolons.csv", "packed.csv.gz", "table.parquet"])
def test_every_format_comes_through_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    content = FILES[name]()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    check("-")


def test_text_of_libsvm_comes_through_standard_input(
    text_file: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    content = Path(text_file).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["fit", "-", "--model", "svm", "--quiet"]) == 0
    assert "standard input: 60 rows, 12 columns" in capsys.readouterr().out


def test_a_first_line_of_data_is_no_line_of_names(tmp_path: Path) -> None:
    data = write(tmp_path / "t.csv", customers(), header=False)
    x = ("x1", "x2=New York", "x2=Paris", "x2=Rome", "x3")
    check(data, x)
    for header in ("yes", "no"):  # the user may say it
        words = ["--header", header, "--model", "logistic", "--quiet"]
        assert main(["fit", data, *words]) == 0


def test_numbers_keep_every_format_without_words(tmp_path: Path) -> None:
    X = np.array([[1.5, 2.0], [3.25, 4.0], [5.0, 6.0]])
    (tmp_path / "a.csv").write_text("1,5;2;0\n3,25;4;1\n5;6;0\n")
    (tmp_path / "b.tsv").write_text("p\tq\ty\n1.5\t2\t0\n3.25\t4\t1\n5\t6\t0\n")
    for name in ("a.csv", "b.tsv"):
        data = load(str(tmp_path / name))
        np.testing.assert_array_equal(data.X, X)
        np.testing.assert_array_equal(data.y, [0.0, 1.0, 0.0])


def test_a_decimal_comma_is_remarked_on(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "t.csv").write_bytes(decimal_commas(";"))
    words = ["--model", "logistic", "--quiet"]
    assert main(["fit", str(tmp_path / "t.csv"), *words]) == 0
    assert "Decimal commas were read in age, income." in capsys.readouterr().err
    assert main(["fit", str(tmp_path / "t.csv"), *words, "--decimal", "point"]) == 0
    assert "3 columns of words" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.parquet", b"age,city\n1,2\n", "is not a Parquet file"),
        ("a.feather", b"PAR1", "is not a Feather file"),
        ("a.csv", b"\xff\xfe\x00a", "is not UTF-8 text"),
        ("a.csv", b"a,b\n1,\x00\n", "is not a text file"),
        ("a.csv", b'a,b\n"1,2\n', "unexpected end of data"),
        ("a.csv", b"a,b\nx,2\n3\n", "line 3 has 1 columns and the lines before it 2"),
        ("a.csv", b"a,a\nx,2\n", "more than one column named 'a'"),
        ("a.csv", b"a\nx\n", "a feature and the targets are needed"),
        ("a.csv.gz", b"a,b\n1,2\n", "by its name it is a gzip file"),
        ("a.svm", b"PAR1....", "is not a Parquet file"),
        ("a.npy", b"\x93NUMPY\x01\x00", "is not a plain NumPy array"),
        ("a.svm", b"\x93NUMPY\x01\x00", "give it a name that ends in .npy"),
        ("a.csv.zst", b"\x28\xb5\x2f\xfd123", "zstandard data"),
    ],
)
def test_what_cannot_be_read_is_told(
    tmp_path: Path, capsys: Captured, name: str, content: bytes, message: str
) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / name).write_bytes(content)
    assert main(["fit", str(tmp_path / name), "--model", "svm", "--quiet"]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(("name", "absent"), [("t.parquet", "pandas"), ("t.csv.zst", "pyarrow")])
def test_a_missing_extra_is_named(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, name: str, absent: str
) -> None:
    content = zstandard() if name.endswith("zst") else columnar("to_parquet")
    (tmp_path / name).write_bytes(content)
    monkeypatch.setitem(sys.modules, absent, None)
    assert main(["fit", str(tmp_path / name), "--model", "svm", "--quiet"]) == 2
    assert "pip install 'banditcd[pandas]'" in capsys.readouterr().err


def test_columns_of_a_data_frame_of_other_types(tmp_path: Path, capsys: Captured) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    rows = customers()
    frame = pd.DataFrame(rows)
    frame["member"] = [k % 2 == 0 for k in range(len(rows))]
    frame["city"] = frame["city"].astype("category")
    frame["age"] = frame["age"].where(frame["age"] > 30)
    frame[[*COLUMNS[:3], "member", "bought"]].to_parquet(tmp_path / "t.parquet")
    words = ["--model", "logistic", "--quiet", "--missing", "median"]
    assert main(["fit", str(tmp_path / "t.parquet"), *words]) == 0
    assert "80 rows, 6 columns" in capsys.readouterr().out
    frame["day"] = pd.Timestamp("2024-01-31")
    frame.to_parquet(tmp_path / "t.parquet")
    assert main(["fit", str(tmp_path / "t.parquet"), "--target", "bought", *words]) == 2
    assert "'day' of" in (text := capsys.readouterr().err)
    assert "holds dates or times" in text


def test_an_array_is_fitted_and_predicted(
    table_file: str, tmp_path: Path, capsys: Captured
) -> None:
    data = load(table_file)
    np.save(tmp_path / "X.npy", data.X)
    np.save(tmp_path / "all.npy", np.column_stack([data.X, data.y]))
    np.save(tmp_path / "y.npy", data.y)
    model, X = str(tmp_path / "m.json"), str(tmp_path / "X.npy")
    words = ["--model", "lasso", "--alpha", "0.1", "--quiet", "--out", model]
    assert main(["fit", X, "--target", str(tmp_path / "y.npy"), *words]) == 0
    capsys.readouterr()
    predictions = []
    for name in (X, str(tmp_path / "all.npy"), table_file):
        assert main(["predict", model, name]) == 0
        predictions.append(capsys.readouterr().out)
    assert predictions[0] == predictions[1] == predictions[2]
    assert main(["predict", model, str(tmp_path / "no.npy")]) == 2
    assert "There is no file" in capsys.readouterr().err
    assert main(["fit", X, "--drop", "1", *words]) == 2
    assert "--drop is about the columns of a table" in capsys.readouterr().err
