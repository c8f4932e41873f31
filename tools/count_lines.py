"""Count the lines of code of src and native by room: ``python -m tools.count_lines [--at COMMIT]``.

Lines of code are those without blank lines, comments and docstrings, in Python by ``tokenize``, in
C++ by tree-sitter. The generated stub ``_core.pyi`` and files in other languages do not count.
Without ``--at``, the files of the working tree are counted; ``--since COMMIT`` puts the count of
that commit, and the difference, beside it. With ``--equal-features`` the lines of features that
came since are counted apart: their files, and in other files what uses them. How they are found,
and why what is left is still an upper bound, is in :mod:`tools.features`.
"""

import argparse
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath

from tools.features import feature_of, lines_of_features, mistakes, names_of_features, words_in_use
from tools.measuring import PARSERS, measure

ROOT = Path(__file__).parents[1]
COUNTED = ("src", "native")

Source = tuple[PurePath, str]


def sources_here(root: Path) -> Iterator[Source]:
    """Yield the path and the text of every source file of the working tree."""
    for folder in COUNTED:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in PARSERS:
                yield file.relative_to(root), file.read_text("utf-8")


def sources_at(root: Path, commit: str) -> Iterator[Source]:
    """Yield the path and the text of every source file of a commit."""
    command = ["git", "archive", "--format=tar", commit, *COUNTED]
    archive = subprocess.run(command, cwd=root, capture_output=True, check=False)
    if archive.returncode:
        raise SystemExit(f"git cannot read {commit}: {archive.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        for member in files:
            path = PurePath(member.name)
            if path.suffix in PARSERS and (file := files.extractfile(member)):
                yield path, file.read().decode("utf-8")


def room(path: PurePath) -> str:
    """Return the room of a file: native/svm, src/banditcd/engine, or src/banditcd itself."""
    depth = 3 if path.parts[0] == "src" else 2
    return "/".join(path.parent.parts[:depth])


def count(sources: Iterable[Source], key: Callable[[PurePath], str | None] = room) -> Counter[str]:
    """Return the lines of code of each room, or of whatever a file has as its key."""
    lines: Counter[str] = Counter()
    for path, text in sources:
        if name := key(path):
            lines[name] += len(measure(path, text).code_lines)
    return lines


def split(files: list[Source], names: frozenset[str]) -> tuple[Counter[str], Counter[str]]:
    """Return the lines of code of each room without features, and those of each feature."""
    rooms: Counter[str] = Counter()
    features = count(files, feature_of)
    for path, text in files:
        if feature_of(path) is None:
            apart = len(lines_of_features(path, text, names))
            rooms[room(path)] += len(measure(path, text).code_lines) - apart
            features["in files that were there before"] += apart
    return rooms, features


def check_features(root: Path, since: str) -> None:
    """Require that the files of new features came after a commit, and not by a new name."""
    command = ["git", "diff", "--find-renames", "--diff-filter=AR", "--name-status", since, "--"]
    answer = subprocess.run(
        [*command, *COUNTED], cwd=root, capture_output=True, check=True, text=True
    )
    changes = [line.split("\t") for line in answer.stdout.splitlines()]
    added = [PurePath(names[0]) for kind, *names in changes if kind == "A"]
    renamed = [PurePath(names[-1]) for kind, *names in changes if kind != "A"]
    before = list(sources_at(root, since))
    found = mistakes(added, [*(path for path, _ in before), *renamed])
    found += [f"{word} is a word of {since} already" for word in words_in_use(before)]
    if found:
        raise SystemExit("\n".join(found))


def table(columns: dict[str, Counter[str]]) -> str:
    """Return a table of rooms, with the sums of Python and C++; two columns have a difference."""
    counts = list(columns.values())
    rooms = sorted({name for lines in counts for name in lines})
    rows = [(name, [lines[name] for lines in counts]) for name in rooms]
    for title, start in (("Python", "src"), ("C++", "native"), ("total", "")):
        sums = [sum(lines[name] for name in rooms if name.startswith(start)) for lines in counts]
        rows.append((title, sums))
    titles = list(columns)
    if len(titles) == 2:
        titles.append("change")
        rows = [(name, [*numbers, numbers[1] - numbers[0]]) for name, numbers in rows]
    head = "".join(f"{title:>14}" for title in titles)
    body = (f"{name:<24}" + "".join(f"{number:>14}" for number in ns) for name, ns in rows)
    return "\n".join([f"{'lines of code':<24}{head}", *body])


def main(arguments: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.count_lines", description=__doc__)
    parser.add_argument("--at", metavar="COMMIT", help="count this commit, not the working tree")
    parser.add_argument("--since", metavar="COMMIT", help="compare with this commit")
    parser.add_argument("--equal-features", action="store_true", help="without what came since")
    options = parser.parse_args(arguments)
    if options.equal_features and not options.since:
        parser.error("--equal-features goes with --since")
    columns = {}
    if options.since:
        columns[options.since] = count(sources_at(ROOT, options.since))
    name = options.at or "working tree"
    files = list(sources_at(ROOT, options.at) if options.at else sources_here(ROOT))
    if options.equal_features:
        check_features(ROOT, options.since)
        old = sources_at(ROOT, options.since)
        columns[name], features = split(files, names_of_features(files, old))
        print("\n".join(f"{lines:>6}  {which}" for which, lines in features.most_common()))
        print(f"{features.total():>6}  lines of features that came since, counted apart\n")
    else:
        columns[name] = count(files)
    print(table(columns))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
