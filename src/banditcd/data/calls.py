"""Names with arguments, as configurations write them: "name" or "name(key=value, ...)"."""

from __future__ import annotations

import ast
from typing import Any


def parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the arguments, which are numbers, quoted words, True or False."""
    wrong = f"{text!r} cannot be read; write 'name' or 'name(key=value, ...)'."
    name, opened, _ = text.partition("(")
    if not opened:
        return name.strip(), {}
    try:
        tree = ast.parse(f"call({text.partition('(')[2]}", mode="eval").body
        if not isinstance(tree, ast.Call) or tree.args:
            raise ValueError(wrong)
        pairs = [(word.arg, ast.literal_eval(word.value)) for word in tree.keywords]
    except (SyntaxError, ValueError) as error:
        raise ValueError(wrong) from error
    values = {key: value for key, value in pairs if key is not None}
    allowed = all(type(value) in (bool, int, float, str) for value in values.values())
    if len(values) != len(pairs) or not allowed:
        raise ValueError(wrong)
    return name.strip(), values
