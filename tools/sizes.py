"""Check the house limits of classes, functions and files: ``python -m tools.sizes [PATH ...]``.

A class has at most 25 methods and 20 fields of its own; a function at most 40 lines of code, a main
loop 60; a file at most 300 lines; a line of a generated stub (``.pyi``) at most 200 characters. A
main loop is a function marked by a comment that starts with "main loop", in the lines right above
it or in its first line:

    # Main loop: bins until the certificate holds.        // Main loop: bins until ...
    def minimize(...):                                    void Solver::run(...) {

Lines of code are those without blank lines, comments and docstrings. What counts as a method or a
field is said in tools/measuring/python.py and tools/measuring/cpp.py. Parameters that the
constructor of a scikit-learn estimator keeps unchanged, and fitted attributes (``coef_``), are no
fields of estimators and of the classes that they are made of; nor is the length of such a
constructor measured, which does nothing else.

One rule cannot be measured and is for the reviewer: several structs that are always passed around
together count as one class.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from tools.measuring import PARSERS, Class, Measures, measure

ROOT = Path(__file__).parents[1]
CHECKED = ["src", "native", "tools", "benchmarks", "benchopt", "tests", "noxfile.py"]
STUB = ".pyi"

METHODS = 25
FIELDS = 20
FUNCTION_LINES = 40
MAIN_LOOP_LINES = 60
FILE_LINES = 300
STUB_COLUMNS = 200


def check(sources: dict[PurePath, str]) -> Iterator[str]:
    """Yield one line for each limit that the given texts exceed."""
    measures = {
        path: measure(path, text) for path, text in sources.items() if path.suffix in PARSERS
    }
    estimators = estimator_classes([kind for found in measures.values() for kind in found.classes])
    for path, text in sources.items():
        if path in measures:
            yield from check_file(path, text, measures[path], estimators)
        else:
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > STUB_COLUMNS:
                    yield f"{path}:{number}: {over('line', len(line), 'characters', STUB_COLUMNS)}"


def check_file(path: PurePath, text: str, found: Measures, estimators: set[str]) -> Iterator[str]:
    """Yield one line for each limit that a file, its classes and its functions exceed."""
    for number in found.unparsed:
        yield f"{path}:{number}: not understood by the parser, so nothing here is measured"
    lines = len(text.splitlines())
    if lines > FILE_LINES:
        yield f"{path}:1: {over('file', lines, 'lines', FILE_LINES)}"
    for kind in found.classes:
        name = f"class {kind.name}"
        if len(kind.methods) > METHODS:
            yield f"{path}:{kind.line}: {over(name, len(kind.methods), 'methods', METHODS)}"
        fields = len(counted_fields(kind, kind.name in estimators))
        if fields > FIELDS:
            yield f"{path}:{kind.line}: {over(name, fields, 'fields', FIELDS)}"
    for function in found.functions:
        owner, _, name = function.name.rpartition(".")
        if owner in estimators and name == "__init__":
            continue
        limit = MAIN_LOOP_LINES if function.main_loop else FUNCTION_LINES
        if function.code_lines > limit:
            what = f"{'main loop' if function.main_loop else 'function'} {function.name}"
            text = over(what, function.code_lines, "lines of code", limit)
            yield f"{path}:{function.line}: {text}"


def over(what: str, count: int, unit: str, limit: int) -> str:
    """Return the sentence about something that is too large."""
    return f"{what} has {count} {unit} (limit {limit})"


def estimator_classes(classes: Iterable[Class]) -> set[str]:
    """Return the names of the classes that derive from BaseEstimator, and of their own bases."""
    bases: dict[str, set[str]] = {}
    for kind in classes:
        bases.setdefault(kind.name, set()).update(kind.bases)
    return set().union(
        *(line for name in bases if "BaseEstimator" in (line := ancestors(name, bases)))
    )


def ancestors(name: str, bases: dict[str, set[str]]) -> set[str]:
    """Return the name of a class and of everything that it derives from, as far as known."""
    found = {name}
    waiting = [name]
    while waiting:
        fresh = bases.get(waiting.pop(), set()) - found
        found |= fresh
        waiting.extend(fresh)
    return found


def counted_fields(kind: Class, is_estimator: bool) -> list[str]:
    """Return the fields that count: of an estimator, neither parameters nor fitted attributes."""
    if not is_estimator:
        return list(kind.fields)
    return [
        field
        for field in kind.fields
        if field not in kind.parameters and not (field.endswith("_") and not field.startswith("_"))
    ]


def read(paths: Iterable[Path]) -> dict[PurePath, str]:
    """Return the texts of the source files at or below the given paths, by path from the root."""
    files = (
        file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
    )
    return {
        name: file.read_text("utf-8")
        for file in files
        if (name := file.relative_to(ROOT)).suffix in {*PARSERS, STUB}
    }


def main(arguments: list[str]) -> int:
    """Print every violation below the given paths; the exit status says whether there is one.

    All files are measured whatever is asked for: what an estimator is depends on other files.
    """
    everything = read(ROOT / name for name in CHECKED)
    sources = read((ROOT / name).resolve() for name in arguments) if arguments else everything
    starts = tuple(f"{path}:" for path in sources)
    violations = [line for line in check({**everything, **sources}) if line.startswith(starts)]
    print(
        "\n".join([*violations, f"{len(sources)} files, {len(violations)} over the house limits"])
    )
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
