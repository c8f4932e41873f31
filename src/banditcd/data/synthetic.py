"""Seeded, generated data sets: benchmark designs, and stand-ins for real sets."""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.checks import check_number, unknown_name
from banditcd.data.dataset import Dataset, Task
from banditcd.data.stand_ins import STAND_INS


def synthetic(name: str, *, seed: int = 0, **options: Any) -> Dataset:
    """Generate a data set; the same name, seed and options give the same numbers.

    Parameters
    ----------
    name : str
        "tall", "wide", "gene", "text" or "scattered" for the benchmark designs, "aloi" or
        "protein" for stand-ins of the real sets: these are labelled, `stand_in` is true and the
        name says so.
    seed : int
        Seed of the generator.
    **options
        Options of a benchmark design: rows, columns, task ("regression" or "binary") and what its
        docstring names. Stand-ins have none.
    """
    if name not in NAMES:
        raise unknown_name("synthetic data set", name, NAMES)
    if int(seed) != seed or seed < 0:
        raise ValueError(f"seed is {seed!r}; it must be a whole number from 0 on.")
    # The name is part of the seed, so that two designs of one seed share no numbers.
    rng = np.random.default_rng([int(seed), zlib.crc32(name.encode())])
    generator: Callable[..., Dataset] = {**STAND_INS, **DESIGNS}[name]
    known = [option for option in inspect.signature(generator).parameters if option != "rng"]
    for option in options:
        if option not in known:
            allowed = ", ".join(known) or "none"
            raise ValueError(f"synthetic({name!r}) has no option {option!r}; it has: {allowed}.")
    for size in ("rows", "columns", "pathways"):
        if size in options and (not isinstance(options[size], int) or options[size] < 2):
            raise ValueError(f"{size} is {options[size]!r}; it must be a whole number from 2 on.")
    if options.get("task", "regression") not in ("regression", "binary"):
        raise ValueError(f"task is {options['task']!r}; it must be 'regression' or 'binary'.")
    return generator(rng, **options)


def tall(
    rng: np.random.Generator,
    rows: int = 20_000,
    columns: int = 300,
    rho: float = 0.9,
    task: Task = "regression",
) -> Dataset:
    """Return many Gaussian rows with AR(1) columns: corr(x_i, x_j) = rho^|i - j|, 10 % true."""
    X = _autoregressive(rng, rows, columns, rho)
    return _with_target(rng, "tall", X, max(1, columns // 10), task)


def wide(
    rng: np.random.Generator,
    rows: int = 1_000,
    columns: int = 10_000,
    rho: float = 0.5,
    task: Task = "regression",
) -> Dataset:
    """Return few Gaussian rows with many AR(1) columns, 1 % of them true."""
    X = _autoregressive(rng, rows, columns, rho)
    return _with_target(rng, "wide", X, max(1, columns // 100), task)


def gene(
    rng: np.random.Generator,
    rows: int = 200,
    columns: int = 20_000,
    pathways: int = 50,
    task: Task = "regression",
) -> Dataset:
    """Return a design like gene expression: very few rows, columns in strongly correlated groups.

    A column is the sum of its pathway's factor, of a few factors common to all, and of noise; it
    is standardized. Strengths differ between pathways, so that the spectrum decays.
    """
    pathway = rng.integers(pathways, size=columns)
    strength = rng.gamma(2.0, 0.7, size=pathways)[pathway]
    common = rng.standard_normal((rows, 5)) @ (0.5 * rng.standard_normal((5, columns)))
    X = rng.standard_normal((rows, pathways))[:, pathway] * strength + common
    X += rng.standard_normal((rows, columns))
    X -= X.mean(axis=0)
    X /= X.std(axis=0)
    return _with_target(rng, "gene", X, 30, task)


def text(
    rng: np.random.Generator,
    rows: int = 20_000,
    columns: int = 50_000,
    words: float = 108.0,
    task: Task = "regression",
) -> Dataset:
    """Return documents as sparse rows: power-law words, tf-idf weights, unit length.

    A document has about `words` words, drawn from a Zipf law; every third one from its topic's own
    order of the words. Weights are (count) log(rows / documents with the word), as usual.
    """
    check_number(words, "words", minimum=1.0)
    topics = 20
    length = np.maximum(5, rng.lognormal(np.log(words), 0.5, size=rows)).astype(np.intp)
    document = np.repeat(np.arange(rows), length)
    law = np.cumsum((np.arange(columns) + 2.7) ** -1.05)
    rank = np.searchsorted(law, rng.random(len(document)) * law[-1])
    order = np.stack([rng.permutation(columns) for _ in range(topics)])
    topic = rng.integers(topics, size=rows)[document]
    word = np.where(rng.random(len(document)) < 1.0 / 3.0, order[topic, rank], rank)
    shape = (rows, columns)
    X = sparse.coo_matrix((np.ones(len(word)), (document, word)), shape=shape).tocsr()
    seen = np.bincount(X.indices, minlength=columns)
    X.data *= np.log1p(rows / np.maximum(seen, 1))[X.indices]
    X.data /= np.repeat(np.sqrt(np.add.reduceat(X.data**2, X.indptr[:-1])), np.diff(X.indptr))
    X.sort_indices()
    return _with_target(rng, "text", X, 200, task)


def scattered(
    rng: np.random.Generator,
    rows: int = 6_000,
    columns: int = 3_000,
    density: float = 0.01,
    task: Task = "regression",
) -> Dataset:
    """Return normal entries at random places: sparse rows without the power law of a text."""
    check_number(density, "density", minimum=0.0, maximum=1.0, strict=True)
    count = max(rows, round(density * rows * columns))
    places = np.unique(rng.integers(rows * columns, size=count))
    values = rng.standard_normal(len(places))
    X = sparse.coo_matrix((values, np.divmod(places, columns)), shape=(rows, columns)).tocsr()
    return _with_target(rng, "scattered", X, 60, task)


DESIGNS: dict[str, Callable[..., Dataset]] = {
    "tall": tall,
    "wide": wide,
    "gene": gene,
    "text": text,
    "scattered": scattered,
}
NAMES = (*STAND_INS, *DESIGNS)


def _autoregressive(rng: np.random.Generator, rows: int, columns: int, rho: float) -> Floats:
    """x_0 = z_0, x_j = rho x_(j-1) + sqrt(1 - rho^2) z_j: every column has variance 1."""
    if not -1.0 < rho < 1.0:
        raise ValueError(f"rho is {rho!r}; it must be between -1 and 1.")
    noise = rng.standard_normal((rows, columns))
    X = np.asfortranarray(noise)
    X[:, 1:] *= np.sqrt(1.0 - rho**2)
    for j in range(1, columns):
        X[:, j] += rho * X[:, j - 1]
    return X


def _with_target(
    rng: np.random.Generator, name: str, X: Any, true_columns: int, task: Task
) -> Dataset:
    """Add y = X w + noise (a quarter of the signal's spread), or its sign, for a sparse w."""
    columns = X.shape[1]
    pool = np.arange(columns)
    if not isinstance(X, np.ndarray):  # rare words would explain no document
        often = np.argsort(-np.bincount(X.indices, minlength=columns), kind="stable")
        pool = often[: max(columns // 10, true_columns)]
    chosen = rng.choice(pool, size=min(true_columns, len(pool)), replace=False)
    w = np.zeros(columns)
    w[chosen] = rng.choice([-1.0, 1.0], size=len(chosen)) * (1.0 + rng.random(len(chosen)))
    y = np.asarray(X @ w)
    y = y + 0.25 * y.std() * rng.standard_normal(len(y))
    if task == "binary":
        y = np.where(y > np.median(y), 1.0, -1.0)
    return Dataset(name, X, y, task, source="generated")
