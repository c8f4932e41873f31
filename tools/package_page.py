"""The page of the package on an index, from the README: ``packaging/page.md``.

    python -m tools.package_page          write it
    python -m tools.package_page --check  fail if it is not up to date

An index shows neither our pictures nor our files. So the picture of speeds becomes a table of the
same numbers, and a link to a file becomes one to ``project.urls.Source`` of pyproject.toml; as long
as there is no such address, its words and the name of the file, which the archive has.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "packaging" / "page.md"
PICTURE = re.compile(r"^!\[(?P<words>[^\]]*)\]\((?P<file>[^)]+)\)$", re.MULTILINE)
LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<file>[^):]+)\)")


def speeds() -> str:
    """Return the table of the picture's numbers."""
    from benchmarks.headline import tasks

    rows = [
        f"| {task.name} | {task.median:.1f}× | {task.won} of {task.cells} |" for task in tasks()
    ]
    head = "| task | times faster than the fastest other library (median) | first in |"
    return "\n".join([head, "|---|---|---|", *rows])


def page(readme: str, source: str | None) -> str:
    """Return the README without pictures, and without links into a tree that is not there."""
    text = PICTURE.sub(lambda _: speeds(), readme)
    if source is None:
        return LINK.sub(lambda link: f"{link['words']} (`{link['file']}`)", text)
    address = source.rstrip("/") + "/blob/main/"
    return LINK.sub(lambda link: f"[{link['words']}]({address}{link['file']})", text)


def made() -> str:
    """Return the page of this tree."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    source = project.get("urls", {}).get("Source")
    return page((ROOT / "README.md").read_text("utf-8"), source)


def main(arguments: list[str]) -> int:
    """Write or check the page."""
    if "--check" in arguments:
        return int(PAGE.read_text("utf-8") != made())
    PAGE.write_text(made(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
