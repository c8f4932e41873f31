"""One virtual environment per library, made on demand below ``.peers/``.

Libraries disagree about NumPy, so no two share an environment. A library that cannot be installed
leaves its pip log and a reason behind and is reported as "does not build here": it is never
dropped in silence. Run ``python -m benchmarks.peers.environments`` to make all of them and see
which ones work; ``--retry`` tries the failed ones again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".peers"
OURS = "banditcd"

_NUMERICS = ("numpy==2.4.6", "scipy==1.17.1", "scikit-learn==1.9.1")


@dataclass(frozen=True)
class Environment:
    """What pip is asked for, in order; each step is one call.

    Attributes
    ----------
    name : str
        Folder below ``.peers/`` and name of the adapter file.
    distribution : str
        The distribution whose version is reported.
    steps : tuple of tuple of str
        Arguments of successive ``pip install`` calls.
    """

    name: str
    distribution: str
    steps: tuple[tuple[str, ...], ...]

    @property
    def folder(self) -> Path:
        """Where it lives."""
        return FOLDER / self.name

    @property
    def python(self) -> Path:
        """Its interpreter; that of this process for our own library."""
        if self.name == OURS:
            return Path(sys.executable)
        inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
        return self.folder / inside

    @property
    def fingerprint(self) -> str:
        """Changes when the declaration or the interpreter does."""
        text = json.dumps([asdict(self), sys.version])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


ENVIRONMENTS: dict[str, Environment] = {
    environment.name: environment
    for environment in (
        Environment(OURS, OURS, ()),
        Environment("scikit_learn", "scikit-learn", (_NUMERICS,)),
        # LassoCV of celer 0.7.4 needs scikit-learn < 1.9.
        Environment(
            "celer",
            "celer",
            (("numpy==2.4.6", "scipy==1.17.1", "scikit-learn==1.7.2", "celer==0.7.4"),),
        ),
        Environment("skglm", "skglm", ((*_NUMERICS, "skglm==0.5"),)),
        # adelie declares numpy < 2 but works with a newer one.
        Environment(
            "adelie",
            "adelie",
            ((*_NUMERICS, "tqdm", "matplotlib", "ipython"), ("--no-deps", "adelie==1.1.52")),
        ),
        Environment("glmnet", "python-glmnet", ((*_NUMERICS, "python-glmnet==2.6.1"),)),
        Environment("snapml", "snapml", ((*_NUMERICS, "snapml==1.17.2"),)),
        Environment("blitz", "blitzl1", ((*_NUMERICS, "blitzl1==0.0.2"),)),
        # Its build scripts need an old setuptools, its sources an old NumPy.
        Environment(
            "lightning",
            "sklearn-contrib-lightning",
            (
                (
                    "setuptools<60",
                    "wheel",
                    "numpy==1.26.4",
                    "scipy<1.12",
                    "scikit-learn<1.3",
                    "cython<3",
                ),
                ("--no-build-isolation", "--no-deps", "sklearn-contrib-lightning==0.6.2.post0"),
            ),
        ),
        Environment("spams", "spams-bin", ((*_NUMERICS, "spams-bin==2.6.14"),)),
        Environment("cyanure", "cyanure", ((*_NUMERICS, "cyanure==1.2.2"),)),
        Environment(
            "liblinear", "liblinear-official", ((*_NUMERICS, "liblinear-official==2.50.0"),)
        ),
    )
}


class DoesNotBuildError(Exception):
    """The library could not be installed here; the message says why."""


def ensure(environment: Environment, *, retry: bool = False) -> Path:
    """Return the environment's interpreter, after making the environment if need be.

    Raises
    ------
    DoesNotBuildError
        If pip fails now, or failed before with the same declaration (unless ``retry``).
    """
    if environment.name == OURS:
        return environment.python
    made, failed = environment.folder / "made", FOLDER / f"{environment.name}.failed"
    if made.exists() and made.read_text("utf-8") == environment.fingerprint:
        return environment.python
    if failed.exists() and not retry:
        fingerprint, _, reason = failed.read_text("utf-8").partition("\n")
        if fingerprint == environment.fingerprint:
            raise DoesNotBuildError(reason.strip())
    failed.unlink(missing_ok=True)
    try:
        _make(environment)
    except subprocess.CalledProcessError as error:
        reason = _reason(FOLDER / f"{environment.name}.log", error.returncode)
        failed.write_text(f"{environment.fingerprint}\n{reason}\n", "utf-8")
        raise DoesNotBuildError(reason) from error
    made.write_text(environment.fingerprint, "utf-8")
    return environment.python


def _make(environment: Environment) -> None:
    shutil.rmtree(environment.folder, ignore_errors=True)
    FOLDER.mkdir(exist_ok=True)
    print(f"Making the environment of {environment.distribution} ...", flush=True)
    venv.create(environment.folder, with_pip=True)
    pip = [str(environment.python), "-m", "pip", "--disable-pip-version-check", "install"]
    with (FOLDER / f"{environment.name}.log").open("w", encoding="utf-8") as log:
        for step in environment.steps:
            print("pip install", *step, file=log, flush=True)
            subprocess.run([*pip, *step], check=True, stdout=log, stderr=subprocess.STDOUT)


def _reason(log: Path, code: int) -> str:
    """Return the last line of the log that names an error."""
    lines = [line.strip() for line in log.read_text("utf-8", errors="replace").splitlines()]
    errors = [line for line in lines if "rror" in line and not line.startswith("note:")]
    return errors[-1] if errors else f"pip ended with code {code}"


def main() -> int:
    """Make all environments, or the ones named, and print which of them work."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ENVIRONMENTS))
    parser.add_argument("--retry", action="store_true", help="try failed ones again")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(ENVIRONMENTS))
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are: {', '.join(ENVIRONMENTS)}")
    for name in options.names or ENVIRONMENTS:
        try:
            ensure(ENVIRONMENTS[name], retry=options.retry)
            print(f"{name:<14} ready")
        except DoesNotBuildError as error:
            print(f"{name:<14} does not build here: {error}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
