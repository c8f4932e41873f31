"""Writers that are killed at random moments: the file is the old one or the new one, never half."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from banditcd.cli.linear import LinearModel
from banditcd.cli.model_file import read_model, write_model
from banditcd.data import parsed
from banditcd.data.libsvm import write_libsvm

KILLS = [20, pytest.param(50, marks=pytest.mark.full)]
pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork"),
]


def killed_at_random(work: Callable[[], None], check: Callable[[], None], kills: int) -> None:
    """Run work in a child again and again, kill it at a random moment each time, then check."""
    rng = random.Random(0)
    started = time.perf_counter()
    work()
    seconds = time.perf_counter() - started
    for _ in range(kills):
        child = os.fork()
        if child == 0:
            while True:
                work()
        time.sleep(rng.uniform(0.0, 3.0 * seconds + 0.005))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        check()


@pytest.mark.parametrize("kills", KILLS)
@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_a_model_file_is_the_old_one_or_the_new_one(
    tmp_path: Path, suffix: str, kills: int
) -> None:
    path = tmp_path / f"model{suffix}"
    models = []
    for value in (1.0, 2.0):
        coef = sparse.csr_matrix(np.full((1, 20_000), value))
        models.append(LinearModel("lasso", coef, np.array([value]), None, (), {}))

    def work() -> None:
        for model in models:
            write_model(model, path)

    def check() -> None:
        found = read_model(path)
        assert np.unique(found.coef.data).tolist() == found.intercept.tolist()
        assert found.coef.nnz == 20_000

    killed_at_random(work, check, kills)


@pytest.mark.parametrize("kills", KILLS)
def test_a_cache_is_whole_or_not_there(tmp_path: Path, kills: int) -> None:
    X = sparse.random_array(
        (300, 200), density=0.2, format="csr", random_state=np.random.default_rng(0)
    )
    y = np.arange(300.0)
    path, cache = tmp_path / "data.svm", tmp_path / "cache"
    write_libsvm(path, X, y)
    wanted, checked = parsed._parse(path, None)[0].toarray(), set()

    def work() -> None:
        _, labels = parsed.read_cached(path, None, cache)
        assert labels.tolist() == y.tolist()
        os.utime(path, ns=(time.time_ns(), time.time_ns()))  # another key: written again

    def check() -> None:
        for folder in set(cache.glob("data.svm-*[0-9a-f]")) - checked:
            checked.add(folder)
            found = parsed._open(folder)
            assert found is not None, "a cache folder that has its name is whole"
            np.testing.assert_array_equal(found[0].toarray(), wanted)

    killed_at_random(work, check, kills)
    assert parsed.read_cached(path, None, cache)[0].shape == (300, 200)
