"""The head of a verb of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

Write = Callable[[str], None]


def add_verb(
    subparsers: Any,
    name: str,
    run: Callable[[argparse.Namespace, Write], int],
    text: str,
    description: str,
    epilog: str | None = None,
) -> argparse.ArgumentParser:
    """Add a verb to the subparsers of the main parser, and return its own parser.

    ``text`` is its line in the list of verbs; description and epilog keep their lines.
    """
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=text,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser
