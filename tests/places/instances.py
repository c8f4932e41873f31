"""Places that hold the same data in different ways; every law of places runs on all of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from banditcd.places import matrix_file
from banditcd.places.blocks import ArrayPlace
from banditcd.places.card import CardPlace
from banditcd.places.disk import FilePlace
from tests.places.doubles import NumpyCalls

Make = Callable[[Any, Any, Any, Path], Any]


def in_file(order: str) -> Make:
    def make(X, y, weight, folder):
        path = folder / f"{order}.npy"
        np.save(path, np.asarray(X, order=order))
        return FilePlace(np.load(path, mmap_mode="r"), y, weight)

    return make


def on_card(form: Callable[[Any], Any]) -> Make:
    return lambda X, y, weight, folder: CardPlace(form(X), y, weight, calls=NumpyCalls())


def on_dask(chunks: Any, form: Callable[[Any], Any] = lambda block: block) -> Make:
    def make(X, y, weight, folder):
        da = pytest.importorskip("dask.array")
        from banditcd.places.cluster import DaskPlace

        blocks = da.from_array(X, chunks=(chunks, X.shape[1])).map_blocks(form)
        rows = None if weight is None else da.from_array(weight, chunks=chunks)
        return DaskPlace(blocks, da.from_array(y, chunks=chunks), rows)

    return make


PLACES: dict[str, Make] = {
    "array, one block": lambda X, y, w, folder: ArrayPlace(X, y, w),
    "array, blocks of 37 rows": lambda X, y, w, folder: ArrayPlace(X, y, w, block_rows=37),
    "array, Fortran order": lambda X, y, w, f: ArrayPlace(np.asfortranarray(X), y, w, 100),
    "array, CSR": lambda X, y, w, folder: ArrayPlace(sparse.csr_array(X), y, w, block_rows=64),
    "file, C order": in_file("C"),
    "file, Fortran order": in_file("F"),
    "card, Fortran order": on_card(np.asfortranarray),
    "card, C order": on_card(np.ascontiguousarray),
    "card, CSC": on_card(sparse.csc_array),
    "card, CSR": on_card(sparse.csr_array),
    "dask, three blocks": on_dask(100),
    "dask, uneven blocks": on_dask((1, 199, 0, 57, 43)),
    "dask, sparse blocks": on_dask(90, sparse.csr_array),
}


@pytest.fixture(params=PLACES)
def make_place(request, tmp_path, monkeypatch):
    """A function of X, y and weights that returns the place, with small readings of files."""
    monkeypatch.setattr(matrix_file, "READ_BYTES", 1 << 14)
    return lambda X, y, weight=None: PLACES[request.param](X, y, weight, tmp_path)
