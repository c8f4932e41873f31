"""The reference of the site: every public name is in it, every parameter is described."""

import importlib
import inspect
import re
from enum import Enum
from pathlib import Path

import pytest

import banditcd
from banditcd.estimators.checks.docs import filled

PAGE = Path(__file__).parent.parent / "docs" / "api" / "index.rst"
MODULES = (
    "problems",
    "updates",
    "selectors",
    "theory",
    "results",
    "data",
    "solvers",
    "experiments",
)


def public_parts():
    """Yield (module, name, object) of every class and function that users may import."""
    for module in ("", *MODULES):
        home = importlib.import_module(f"banditcd.{module}".rstrip("."))
        for name in home.__all__:
            part = getattr(home, name)
            if inspect.isclass(part) or inspect.isfunction(part):
                yield home.__name__, name, part


PARTS = [pytest.param(*part, id=f"{part[0]}.{part[1]}") for part in public_parts()]


def listed():
    """Return the names on the page, each with the module that is current there."""
    found, module = set(), ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith(".. currentmodule::"):
            module = line.split()[-1]
        elif re.fullmatch(r"   [A-Za-z_][\w.]*", line):
            found.add(f"{module}.{line.strip()}")
    return found


def test_every_public_name_is_on_the_page():
    wanted = {f"{module}.{name}" for module, name, _ in public_parts()}
    assert wanted - listed() == set()


def test_every_name_on_the_page_exists():
    for name in listed():
        home, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(home), last), name


@pytest.mark.parametrize(("module", "name", "part"), PARTS)
def test_a_public_part_is_described_with_all_its_parameters(module, name, part):
    text = inspect.getdoc(part)
    assert text, f"{module}.{name} has no docstring"
    if inspect.isclass(part) and (issubclass(part, (Exception, Enum)) or _is_protocol(part)):
        return
    try:
        parameters = inspect.signature(part).parameters.values()
    except ValueError:  # a class of the compiled module, described where it is bound
        return
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [p.name for p in parameters if p.kind not in kinds and p.name != "self"]
    missing = [n for n in names if not re.search(rf"\b{re.escape(n)}\b", text)]
    assert missing == [], f"{module}.{name} does not say what {', '.join(missing)} mean(s)"


@pytest.mark.parametrize("indent", ["", "    "], ids=["Python >= 3.13", "before"])
def test_shared_texts_are_filled_in_whatever_the_compiler_leaves_of_the_indentation(indent):
    doc = f"A model.\n\n{indent}Parameters\n{indent}{{shared}}\n{indent}"
    kind = filled(type("Model", (), {"__doc__": doc}), {"shared": "\na : int\n    A number.\n"})
    assert kind.__doc__ == "A model.\n\nParameters\na : int\n    A number."


def _is_protocol(part):
    return bool(getattr(part, "_is_protocol", False))


def test_the_version_is_public():
    assert "__version__" in banditcd.__all__
