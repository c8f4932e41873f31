"""Where sets are found, how they are kept, and what is said when they are nowhere."""

import bz2
import gzip
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from banditcd.data import catalog, parsed, store
from banditcd.data.dataset import split
from banditcd.data.libsvm import read_libsvm, write_libsvm
from banditcd.data.loading import load
from banditcd.data.lock import locked


@pytest.fixture
def leu_text():
    """Return text with the shape of leukemia's test part, which is small."""
    entry = catalog.find("leukemia.t")
    rows = [f"{1 if i % 2 else -1} {i + 1}:1.5 {entry.columns}:2" for i in range(entry.rows)]
    return ("\n".join(rows) + "\n").encode()


def mapped(array) -> bool:
    """Whether the memory behind an array is a file's."""
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


@pytest.mark.parametrize(
    "file", ["leukemia.t.svm.bz2", "leu.t.svm.bz2", "leu.t.bz2", "leu.t.svm", "leu.t", "leu.t.gz"]
)
def test_names_a_file_may_have(file, data_folder, leu_text):
    compress = {"bz2": bz2.compress, "gz": gzip.compress}.get(file.split(".")[-1])
    (data_folder / file).write_bytes(compress(leu_text) if compress else leu_text)
    dataset = load("leu.t")
    assert (dataset.name, dataset.task, dataset.stand_in) == ("leukemia.t", "binary", False)
    assert dataset.X.shape == (34, 7129)
    assert file in dataset.source


def test_the_users_directory_comes_before_the_cache(data_folder, cache, leu_text):
    (cache / "files").mkdir(parents=True)
    (cache / "files" / "leu.t.bz2").write_bytes(bz2.compress(leu_text))
    assert store.locate("leu.t") == cache / "files" / "leu.t.bz2"
    (data_folder / "leukemia.t.svm").write_bytes(leu_text)
    assert store.locate("leu.t") == data_folder / "leukemia.t.svm"
    assert store.fetch("leu.t") == data_folder / "leukemia.t.svm"


def test_platform_cache_is_used_without_the_variable(monkeypatch, tmp_path):
    monkeypatch.delenv("BANDITCD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert store.cache_directory() == tmp_path / "banditcd"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert store.cache_directory().parts[-3:] == ("Library", "Caches", "banditcd")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert store.cache_directory() == tmp_path / "banditcd" / "Cache"


def test_a_wrong_data_directory_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("BANDITCD_DATA", str(tmp_path / "absent"))
    with pytest.raises(NotADirectoryError, match=r"BANDITCD_DATA is .*absent.*not a directory"):
        load("a9a")


def test_offline_the_error_says_what_to_put_where(no_network, cache):
    with pytest.raises(FileNotFoundError) as caught:
        load("aloi")
    message = str(caught.value)
    for words in ("aloi.svm.bz2", "BANDITCD_DATA", str(cache), "no network", "synthetic:aloi"):
        assert words in message


def test_a_set_without_a_place_cannot_be_downloaded():
    with pytest.raises(FileNotFoundError, match="no place to be downloaded from"):
        store.fetch("usps-unsmoothed")


def test_a_file_with_other_rows_is_refused(data_folder):
    (data_folder / "a9a.svm").write_text("1 1:1\n-1 2:1\n")
    with pytest.raises(ValueError, match="has 2 rows, but a9a has 32561"):
        load("a9a")


def test_known_copies_are_recognized_by_checksum(data_folder, leu_text):
    path = data_folder / "leu.t.svm"
    path.write_bytes(leu_text)
    assert store.known_copy(catalog.find("leu.t"), path) == "not a checked copy"
    copy = catalog.KnownCopy("leu.t.svm", store.file_digest(path), "made up")
    entry = catalog.Entry("x", "binary", 34, 7129, copies=(copy,))
    assert store.known_copy(entry, path) == "a checked copy, made up"


@pytest.mark.parametrize(("density", "dense"), [(0.2, False), (0.9, True)])
def test_the_second_load_is_memory_mapped_and_equal(density, dense, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((40, 9)) < density, rng.standard_normal((40, 9)), 0.0)
    file = tmp_path / "own.svm"
    write_libsvm(file, X, np.arange(40) % 3)
    first = load(file)
    monkeypatch.setattr(parsed, "read_libsvm", None)  # a second parse would fail
    second = load(file)
    for dataset in (first, second):
        assert dataset.is_sparse is not dense
        assert dataset.task == "multiclass"
        np.testing.assert_array_equal(dataset.X if dense else dataset.X.toarray(), X)
        assert mapped(dataset.X if dense else dataset.X.data)
        assert mapped(dataset.y)
    if not dense:
        assert mapped(second.X.indices)
        assert not second.X.data.flags.writeable


def test_a_changed_file_is_parsed_again(tmp_path):
    file = tmp_path / "own.svm"
    file.write_text("1 1:1\n")
    assert load(file).rows == 1
    file.write_text("1 1:1\n2 1:3\n")
    assert load(file).rows == 2


def test_a_damaged_cache_is_written_again(tmp_path, cache):
    file = tmp_path / "own.svm"
    file.write_text("1 1:1 4:1\n2 8:1\n")
    load(file)
    [values] = (cache / "parsed").glob("*/values.npy")
    values.write_bytes(values.read_bytes()[:-8])
    assert load(file).X[1, 7] == 1.0


def test_nothing_is_left_of_a_failed_parse(tmp_path, cache):
    file = tmp_path / "own.svm"
    file.write_text("1 1:1\n2 0:1\n")
    with pytest.raises(ValueError, match="line 2"):
        load(file)
    assert [path.suffix for path in (cache / "parsed").iterdir()] == [".lock"]


def test_a_cache_that_cannot_be_written_is_a_warning(tmp_path, monkeypatch):
    (tmp_path / "plain").write_text("")
    monkeypatch.setenv("BANDITCD_CACHE", str(tmp_path / "plain" / "cache"))
    file = tmp_path / "own.svm"
    file.write_text("1 1:1\n")
    with pytest.warns(UserWarning, match="set BANDITCD_CACHE"):
        assert load(file).rows == 1


def test_the_lock_lets_one_thread_in_at_a_time(tmp_path):
    inside, most = 0, 0

    def work():
        nonlocal inside, most
        with locked(tmp_path / "a.lock"):
            inside += 1
            most = max(most, inside)
            time.sleep(0.02)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_held_lock_times_out_with_a_sentence(tmp_path):
    with (
        locked(tmp_path / "a.lock"),
        pytest.raises(TimeoutError, match=r"Another process has held .*a.lock"),
        locked(tmp_path / "a.lock", timeout=0.1),
    ):
        pass


def test_processes_that_load_one_file_together_parse_it_once(tmp_path, cache):
    rng = np.random.default_rng(0)
    file = tmp_path / "own.svm"
    write_libsvm(file, rng.standard_normal((300, 40)), rng.standard_normal(300))
    script = (
        "import sys; from banditcd.data import parsed; from banditcd.data.loading import load\n"
        "read = parsed.read_libsvm\n"
        "def noted(*args):\n    print('parsed'); return read(*args)\n"
        "parsed.read_libsvm = noted\n"
        "print(load(sys.argv[1]).X.sum())"
    )
    command = [sys.executable, "-c", script, f"{tmp_path}{os.sep}own.svm"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [run.communicate()[0].split() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sum(output.count("parsed") for output in outputs) == 1
    expected = read_libsvm(file)[0].toarray().sum()
    assert all(float(output[-1]) == pytest.approx(expected) for output in outputs)


def test_load_finds_bundled_synthetic_and_own_sets(tmp_path):
    diabetes = load("diabetes")
    np.testing.assert_array_equal(diabetes.X, load_diabetes().data)
    assert diabetes.task == "regression"
    assert load("breast_cancer").task == "binary"
    assert len(load("digits").classes) == 10
    assert load("synthetic:tall(rows=30, columns=8, seed=4)").X.shape == (30, 8)
    with pytest.raises(FileNotFoundError, match="There is no file"):
        load("some/where.svm")
    with pytest.raises(ValueError, match=r"Unknown data set 'diabets'\. Did you mean 'diabetes'"):
        load("diabets")


def test_split_is_seeded_and_complete():
    dataset = load("diabetes")
    train, test = split(dataset, 0.8, seed=3)
    assert (train.rows, test.rows) == (354, 88)
    again, _ = split(dataset, 0.8, seed=3)
    np.testing.assert_array_equal(train.X, again.X)
    assert sorted([*train.y, *test.y]) == sorted(dataset.y)
    with pytest.raises(ValueError, match="leaves one part empty"):
        split(dataset, 0.0001)
