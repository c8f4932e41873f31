"""Count the lines of code of src and native by room: ``python -m tools.count_lines [--at COMMIT]``.

Lines of code are those without blank lines, comments and docstrings, in Python by ``tokenize``, in
C++ by tree-sitter. The generated stub ``_core.pyi`` and files in other languages do not count.
Without ``--at``, the files of the working tree are counted; ``--since COMMIT`` puts the count of
that commit, and the difference, beside it.
"""

import argparse
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

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


def count(sources: Iterable[Source]) -> Counter[str]:
    """Return the lines of code of each room."""
    lines: Counter[str] = Counter()
    for path, text in sources:
        lines[room(path)] += len(measure(path, text).code_lines)
    return lines


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
    options = parser.parse_args(arguments)
    columns = {}
    if options.since:
        columns[options.since] = count(sources_at(ROOT, options.since))
    name = options.at or "working tree"
    columns[name] = count(sources_at(ROOT, options.at) if options.at else sources_here(ROOT))
    print(table(columns))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
