"""Small files to race on, fit and predict."""

from pathlib import Path

import numpy as np
import pytest

from banditcd.data import write_libsvm


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep parsed files out of the user's cache."""
    monkeypatch.setenv("BANDITCD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("BANDITCD_DATA", raising=False)


@pytest.fixture
def table_file(tmp_path: Path) -> str:
    rng = np.random.default_rng(5)
    X = rng.standard_normal((40, 8)) + rng.standard_normal((40, 1))
    y = X[:, 0] - X[:, 1] + 0.1 * rng.standard_normal(40)
    path = tmp_path / "table.csv"
    np.savetxt(path, np.column_stack([X, y]), delimiter=",")
    return str(path)


@pytest.fixture
def text_file(tmp_path: Path) -> str:
    """LIBSVM text, compressed, with two classes and many zeros."""
    rng = np.random.default_rng(6)
    X = rng.integers(1, 9, (60, 12)) * (rng.random((60, 12)) < 0.3)
    y = np.where(X[:, 0] + X[:, 3] + rng.standard_normal(60) > 3.0, 1.0, -1.0)
    path = tmp_path / "text.svm.bz2"
    write_libsvm(path, X.astype(float), y)
    return str(path)
