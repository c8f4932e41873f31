"""Files that belong to features added since the shared contracts: counted apart, and checked.

Whole files only: what a feature added to files that were there before counts as theirs. So the
count without features is an upper bound of the lines that the old features take today.
"""

from collections.abc import Iterable
from pathlib import PurePath

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
    "costs of one's own": ("src/banditcd/problems/composite.py",),
    "float32 out, exact small ridge fits": (
        "src/banditcd/estimators/backends/rounding.py",
        "native/ridge/small.cpp",
        "src/banditcd/solvers/ridge/direct.py",
    ),
    "arrays of other libraries, and parts of scikit-learn's interface": (
        "src/banditcd/estimators/bases/libraries.py",
        "src/banditcd/estimators/checks/gram.py",
        "src/banditcd/estimators/checks/storage.py",
        "src/banditcd/_versions.py",
    ),
    "tables on the command line": (
        "src/banditcd/data/cooking.py",
        "src/banditcd/data/delimited.py",
        "src/banditcd/data/frames.py",
        "src/banditcd/data/npz.py",
        "src/banditcd/data/reading.py",
        "src/banditcd/data/recipes.py",
        "src/banditcd/cli/class_weights.py",
        "src/banditcd/cli/drawing.py",
        "src/banditcd/cli/explain.py",
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
        The files of that commit, and today's that are theirs.
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
