"""Documents are written like code: lines that fit, constants and files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/results/README.md"]
DOCUMENTS = [*(ROOT / name for name in NAMES), *sorted((ROOT / "docs").glob("*.md"))]
#: Tables, headings, pictures and links alone on a line cannot be wrapped.
UNBROKEN = ("|", "#", "![", "[", "<")


def every_document(documents=DOCUMENTS):
    return pytest.mark.parametrize(
        "document", documents, ids=lambda path: str(path.relative_to(ROOT))
    )


@every_document()
def test_lines_of_prose_have_at_most_a_hundred_characters(document: Path) -> None:
    text = document.read_text("utf-8")
    # What a command prints is no prose; the lines stay, so that their numbers do.
    printed = re.compile(r"^```console$.*?^```$", re.MULTILINE | re.DOTALL)
    text = printed.sub(lambda block: "\n" * block[0].count("\n"), text)
    lines = text.splitlines()
    long = [
        number
        for number, line in enumerate(lines, 1)
        if len(line) > 100 and not line.lstrip().startswith(UNBROKEN)
    ]
    assert not long, f"{document.name}: lines {long}"


@every_document()
def test_native_constants_that_are_named_exist(document: Path) -> None:
    named = set(re.findall(r"`(k[A-Z]\w+)`", document.read_text("utf-8")))
    sources = (path.read_text("utf-8") for path in (ROOT / "native").rglob("*.[ch]pp"))
    defined = {name for text in sources for name in re.findall(r"\b(k[A-Z]\w+) = ", text)}
    assert named <= defined


@every_document()
def test_files_that_are_named_exist(document: Path) -> None:
    named = re.findall(
        r"`((?:native|src|tests|docs|benchmarks|tools)/[\w./-]+)`", document.read_text("utf-8")
    )
    missing = [name for name in named if not (ROOT / name).exists()]
    assert not missing, missing
