"""Measures of source files by real parsers: ``ast`` and ``tokenize``, and tree-sitter for C++."""

from pathlib import PurePath

from tools.measuring import cpp, python
from tools.measuring.measures import Class, Function, Measures

PARSERS = {".py": python.measure, ".hpp": cpp.measure, ".cpp": cpp.measure}

__all__ = ["PARSERS", "Class", "Function", "Measures", "measure"]


def measure(path: PurePath, source: str) -> Measures:
    """Measure the text ``source`` in the language that the name of ``path`` says."""
    return PARSERS[path.suffix](source)
