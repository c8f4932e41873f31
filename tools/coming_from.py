"""The tables of docs/coming-from-scikit-learn.md, from the signatures and docstrings of both sides.

    python -m tools.coming_from          rewrite the page's tables
    python -m tools.coming_from --check  fail if they are not up to date

A parameter or attribute that both sides have is "same" unless it is listed below with what differs
here; the words of the page around the tables are written by hand.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

import sklearn.linear_model
import sklearn.svm

import banditcd

PAGE = Path(__file__).parents[1] / "docs" / "coming-from-scikit-learn.md"
BEGIN, END = "<!-- tables: python -m tools.coming_from -->", "<!-- end of tables -->"

#: What differs, for every class or for one.
PARAMETERS = {
    "tol": "stop at this duality gap, relative to the null model's objective",
    "max_iter": "bounds bins, Newton steps or passes over X, of which far fewer are needed",
    "precompute": "the solver decides; a Gram matrix that is given is checked and used",
    "copy_X": "no effect: X is never overwritten",
    "selection": "no effect: rules are chosen with `selector`",
    "random_state": "only for a randomized `selector`",
    "n_jobs": "threads; processes if joblib is told so",
    "verbose": "a progress bar",
    "dual": "no effect without a `selector`: primal and dual have the same optimum",
    **{
        f"{name}.solver": "words of scikit-learn's solvers are accepted; `solver_` names what ran"
        for name in ("Ridge", "RidgeClassifier")
    },
    **{
        f"{name}.{word}": text
        for name in ("LogisticRegression", "LogisticRegressionCV")
        for word, text in {
            "solver": "words of scikit-learn's solvers mean the same optimum, that of lbfgs",
            "intercept_scaling": "no effect: the intercept is never penalized",
        }.items()
    },
    "LinearSVR.verbose": "no effect",
    "LinearSVC.multi_class": '"crammer_singer" is refused',
    "RidgeCV.gcv_mode": "no effect: the leave-one-out errors are exact",
}
ATTRIBUTES = {
    "n_iter_": "counts what `max_iter` bounds",
    "dual_gap_": "in the units of the documented objective, from the best dual point known",
    "Ridge.solver_": "names our regime",
    "RidgeClassifier.solver_": "names our regime",
}


def pairs() -> list[tuple[str, Any, Any]]:
    """Return (name, our class, scikit-learn's class)."""
    homes = (sklearn.linear_model, sklearn.svm)
    found = []
    for name in sorted(banditcd.__all__):
        ours = getattr(banditcd, name)
        theirs = next((getattr(home, name) for home in homes if name in home.__all__), None)
        if theirs is not None and isinstance(ours, type):
            found.append((name, ours, theirs))
    return found


def attributes(kind: Any) -> list[str]:
    """Return the names of a docstring's section on attributes."""
    text = inspect.cleandoc(kind.__doc__ or "")
    section = text.partition("\nAttributes\n")[2].partition("\nSee Also\n")[0]
    section = re.split(r"\n\w[\w ]*\n-{3,}\n", section)[0]
    names: list[str] = []
    for line in re.findall(r"^(\w+_(?:, \w+_)*)(?: :.*)?$", section, flags=re.MULTILINE):
        names += line.split(", ")
    return list(dict.fromkeys(names))


def shown(default: Any) -> str:
    """Return a default as it is written in a call."""
    return "" if default is inspect.Parameter.empty else f"`{default!r}`"


def status(name: str, ours: Any, theirs: Any, notes: dict[str, str], kind: str) -> tuple[str, str]:
    """Return the word for a name that is here, there or on both sides, and what differs."""
    if name not in theirs:
        return "more", ""
    if name not in ours:
        return "not there", ""
    note = notes.get(f"{kind}.{name}", notes.get(name, ""))
    return ("different" if note else "same"), note


def table(kind: str, ours: Any, theirs: Any) -> str:
    """Return the table of one class."""
    mine = dict(inspect.signature(ours).parameters)
    other = dict(inspect.signature(theirs).parameters)
    lines = [f"### {kind}", "", "| | default | here | |", "|---|---|---|---|"]
    for name in [*other, *(n for n in mine if n not in other)]:
        word, note = status(name, mine, other, PARAMETERS, kind)
        default = shown(mine.get(name, other.get(name)).default)
        if name in mine and name in other and mine[name].default != other[name].default:
            word, note = "different", note or f"scikit-learn: {shown(other[name].default)}"
        lines.append(f"| `{name}` | {default} | {word} | {note} |")
    own, there = attributes(ours), attributes(theirs)
    for name in [*there, *(n for n in own if n not in there)]:
        word, note = status(name, own, there, ATTRIBUTES, kind)
        lines.append(f"| `{name}` | | {word} | {note} |")
    return "\n".join(lines)


def page() -> str:
    """Return the page with its tables made anew."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    tables = "\n\n".join(table(*pair) for pair in pairs())
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}"


def main() -> int:
    """Write the page, or check it."""
    if "--check" in sys.argv[1:]:
        if page() == PAGE.read_text():
            return 0
        print(f"{PAGE.name} is not up to date; run python -m tools.coming_from.")
        return 1
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
