"""Generated stand-ins for real sets that are hard to get whole, always labeled as such.

They have the shape, the density, the kind of labels and a plausible spectrum of the real set, so
that a solver does the same amount of work on them; they say nothing about the real set's content.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.dataset import Dataset

_ALOI_OBJECTS, _ALOI_VIEWS, _ALOI_COLUMNS, _ALOI_DENSITY = 1000, 108, 128, 0.24
_PROTEIN_ROWS, _PROTEIN_WINDOW, _AMINO_ACIDS = 17766, 17, 20


def aloi(rng: np.random.Generator) -> Dataset:
    """Return 108,000 color histograms of 128 bins, 24 % nonzero: 1,000 objects, 108 views of each.

    A bin's log-intensity is its popularity plus a low-rank effect of the object (factors of
    decaying strength, so that the spectrum decays like a power law) plus a smaller effect of the
    view; bins below a common threshold are empty, and the threshold sets the density.
    """
    factors = 48
    strength = np.arange(1, factors + 1) ** -0.6
    loadings = rng.standard_normal((factors, _ALOI_COLUMNS)) * strength[:, None]
    popularity = 0.7 * rng.standard_normal(_ALOI_COLUMNS)
    objects = popularity + rng.standard_normal((_ALOI_OBJECTS, factors)) @ loadings
    turns = 0.35 * rng.standard_normal((_ALOI_OBJECTS * _ALOI_VIEWS, 12)) @ loadings[:12]
    levels = np.repeat(objects, _ALOI_VIEWS, axis=0) + turns
    levels += 0.25 * rng.standard_normal(levels.shape)
    levels -= np.quantile(levels[::10], 1.0 - _ALOI_DENSITY)  # a sample is close enough
    X = sparse.csr_matrix(np.maximum(levels, 0.0, out=levels))
    np.expm1(0.6 * X.data, out=X.data)
    y = np.repeat(np.arange(_ALOI_OBJECTS, dtype=np.float64), _ALOI_VIEWS)
    return _stand_in("aloi", X, y)


def protein(rng: np.random.Generator) -> Dataset:
    """Return 17,766 windows of 17 residues along protein chains, 357 columns, 29 % nonzero.

    A residue is a profile over 20 amino acids (rounded to 0.01, as in the real set) and a flag for
    positions beyond the ends of its chain; the label is the structure (three kinds, in runs) of the
    window's middle. Neighboring rows share 16 of 17 residues, as in the real set.
    """
    lengths = _chain_lengths(rng)
    states = _runs(rng, stay=(0.86, 0.86, 0.86), enter=(0.52, 0.24, 0.24))
    profiles = _profiles(rng, states)
    margin = _PROTEIN_WINDOW // 2
    padded = sum(lengths) + 2 * margin * len(lengths)
    residues = np.zeros((padded, _AMINO_ACIDS + 1))
    chain = np.repeat(np.arange(len(lengths)), lengths)
    middle = np.arange(_PROTEIN_ROWS) + margin * (2 * chain + 1)
    residues[:, _AMINO_ACIDS] = 1.0
    residues[middle, _AMINO_ACIDS] = 0.0
    residues[middle, :_AMINO_ACIDS] = profiles
    window = middle[:, None] + np.arange(-margin, margin + 1)
    X = residues[window].reshape(_PROTEIN_ROWS, -1)
    return _stand_in("protein", sparse.csr_matrix(X), states.astype(np.float64))


def _chain_lengths(rng: np.random.Generator) -> list[int]:
    """Chains of about 150 residues that add up to the number of rows."""
    lengths: list[int] = []
    while (left := _PROTEIN_ROWS - sum(lengths)) > 0:
        lengths.append(min(left, 30 + int(rng.gamma(2.0, 60.0))))
    return lengths


def _runs(
    rng: np.random.Generator, stay: tuple[float, ...], enter: tuple[float, ...]
) -> npt.NDArray[np.intp]:
    """Draw a Markov chain over structures: stay with a probability, else enter any one anew."""
    states = np.empty(_PROTEIN_ROWS, dtype=np.intp)
    fresh = rng.choice(len(enter), size=_PROTEIN_ROWS, p=enter)
    draws = rng.random(_PROTEIN_ROWS)
    state = fresh[0]
    for i in range(_PROTEIN_ROWS):
        if draws[i] >= stay[state]:
            state = fresh[i]
        states[i] = state
    return states


def _profiles(rng: np.random.Generator, states: npt.NDArray[np.intp]) -> Floats:
    """Amino-acid frequencies of every residue: some positions are conserved, others mixed."""
    chemistry = np.random.default_rng(0)  # the amino acids are the same whatever the seed
    background = chemistry.standard_normal(_AMINO_ACIDS) * 0.5
    preference = background + 0.5 * chemistry.standard_normal((3, _AMINO_ACIDS))
    kinship = chemistry.standard_normal((_AMINO_ACIDS, 5))
    similar = kinship @ kinship.T / 3.0 + 2.0 * np.eye(_AMINO_ACIDS)
    gumbel = rng.gumbel(size=(_PROTEIN_ROWS, _AMINO_ACIDS))
    residue = np.argmax(preference[states] + gumbel, axis=1)
    conserved = rng.gamma(2.0, 0.8, size=(_PROTEIN_ROWS, 1))
    scores = background + conserved * similar[residue]
    scores += 2.75 * rng.standard_normal(scores.shape)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(np.round(weights / weights.sum(axis=1, keepdims=True), 2))


def _stand_in(name: str, X: sparse.csr_matrix, y: Floats) -> Dataset:
    return Dataset(
        name=f"{name} (stand-in)",
        X=X,
        y=y,
        task="multiclass",
        stand_in=True,
        source=f"generated: the shape, density and labels of {name}, not its data",
    )


STAND_INS: dict[str, Callable[[np.random.Generator], Dataset]] = {"aloi": aloi, "protein": protein}
