"""Checks that need environments of their own: `nox --list`, `nox -s oldest`.

make test is the everyday check. Here are the other Python versions, the oldest supported
dependencies, and native builds that check themselves. A Python that is not installed is skipped.
"""

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
@nox.parametrize("version", ["newest", "oldest"])
def suites(session: nox.Session, version: str) -> None:
    """Run scikit-learn's own tests with our classes, at both ends of our range."""
    install(session, *(OLDEST if version == "oldest" else []))
    session.run("python", "-m", "tests.suites.report", *(session.posargs or ["-n", "auto"]))


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
