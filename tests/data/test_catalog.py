"""The catalog is consistent, and agrees with the files of a data directory where there is one."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from banditcd.data import catalog
from banditcd.data.download import file_digest
from banditcd.data.libsvm import read_libsvm

ENTRIES = catalog.entries()
NEEDED = """
    usps usps.t aloi protein protein.val protein.t w8a w8a.t a9a a9a.t a7a a8a rcv1.binary news20
    news20.binary real-sim covtype.binary covtype.libsvm.binary leukemia leu colon-cancer gisette
    gisette.t madelon madelon.t mushrooms phishing abalone cadata cpusmall YearPredictionMSD
    E2006-tfidf
"""
# Read at import: the tests' own environment hides the variable.
DIRECTORY = os.environ.get("BANDITCD_DATA", "")
COPIES = [
    pytest.param(
        entry,
        copy,
        id=copy.file,
        marks=[pytest.mark.full] if entry.nonzeros > 1_500_000 else [],  # seconds to decompress
    )
    for entry in ENTRIES
    for copy in entry.copies
    if DIRECTORY and (Path(DIRECTORY) / copy.file).exists()
]


def test_names_and_aliases_are_unique():
    names = [name for entry in ENTRIES for name in entry.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", NEEDED.split())
def test_the_sets_we_promise_are_there(name):
    assert name in catalog.find(name).names


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_an_entry_is_consistent(entry):
    assert entry.rows > 0
    assert entry.columns > 0
    assert 0 <= entry.nonzeros <= entry.rows * entry.columns
    assert {"regression": 0, "binary": 2}.get(entry.task, entry.classes) == entry.classes
    assert entry.task != "multiclass" or entry.classes > 2
    assert entry.page.endswith(f"{entry.task}.html")
    assert re.fullmatch(r"(md5:[0-9a-f]{32}|sha256:[0-9a-f]{64})?", entry.checksum)
    for copy in entry.copies:
        assert re.fullmatch("[0-9a-f]{64}", copy.sha256)
        assert copy.file.removesuffix(".svm.bz2") in entry.names
    if entry.test:
        test = catalog.find(entry.test)
        assert (test.task, test.columns) == (entry.task, entry.columns)


def test_an_unknown_name_lists_the_nearest():
    with pytest.raises(ValueError, match=r"Unknown data set 'upss'\. Did you mean 'usps'"):
        catalog.find("upss")


@pytest.mark.skipif(not COPIES, reason="BANDITCD_DATA is not set or holds no known copy")
@pytest.mark.parametrize(("entry", "copy"), COPIES)
def test_known_copies_are_what_the_catalog_says(entry, copy):
    path = Path(DIRECTORY) / copy.file
    assert file_digest(path) == copy.sha256
    X, y = read_libsvm(path, entry.columns)
    assert X.shape == (entry.rows, entry.columns)
    assert np.count_nonzero(X.data) == entry.nonzeros
    if entry.classes:
        assert len(np.unique(y)) == entry.classes
