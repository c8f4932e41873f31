"""``banditcd list``: what can be named on the command line."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Mapping
from typing import Any

from banditcd import problems, selectors, updates
from banditcd.cli.verbs import Write, add_verb

KINDS: dict[str, tuple[str, Mapping[str, type]]] = {
    "costs": ("Costs (--cost)", problems.REGISTRY),
    "selectors": ("Selectors (--select)", selectors.REGISTRY),
    "batched": ("Rules that choose batches, in Python (--select)", selectors.BATCHED),
    "accelerated": ("Accelerated methods (--select)", selectors.ACCELERATED),
    "updates": ("Update rules (--update)", updates.REGISTRY),
}


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "costs, selectors and update rules, one line each"
    description = "The costs, selectors and update rules that can be named."
    parser = add_verb(subparsers, "list", run, text, description)
    parser.add_argument("kind", nargs="?", choices=list(KINDS), help="one kind only")


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Print the names with their first sentence."""
    chosen = [arguments.kind] if arguments.kind else list(KINDS)
    width = max(len(name) for kind in chosen for name in KINDS[kind][1])
    for k, kind in enumerate(chosen):
        heading, registry = KINDS[kind]
        write(("\n" if k else "") + heading)
        for name, part in registry.items():
            write(f"  {name:<{width}}  {_first_line(part)}".rstrip())
    return 0


def _first_line(part: type) -> str:
    return (inspect.getdoc(part) or "").partition("\n")[0]
