"""The glossary is that of the project: its words are in use, and retired ones are not."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
WHERE_USED = ["src", "native", "docs"]
WHERE_GONE = [
    *WHERE_USED,
    *("benchmarks", "benchopt", "tests", "tools"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml", "Makefile", "noxfile.py"),
]
TEXT = {
    *(".py", ".pyi", ".cpp", ".hpp", ".md", ".toml", ".txt", ""),
    *(".csv", ".json", ".html", ".svg", ".js", ".css"),
}


def rows(section: str) -> list[list[str]]:
    """Return the cells of the table below a heading; ``\\|`` is a bar inside a cell."""
    text = GLOSSARY.read_text("utf-8").split(f"\n## {section}\n")[1].split("\n## ")[0]
    table = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [re.split(r" (?<!\\)\| ", line[2:].removesuffix(" |")) for line in table]
    return [[cell.replace(r"\|", "|") for cell in row] for row in cells[1:]]


WORDS = [row[0] for row in rows("Words")]
RETIRED = {row[0]: row[1].strip("`") for row in rows("Retired words")}


@cache
def texts(folders: tuple[str, ...]) -> dict[str, str]:
    """Return the texts of the project by path, without the glossary itself."""
    files = (
        file
        for name in folders
        for file in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))
        if file.is_file() and file.suffix in TEXT and file != GLOSSARY
    )
    return {str(file.relative_to(ROOT).as_posix()): file.read_text("utf-8") for file in files}


@cache
def shortened(text: str) -> str:
    """Return a text with a digit in the place of each long number: rows of results are numbers."""
    return re.sub(r"[\d.+-]{4,}", "0", text)


def places(pattern: str, sources: dict[str, str]) -> Iterator[str]:
    """Yield where a pattern occurs: path:line and the line, or the path if it is in the name."""
    found = re.compile(pattern)
    for path, text in sorted(sources.items()):
        if found.search(path):
            yield f"{path}: its name"
        if not found.search(shortened(text)):
            continue
        for match in found.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match.group()!r}"


def usage(word: str) -> str:
    """Return a pattern for a word, its plural and its spellings in names: lazy_pass, row_space."""
    spelled = r"[\s_-]?".join(map(re.escape, word.split()))
    return rf"(?i)(?<![^\W_]){spelled}(s|es)?(?![^\W_])"


def test_words_are_listed_once_and_in_order() -> None:
    assert sorted({word.lower() for word in WORDS}) == [word.lower() for word in WORDS]
    assert all(len(row) == 2 for row in rows("Words"))


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_glossary_is_in_use(word: str) -> None:
    pattern = re.compile(usage(word))
    assert any(pattern.search(text) for text in texts(tuple(WHERE_USED)).values())


def test_usage_is_found_in_sentences_and_in_names() -> None:
    pattern = re.compile(usage("lazy pass"))
    assert all(
        map(pattern.search, ["A lazy pass.", "two Lazy passes", "void lazy_pass()", "lazy\npass"])
    )
    assert not any(map(pattern.search, ["crazy pass", "lazy passenger", "a pass"]))


@pytest.mark.parametrize("word", RETIRED)
def test_a_retired_word_is_gone(word: str) -> None:
    left = list(places(RETIRED[word], texts(tuple(WHERE_GONE))))
    assert not left, f"{len(left)} places still say {word}:\n" + "\n".join(left)


def test_a_retired_word_is_found_in_texts_and_in_names() -> None:
    sources = {"a/old.py": "x\nold, older", "b.py": "an\nold\nthing"}
    assert list(places(r"\bold\b", sources)) == [
        "a/old.py: its name",
        "a/old.py:2: 'old'",
        "b.py:2: 'old'",
    ]
