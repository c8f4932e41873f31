"""Model files: JSON, or npz for large models. Numbers and words only, nothing that runs.

Both are described in docs/command-line.md. Reading checks everything before it is used; no
pickle is ever loaded.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from banditcd import __version__
from banditcd.cli.linear import LinearModel
from banditcd.cli.models import KINDS
from banditcd.cli.telling import plain
from banditcd.data.files import replacing
from banditcd.data.npz import read_arrays
from banditcd.data.recipes import Recipe, checked_recipe, plain_recipe

FORMAT = "banditcd linear model"
#: Version 1 has labels that are numbers and columns as they are; 2 adds words and the recipe of a
#: table. Models that need nothing new are written as version 1, which older releases read.
VERSIONS = (1, 2)
MOST_FEATURES = (1 << 31) - 1  # as many as 32-bit indices can name
_ARRAYS = ("header", "coef_values", "coef_indices", "coef_starts")


def write_model(model: LinearModel, path: Path) -> None:
    """Write a model whole or not at all; the name decides: ``.npz``, else JSON."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": 2 if model.has_words or model.recipe is not None else 1,
        "written_by": f"banditcd {__version__}",
        "model": model.kind,
        "n_features": model.n_features,
        "feature_names": list(model.feature_names) or None,
        "classes": None if model.classes is None else model.classes.tolist(),
        "intercept": model.intercept.tolist(),
        **({"multi_class": "multinomial"} if model.multinomial else {}),
        **plain(model.facts),
    }
    if model.recipe is not None:
        header["table"] = plain_recipe(model.recipe)
    if path.suffix.lower() == ".npz":
        text = np.array(json.dumps(header, ensure_ascii=False, allow_nan=False))
        parts = (text, model.coef.data, model.coef.indices, model.coef.indptr)
        with replacing(path, "wb") as file:
            np.savez_compressed(file, **dict(zip(_ARRAYS, parts, strict=True)))
        return
    header["coef"] = [_row(model.coef, k) for k in range(model.coef.shape[0])]
    with replacing(path) as file:
        file.write(_line_by_line(header))


def read_model(path: Path) -> LinearModel:
    """Read a model file; anything that is not one is explained in a sentence."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no model file {path}.")
    try:
        header, coef = _read_npz(path) if path.suffix.lower() == ".npz" else _read_json(path)
        return _checked(header, coef)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"{path} is not a model that this version can read: {reason}") from error


def _line_by_line(header: dict[str, Any]) -> str:
    """Return JSON with one line for each entry of the outermost level."""
    lines = [
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)}"
        for key, value in header.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _row(coef: Any, k: int) -> dict[str, Any]:
    part = slice(coef.indptr[k], coef.indptr[k + 1])
    return {"indices": coef.indices[part].tolist(), "values": coef.data[part].tolist()}


def _read_json(path: Path) -> tuple[dict[str, Any], Any]:
    try:
        header = json.loads(path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error})") from error
    _check_header(header)
    rows = [(row["indices"], row["values"]) for row in header.pop("coef")]
    starts = np.cumsum([0, *(len(indices) for indices, _ in rows)])
    indices = [j for part, _ in rows for j in part]
    if not all(type(j) is int for j in indices):
        raise ValueError("the indices of coef must be whole numbers")
    values = np.array([v for _, part in rows for v in part], dtype=np.float64)
    return header, (values, np.array(indices, dtype=np.int64), starts)


def _read_npz(path: Path) -> tuple[dict[str, Any], Any]:
    arrays = read_arrays(path)
    missing = [name for name in _ARRAYS if name not in arrays]
    if missing:
        raise ValueError(f"it has no array {missing[0]}")
    header = json.loads(str(arrays["header"].item()))
    _check_header(header)
    return header, (
        arrays["coef_values"].astype(np.float64),
        arrays["coef_indices"].astype(np.int64, casting="same_kind"),
        arrays["coef_starts"].astype(np.int64, casting="same_kind"),
    )


def _check_header(header: Any) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f'it does not say "format": "{FORMAT}"')
    if header.get("version") not in VERSIONS or isinstance(header["version"], bool):
        raise ValueError(
            f"it has version {header.get('version')!r} and this banditcd reads versions 1 and 2; "
            "upgrade banditcd or fit the model again"
        )
    if header.get("model") not in KINDS:
        raise ValueError(f"its model is {header.get('model')!r}, not one of {', '.join(KINDS)}")


def _checked(header: dict[str, Any], parts: Any) -> LinearModel:
    values, indices, starts = parts
    n_features = header.pop("n_features")
    if not isinstance(n_features, int) or not 1 <= n_features <= MOST_FEATURES:
        raise ValueError(f"n_features must be a whole number from 1 to {MOST_FEATURES}")
    intercept = np.array(header.pop("intercept"), dtype=np.float64)
    labels = _labels(header.pop("classes"))
    names = tuple(str(name) for name in header.pop("feature_names") or ())
    kind = header.pop("model")
    rows = 1 if labels is None or len(labels) == 2 else len(labels)
    outputs = 1
    if KINDS[kind].task == "multi-task":
        rows = outputs = int(intercept.size)
        if outputs < 2:
            raise ValueError("intercept must have one number for each of several targets")
    _check_targets(header.get("target"), outputs)
    if (labels is None) != (KINDS[kind].task != "classification"):
        raise ValueError(f"classes do not fit a {kind} model")
    if intercept.shape != (rows,) or starts.shape != (rows + 1,):
        raise ValueError(f"coef and intercept must have {rows} row(s)")
    if names and len(names) != n_features:
        raise ValueError(f"there are {len(names)} feature_names and {n_features} features")
    if not (np.all(np.isfinite(values)) and np.all(np.isfinite(intercept))):
        raise ValueError("a coefficient is not finite")
    _check_sparse(values, indices, starts, n_features)
    coef = sparse.csr_matrix((values, indices, starts), shape=(rows, n_features))
    one = _is_multinomial(header, kind) and rows > 1
    recipe = _recipe(header, n_features)
    if recipe is not None and len(recipe.targets) != outputs:
        raise ValueError(f"table has {len(recipe.targets)} targets, and the model {outputs}")
    return LinearModel(kind, coef, intercept, labels, names, header, one, recipe)


def _check_targets(given: Any, outputs: int) -> None:
    """Check the name of the target, or the list of several names; there may be none."""
    names = given if isinstance(given, list) and outputs > 1 else [given]
    if given is not None and not (
        len(names) == outputs and all(isinstance(name, str) for name in names)
    ):
        raise ValueError(f"target must name the {outputs} target(s)")


def _is_multinomial(header: dict[str, Any], kind: str) -> bool:
    """Take the word for several classes; files of before it are one against the rest."""
    word = header.pop("multi_class", "ovr")
    if word not in ("ovr", "multinomial") or (word == "multinomial" and kind != "logistic"):
        raise ValueError(f"multi_class is {word!r}, not 'ovr' or 'multinomial'")
    return bool(word == "multinomial")


def _labels(classes: Any) -> Any:
    """Return the labels of classes, all numbers or all words, in ascending order."""
    if classes is None:
        return None
    all_words = isinstance(classes, list) and all(isinstance(label, str) for label in classes)
    labels: Any = np.array(classes, dtype=np.str_ if all_words else np.float64)
    if labels.ndim != 1 or len(labels) < 2 or not np.all(labels[:-1] < labels[1:]):
        raise ValueError("classes must be two or more labels in ascending order")
    return labels


def _recipe(header: dict[str, Any], n_features: int) -> Recipe | None:
    """Take the recipe of a table from a header of version 2."""
    if header["version"] < 2 or "table" not in header:
        return None
    recipe = checked_recipe(header.pop("table"))
    if len(recipe.features) != n_features:
        raise ValueError(f"table makes {len(recipe.features)} features and there are {n_features}")
    return recipe


def _check_sparse(values: Any, indices: Any, starts: Any, n_features: int) -> None:
    if values.ndim != 1 or values.shape != indices.shape:
        raise ValueError("coef must have as many values as indices")
    if starts[0] != 0 or starts[-1] != len(values) or np.any(np.diff(starts) < 0):
        raise ValueError("the starts of the rows of coef are not in order")
    if indices.size and not (indices.min() >= 0 and indices.max() < n_features):
        raise ValueError(f"an index of coef lies outside 0..{n_features - 1}")
    for start, stop in pairwise(starts):
        if np.any(np.diff(indices[start:stop]) <= 0):
            raise ValueError("the indices of a row of coef must ascend")
