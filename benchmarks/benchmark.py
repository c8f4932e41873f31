"""What a benchmark consists of; the runner, the report and the pictures are the same for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from banditcd.data import Dataset, apply, load
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.unseen import Design, unseen_shapes

UNSEEN = 15
DESIGNS = (
    Design("tall", (1000, 20), (30_000, 500), "rho", (0.0, 0.95)),
    Design("wide", (100, 1000), (1500, 15_000), "rho", (0.0, 0.9)),
    Design("gene", (50, 2000), (250, 20_000), "pathways", (5, 60), ".0f"),
    Design("text", (1000, 3000), (20_000, 50_000), "words", (10.0, 120.0), ".0f"),
    Design("scattered", (500, 1000), (10_000, 20_000), "density", (0.001, 0.015), ".4f"),
)


@dataclass(frozen=True)
class DataSpec:
    """A data set of a benchmark.

    Attributes
    ----------
    name : str
        Printed name.
    source : str
        What ``banditcd.data.load`` reads.
    group : str
        "real", "synthetic", "held out": never looked at while constants were chosen, or "unseen":
        generated from the hash of the commit that is measured.
    steps : tuple of str
        Preprocessing. In all sets empty columns are dropped; y is centered for a regression.
    quick : bool
        Whether it belongs to the quick subset.
    """

    name: str
    source: str
    group: str
    steps: tuple[str, ...] = ()
    quick: bool = False


@dataclass(frozen=True)
class Kind:
    """One kind of task.

    Attributes
    ----------
    option : str
        Its name on the command line.
    method : str
        Its name in the adapters.
    title : str
        Its heading in the report.
    worst, median : float
        What the smallest and the median ratio are meant to be at least.
    against : tuple of str
        The peers the aim is about; empty for all.
    """

    option: str
    method: str
    title: str
    worst: float
    median: float
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """Problems of one design in which one number grows."""

    name: str
    source: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Benchmark:
    """Data sets, tasks, solvers and words.

    Attributes
    ----------
    name, title : str
        Stem of the files, and heading of the report.
    judged : str
        How the accuracy of a fit is measured, in a sentence or two.
    data : dict of DataSpec
        The data sets.
    task : str
        "regression" or "binary".
    tasks : callable
        Returns the tasks of a problem; the book holds optima, for those that need one.
    kinds : tuple of Kind
        The kinds of these tasks.
    solvers : tuple of (environment, variant)
        Everybody who may enter; those that are often fast come first, because the fastest so far
        limits the time of the others.
    ours : tuple of str
        Our variants, the one to be compared first.
    families, growing : tuples
        The scaling study: what grows, and the (kind, setting) that are measured.
    quick_settings, quick_targets : tuples
        What ``--quick`` is about.
    few_passes : dict
        By setting, the number of readings of the data that we aim not to exceed.
    """

    name: str
    title: str
    judged: str
    data: dict[str, DataSpec]
    task: str
    tasks: Callable[[Problem, Book], list[Task]]
    kinds: tuple[Kind, ...]
    solvers: tuple[tuple[str, str], ...]
    ours: tuple[str, ...]
    families: tuple[Family, ...] = ()
    growing: tuple[tuple[str, str], ...] = ()
    quick_settings: tuple[str, ...] = ()
    quick_targets: tuple[float, ...] = (1e-4, 1e-6)
    few_passes: dict[str, float] = field(default_factory=dict)

    def read(self, spec: DataSpec) -> Problem:
        """Return the problem of a set."""
        return read_classes(spec) if self.task == "binary" else read_regression(spec)

    def with_unseen(self, seed: str) -> Benchmark:
        """Return it with the sets that follow from a text beside its own."""
        return replace(self, data={**self.data, **unseen(seed, self.task)})

    @property
    def titles(self) -> dict[str, str]:
        """Headings of the kinds."""
        return {kind.method: kind.title for kind in self.kinds}


def listed(*specs: DataSpec) -> dict[str, DataSpec]:
    """Return data sets by name."""
    return {spec.name: spec for spec in specs}


def unseen(seed: str, task: str) -> dict[str, DataSpec]:
    """Return the sets that follow from the hash of a commit, which their names begin with."""
    shapes = unseen_shapes(seed, DESIGNS, (task,), UNSEEN)
    return listed(
        *(
            DataSpec(f"{seed[:8]} {k + 1} {DESIGNS[k % len(DESIGNS)].name}", source, "unseen")
            for k, source in enumerate(shapes)
        )
    )


def read_regression(spec: DataSpec) -> Problem:
    """Load a set with centered numbers as responses."""
    dataset = apply(load(spec.source), spec.steps)
    y = np.asarray(dataset.y, dtype=np.float64)
    return _problem(spec, dataset, y - y.mean())


def read_classes(spec: DataSpec) -> Problem:
    """Load a set with labels -1 and +1; more than two classes are halved."""
    dataset = apply(load(spec.source), (*spec.steps, "halved_classes"))
    return _problem(spec, dataset, np.asarray(dataset.y, dtype=np.float64))


def _problem(spec: DataSpec, dataset: Dataset, y: np.ndarray) -> Problem:
    """Return Fortran order or CSC in float64, without empty columns."""
    if dataset.is_sparse:
        X = dataset.X.tocsc().astype(np.float64)
        X.eliminate_zeros()
        X = X[:, np.diff(X.indptr) > 0]
        X.sort_indices()
    else:
        X = np.asfortranarray(dataset.X, dtype=np.float64)
        X = np.asfortranarray(X[:, np.any(X != 0.0, axis=0)])
    return Problem(spec.name, spec.group, X, y)
