"""Lines that belong to features added after a commit: counted apart, and checked.

They are found in three steps, each of which leaves some out, so that the count without them is
still an upper bound of what the old features take.

1. Files that hold nothing but a feature (:data:`FEATURES`); that none of them was there before,
   under this name or another one, is checked.
2. In all other files, lines that use a name which only such a file defines: an import of it, a
   call, an object that is passed on. Names that the commit compared with has, too, do not count.
3. Functions and lines that a feature needs in files that were there before, by a word of their own
   (:data:`WORDS`); that the commit compared with does not have the word is checked.

What a feature added without any such name or word (a branch, a loop over classes where there was
one problem) counts as old. So does what makes old features more accurate.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath

from tools.measuring import measure

Source = tuple[PurePath, str]
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
SHORTEST = 6  # of a name that is no common word

FEATURES: dict[str, tuple[str, ...]] = {
    "multinomial logistic regression": (
        "native/multinomial/*",
        "native/bind/multinomial.cpp",
        "native/kernels/class_tiles*",
        "native/columns/class_columns.*",
        "native/rows/class_passes.*",
        "src/banditcd/solvers/multinomial.py",
        "src/banditcd/estimators/backends/multinomial.py",
    ),
    "groups of columns and several responses": (
        "native/groups/*",
        "native/bind/groups.cpp",
        "native/columns/correlate_tasks.hpp",
        "src/banditcd/solvers/groups.py",
        "src/banditcd/estimators/group_*.py",
        "src/banditcd/estimators/multi_task_*.py",
        "src/banditcd/estimators/block_paths.py",
        "src/banditcd/estimators/backends/blocks.py",
        "src/banditcd/estimators/bases/block_*.py",
        "src/banditcd/estimators/checks/block_docs.py",
        "src/banditcd/estimators/checks/groups.py",
        "src/banditcd/estimators/search/block_folds.py",
    ),
    "L1 support vector machines": ("src/banditcd/solvers/l1_svm.py",),
    "ridge classifiers": (
        "src/banditcd/estimators/ridge_classifier*.py",
        "src/banditcd/estimators/bases/ridge_classifier.py",
    ),
    "data that live elsewhere": (
        "src/banditcd/places/*",
        "src/banditcd/estimators/backends/elsewhere.py",
        "src/banditcd/estimators/backends/placed.py",
        "src/banditcd/estimators/search/placed_*.py",
        "native/bind/pool.cpp",
    ),
    "an independent judge": ("src/banditcd/verification/*",),
    "strategies chosen like arms": ("native/solve/arms.*",),
    "rules that learn": (
        "native/engine/selectors/focus.cpp",
        "src/banditcd/selectors/focus.py",
        "src/banditcd/selectors/gram.py",
        "src/banditcd/selectors/pool.py",
        "src/banditcd/theory/focus.py",
        "src/banditcd/theory/passes.py",
    ),
    "pictures of rules that learn": (
        "src/banditcd/selectors/watched.py",
        "src/banditcd/results/picks.py",
        "src/banditcd/results/plot.py",
        "src/banditcd/experiments/film.py",
        "src/banditcd/experiments/learning.py",
    ),
    "threads for rows": ("native/rows/shared_rows.*",),
    "pictures and tables of fitted models": (
        "src/banditcd/estimators/bases/deviance.py",
        "src/banditcd/estimators/bases/fitted_path.py",
        "src/banditcd/estimators/bases/path_table.py",
        "src/banditcd/estimators/bases/telling.py",
        "src/banditcd/estimators/displays/fitted_paths.py",
        "src/banditcd/estimators/displays/searches.py",
        "src/banditcd/estimators/displays/unwrapping.py",
        "src/banditcd/results/notebook.py",
    ),
    "costs of one's own": ("src/banditcd/problems/composite.py",),
    "float32 out, exact small ridge fits": (
        "src/banditcd/estimators/backends/rounding.py",
        "native/ridge/small.cpp",
        "src/banditcd/solvers/ridge/direct.py",
    ),
    "arrays of other libraries, and parts of scikit-learn's interface": (
        "src/banditcd/estimators/bases/libraries.py",
        "native/elastic_net/given_gram.hpp",
        "src/banditcd/estimators/checks/gram.py",
        "src/banditcd/estimators/checks/storage.py",
        "src/banditcd/_versions.py",
    ),
    "tables on the command line": (
        "src/banditcd/data/cooking.py",
        "src/banditcd/data/delimited.py",
        "src/banditcd/data/frames.py",
        "src/banditcd/data/npz.py",
        "src/banditcd/data/odd_numbers.py",
        "src/banditcd/data/reading.py",
        "src/banditcd/data/recipes.py",
        "src/banditcd/cli/class_weights.py",
        "src/banditcd/cli/drawing.py",
        "src/banditcd/cli/explain.py",
        "src/banditcd/cli/grid.py",
        "src/banditcd/cli/matrix_files.py",
        "src/banditcd/cli/scores.py",
        "src/banditcd/cli/table_options.py",
        "src/banditcd/cli/telling.py",
        "src/banditcd/cli/training.py",
    ),
    "readings of the paper, and batches": (
        "src/banditcd/experiments/paper/court.py",
        "src/banditcd/experiments/paper/details.py",
        "src/banditcd/experiments/paper/judgement.py",
        "src/banditcd/experiments/paper/objections.py",
        "src/banditcd/experiments/paper/observations.py",
        "src/banditcd/experiments/paper/printed.py",
        "src/banditcd/experiments/paper/readings.py",
        "src/banditcd/experiments/paper/rules.py",
        "src/banditcd/experiments/paper/session.py",
        "src/banditcd/experiments/batches/freshness.py",
        "src/banditcd/experiments/batches/looking.py",
        "src/banditcd/experiments/batches/views.py",
    ),
}


WORDS = (
    "_fit_elsewhere",
    "bytes_moved",
    "lost_to_float32",
    "multinomial",
    "softmax",
    "support_path_",
)
"""Identifiers, or parts of them, that only features have in files that were there before."""


def feature_of(path: PurePath) -> str | None:
    """Return the feature that a file belongs to, None for what is not one of these."""
    for feature, patterns in FEATURES.items():
        if any(path.match(pattern) for pattern in patterns):
            return feature
    return None


def mistakes(added: Iterable[PurePath], others: Iterable[PurePath]) -> list[str]:
    """Return what is wrong with the patterns: without a file, or with one that is not new.

    Parameters
    ----------
    added : paths
        Files that came since the commit compared with, none of them an old one under a new name.
    others : paths
        The files of that commit, and present ones that are theirs under another name.
    """
    new, old = list(added), list(others)
    found = []
    for pattern in (pattern for patterns in FEATURES.values() for pattern in patterns):
        found += [
            f"{pattern} holds {path}, which is not new" for path in old if path.match(pattern)
        ]
        if not any(path.match(pattern) for path in new):
            found.append(f"{pattern} holds no new file")
    return found


def identifiers(path: PurePath, text: str) -> set[str]:
    """Return the names and words on the lines of code of a file."""
    lines = text.splitlines()
    code = (lines[number - 1] for number in measure(path, text).code_lines)
    return {name for line in code for name in IDENTIFIER.findall(line)}


def words_in_use(sources: Iterable[Source]) -> list[str]:
    """Return the words of features that are parts of names in the sources of a commit."""
    names = {name.lower() for source in sources for name in identifiers(*source)}
    return [word for word in WORDS if any(word in name for name in names)]


def names_of_features(files: Iterable[Source], old: Iterable[Source]) -> frozenset[str]:
    """Return names that only files of features define, and that the sources ``old`` do not use."""
    own: set[str] = set()
    others = {name for source in old for name in identifiers(*source)}
    for path, text in files:
        parts = measure(path, text)
        qualified = [part.name for part in (*parts.functions, *parts.classes)]
        defined = {path.stem, *(re.split(r"\.|::", name)[-1] for name in qualified)}
        if feature_of(path):
            own |= defined
        else:
            others |= defined.union(*((*part.fields, *part.methods) for part in parts.classes))
    return frozenset(name for name in own - others if len(name) >= SHORTEST)


def lines_of_features(path: PurePath, text: str, names: frozenset[str]) -> frozenset[int]:
    """Return the lines of code of an old file that exist for the sake of features."""
    parts, lines = measure(path, text), text.splitlines()
    whole = [
        range(part.line, part.last_line + 1)
        for part in parts.functions
        if any(word in part.name.lower() for word in WORDS)
    ]
    inside = {line for span in whole for line in span}
    return frozenset(
        number
        for number in parts.code_lines
        if number in inside
        or any(
            name in names or any(word in name.lower() for word in WORDS)
            for name in IDENTIFIER.findall(lines[number - 1])
        )
    )
