"""A small file to race on."""

from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def table_file(tmp_path: Path) -> str:
    rng = np.random.default_rng(5)
    X = rng.standard_normal((40, 8)) + rng.standard_normal((40, 1))
    y = X[:, 0] - X[:, 1] + 0.1 * rng.standard_normal(40)
    path = tmp_path / "table.csv"
    np.savetxt(path, np.column_stack([X, y]), delimiter=",")
    return str(path)
