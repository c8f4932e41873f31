"""Fuzz the readers: ``python -m tests.fuzz csv --count 20000``, or with guidance ``--seconds 60``.

``--count`` runs seeded mutations with any compiler; input k of a seed is always the same.
``--seconds`` lets atheris choose inputs that reach new lines of our Python code (Linux, in the
environment of ``nox -s fuzz``).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from types import FunctionType

from tests.fuzz.mutations import CORPUS, mutated, seeds


def count(target: str, seed: int, number: int) -> None:
    """Run seeded mutations; the first fault ends the run and names its input."""
    from tests.fuzz.targets import TARGETS

    corpus, started = seeds(target), time.process_time()
    for index in range(number):
        content = mutated(corpus, seed, index)
        try:
            TARGETS[target](content)
        except Exception:
            sys.stderr.write(f"{target}, seed {seed}, input {index}: {content[:200]!r}\n")
            raise
    seconds = time.process_time() - started
    sys.stdout.write(f"{target}: {number} inputs of seed {seed}, {seconds:.1f} s\n")


def guided(target: str, seconds: int, found: Path) -> None:
    """Fuzz with the coverage of our Python code as guide; the process ends with the run."""
    import atheris

    from banditcd.cli import model_file
    from banditcd.data import delimited, libsvm, npz, parsed, reading, streams, tables
    from tests.fuzz.targets import TARGETS

    for module in (model_file, delimited, libsvm, npz, parsed, reading, streams, tables):
        for function in vars(module).values():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                atheris.instrument_func(function)
    found.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", "-max_len=4096", "-timeout=10", "-print_final_stats=1"]
    options.append(f"-artifact_prefix={found}/fault-")
    atheris.Setup(["fuzz", *options, str(found), str(CORPUS / target)], TARGETS[target])
    atheris.Fuzz()


def main() -> None:
    """Fuzz one target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(path.name for path in CORPUS.iterdir()))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=0, help="with guidance; needs atheris")
    parser.add_argument("--found", type=Path, default=Path("build/fuzz"), help="for new inputs")
    given = parser.parse_args()
    if given.seconds:
        guided(given.target, given.seconds, given.found / given.target)
    else:
        count(given.target, given.seed, given.count)


if __name__ == "__main__":
    main()
