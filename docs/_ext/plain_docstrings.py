"""Docstrings are written for readers of the code: |x| and coef_ are plain text there, not markup.

After numpydoc has laid a docstring out, bars and trailing underscores outside of literals and
roles are escaped, so that they are shown as they stand.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

#: Literals, roles, emphasis and escapes, which stay as they are; then the bars; then the names.
PARTS = re.compile(
    r"(``.*?``|`[^`]*`_?|\*\*.*?\*\*|\\.)|(\|)|((?<![\w\\`*])[A-Za-z]\w*_)(?=[\s,.;:)\]]|$)"
)


def escaped(line: str) -> str:
    """Return a line whose bars and trailing underscores are plain text."""
    if line.lstrip().startswith((".. ", ":")):
        return line

    def plain(match: re.Match[str]) -> str:
        markup, bar, name = match.groups()
        return markup or (r"\|" if bar else rf"{name[:-1]}\_")

    return PARTS.sub(plain, line)


def process(app: Sphinx, what: str, name: str, it: Any, options: Any, lines: list[str]) -> None:
    """Escape a docstring in place; formulas and code in blocks of their own are left alone."""
    block = -1  # the indentation of the directive we are in
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= block:
            block = -1
        if block < 0 and line.strip():
            if line.lstrip().startswith((".. math", ".. code")) or line.rstrip().endswith("::"):
                block = indent
            elif not line.lstrip().startswith(">>>"):
                lines[number] = escaped(line)


def setup(app: Sphinx) -> dict[str, Any]:
    """Run after numpydoc, which lays the sections out."""
    app.connect("autodoc-process-docstring", process, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
