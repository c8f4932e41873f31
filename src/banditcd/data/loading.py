"""One function that finds a data set by its name, whatever kind it is."""

from __future__ import annotations

import os
from pathlib import Path

from banditcd.data import bundled, catalog, store, synthetic, tables
from banditcd.data.calls import parse_call
from banditcd.data.checks import unknown_name
from banditcd.data.dataset import Dataset
from banditcd.data.download import Progress
from banditcd.data.reading import kind_of

SYNTHETIC_PREFIX = "synthetic:"


def load(name: str | os.PathLike[str], *, progress: Progress | None = None) -> Dataset:
    """Load a data set.

    Parameters
    ----------
    name : str or path
        One of

        - a name or alias of the catalog ("usps", "covtype.binary", ...): looked up in the
          directory of BANDITCD_DATA, then in the cache, then downloaded;
        - a set that comes with scikit-learn ("diabetes", "breast_cancer", "digits");
        - "synthetic:NAME" or "synthetic:NAME(option=value, ...)" for a generated one:
          "synthetic:aloi" is a stand-in for aloi, "synthetic:tall(rows=1000, seed=3)" a design;
        - the path of a file of LIBSVM text, plain or compressed;
        - a table of numbers: a file ending in ".csv" or ".tsv" (an optional line of names; also
          compressed), ".parquet" or ".feather", the targets in the last column;
        - a file ending in ".npz" (arrays X and y; or what ``scipy.sparse.save_npz`` writes, plus
          y).
    progress : callable, optional
        Called with the bytes here and in all while a file is downloaded.

    Returns
    -------
    Dataset
        The matrix is memory-mapped when the file was parsed before.
    """
    if not isinstance(name, str):
        return _load_path(Path(name))
    if name.startswith(SYNTHETIC_PREFIX):
        generator, options = parse_call(name.removeprefix(SYNTHETIC_PREFIX))
        return synthetic.synthetic(generator, **options)
    if name in bundled.NAMES:
        return bundled.bundled(name)
    known = known_names()
    if name in known:
        return store.load_cataloged(name, progress=progress)
    path = Path(name).expanduser()
    if path.is_file() or len(path.parts) > 1 or kind_of(path):
        return _load_path(path)
    if path.suffix and path.suffix not in {Path(one).suffix for one in known}:
        raise FileNotFoundError(f"There is no file {path}, and no data set of that name.")
    synthetics = [SYNTHETIC_PREFIX + generator for generator in synthetic.NAMES]
    raise unknown_name("data set", name, [*known, *bundled.NAMES, *synthetics])


def known_names() -> list[str]:
    """Return all names and aliases of the catalog."""
    return [name for entry in catalog.entries() for name in entry.names]


def _load_path(path: Path) -> Dataset:
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; name a file in it.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}.")
    if not path.is_file():
        raise OSError(f"{path} is a device or a pipe; write what it gives to a file first.")
    if kind_of(path):
        return tables.load_table(path)
    return store.load_file(path)
