"""Parts that a user wrote: ``my.py:MySelector`` names a class in a Python file."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any


def is_file_reference(text: str) -> bool:
    """Whether the text has the form ``file.py:Name``."""
    file, colon, name = text.rpartition(":")
    return bool(colon) and file.endswith(".py") and name.isidentifier()


def load_from_file(reference: str) -> Any:
    """Return the object that ``file.py:Name`` refers to, running the file once.

    The file's folder is importable while it runs, so it may import its neighbors.
    """
    file, _, name = reference.rpartition(":")
    path = Path(file).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {file} (asked for by {reference!r}).")
    module = _run(path)
    if not hasattr(module, name):
        own = [
            n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__
        ]
        near = get_close_matches(name, own, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"{file} has no {name!r}.{hint} It defines: {', '.join(sorted(own)) or 'nothing'}."
        )
    return getattr(module, name)


def _run(path: Path) -> ModuleType:
    key = f"banditcd_user_{path.stem}_{abs(hash(path.resolve()))}"
    if key in sys.modules:
        return sys.modules[key]
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} cannot be read as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[key]
        raise ValueError(f"{path} does not run: {describe(error, path)}.") from error
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module


def describe(error: BaseException, path: Path | None = None) -> str:
    """Return kind, message and, if it happened in the user's file, the line of an error."""
    text = f"{type(error).__name__}: {error}".rstrip(".")
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{type(error).__name__}: {error.msg} (line {error.lineno})"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if path is not None and Path(frame.filename) == path:
            return f"{text} (line {frame.lineno})"
    return text
