"""``banditcd explain``: the content of a model file in words."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from banditcd.cli.errors import checking_input
from banditcd.cli.linear import LinearModel
from banditcd.cli.model_file import read_model
from banditcd.cli.scores import coefficient_lines, largest_coefficients
from banditcd.cli.telling import Teller
from banditcd.cli.verbs import Write, add_verb
from banditcd.cli.words import model_words
from banditcd.data.recipes import Ingredient, Recipe, plain_recipe

DESCRIPTION = """\
Say what is in a model file: the model and its penalty, the data it was fitted on, what becomes of
the columns of a table, the largest coefficients and the certificate."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "say what is in a model file"
    add = add_verb(subparsers, "explain", run, text, DESCRIPTION).add_argument
    add("model", type=Path, metavar="MODEL", help="a file that `banditcd fit` wrote")
    add("--top", type=int, default=10, metavar="N", help="coefficients to show (default: 10)")
    add("--json", action="store_true", help="print one JSON object instead of sentences")


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Read a model file and say what is in it."""
    with checking_input():
        if arguments.top < 0:
            raise ValueError(f"--top is {arguments.top}; it must be at least 0.")
        model = read_model(arguments.model)
    teller = Teller(write, arguments.json)
    for line in _lines(model, arguments.top):
        teller.say(line)
    teller.keep(**_facts(model, arguments.top))
    teller.end()
    return 0


def _facts(model: LinearModel, top: int) -> dict[str, Any]:
    return {
        **model.facts,
        "model": model.kind,
        "n_features": model.n_features,
        "features_used": _used(model),
        "feature_names": list(model.feature_names) or None,
        "classes": model.classes,
        "intercept": model.intercept,
        "largest_coefficients": largest_coefficients(model, top),
        "table": None if model.recipe is None else plain_recipe(model.recipe),
    }


def _lines(model: LinearModel, top: int) -> list[str]:
    facts = model.facts
    lines = [model_words(model)]
    trained = _object(facts.get("trained_on"))
    if trained:
        lines.append(
            f"Fitted on {trained.get('data')}: {_number(trained.get('rows'))} rows, "
            f"{_number(trained.get('columns'))} features; written by {facts.get('written_by')}."
        )
    if facts.get("target"):
        lines.append(f"Predicts: {', '.join(model.columns.targets)}")
    if model.classes is not None:
        shown = ", ".join(str(label).removesuffix(".0") for label in model.classes[:20].tolist())
        lines.append(f"Classes: {shown}{', …' if len(model.classes) > 20 else ''}")
    if model.recipe is not None:
        lines += _recipe_lines(model.recipe)
    lines.append(f"{_used(model):,} of {model.n_features:,} features are used.")
    lines += coefficient_lines(model, top)
    numbers = ", ".join(f"{value:.6g}" for value in model.intercept[:20])
    lines.append(f"Intercept: {numbers}")
    certificates = facts.get("certificates")
    if isinstance(certificates, list):
        lines += _certificate_lines([_object(entry) for entry in certificates])
    return lines


def _object(value: Any) -> dict[str, Any]:
    """Return an entry that is meant for readers, and may be anything in a file of others."""
    return value if isinstance(value, dict) else {}


def _number(value: Any, form: str = ",") -> str:
    return format(value, form) if isinstance(value, int | float) else str(value)


def _used(model: LinearModel) -> int:
    return int(model.coef.getnnz(axis=0).astype(bool).sum())


def _recipe_lines(recipe: Recipe) -> list[str]:
    """Say what becomes of the columns of a table."""
    rule = f"--missing {recipe.missing}" if recipe.missing else "missing values are refused"
    left = recipe.width - len(recipe.targets) - len(recipe.ingredients)
    lines = [f"Columns of the table ({rule}; {left} left out):"]
    return lines + [f"  {_part(part)}" for part in recipe.ingredients]


def _part(part: Ingredient) -> str:
    if part.levels is None:
        text = f"{part.name}: a number"
    else:
        shown = ", ".join(part.levels[:8]) + (", …" if len(part.levels) > 8 else "")
        text = f"{part.name}: {len(part.levels)} categories ({shown})"
    if part.fill is not None:
        text += f"; {part.fill:.6g} where missing"
    return text + ("; one more column says where it is missing" if part.indicator else "")


def _certificate_lines(certificates: list[dict[str, Any]]) -> list[str]:
    """Say how exact each fit is; at most five of several classes."""
    lines = []
    for entry in certificates[:5]:
        gap, target = (_number(entry.get(name), ".2g") for name in ("gap", "target"))
        status = entry.get("status")
        lines.append(f"Certificate: gap {gap}; {target} was asked for ({status}).")
    if len(certificates) > 5:
        lines.append(f"  and {len(certificates) - 5} more classes.")
    return lines
