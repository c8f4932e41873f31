"""The models of ``banditcd fit``: their words, their options, the classes that fit them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from banditcd.cli.class_weights import parse_class_weight
from banditcd.cli.grouping import check_size
from banditcd.data import check_number

GRID = tuple(float(value) for value in np.logspace(-4, 4, 17))
"""The grid of --cv for the C of svm and svr and the alpha of ridge and ridgeclassifier: no largest
one is useful."""


@dataclass(frozen=True)
class ModelKind:
    """One word for --model.

    Attributes
    ----------
    name, title : str
        The word, and what is printed.
    task : {"regression", "classification", "multi-task"}
        What the labels are.
    estimator, searcher : str
        Class of :mod:`banditcd`, and the one that chooses the penalty; "" if a grid does.
    penalty : {"alpha", "C"}
        Which option says how strong the penalty is.
    options : frozenset of str
        Which of the options that not every model has.
    """

    name: str
    title: str
    task: str
    estimator: str
    searcher: str
    penalty: str
    options: frozenset[str]


KINDS = {
    kind.name: kind
    for kind in (
        ModelKind(
            "lasso",
            "Lasso",
            "regression",
            "Lasso",
            "LassoCV",
            "alpha",
            frozenset({"alpha", "alpha_ratio", "positive", "standardize", "select"}),
        ),
        ModelKind(
            "elasticnet",
            "Elastic net",
            "regression",
            "ElasticNet",
            "ElasticNetCV",
            "alpha",
            frozenset({"alpha", "alpha_ratio", "l1_ratio", "positive", "standardize", "select"}),
        ),
        ModelKind(
            "ridge",
            "Ridge",
            "regression",
            "Ridge",
            "RidgeCV",
            "alpha",
            frozenset({"alpha", "positive", "select"}),
        ),
        ModelKind(
            "ridgeclassifier",
            "Ridge classifier",
            "classification",
            "RidgeClassifier",
            "RidgeClassifierCV",
            "alpha",
            frozenset({"alpha", "positive", "class_weight", "select"}),
        ),
        ModelKind(
            "logistic",
            "Logistic regression",
            "classification",
            "LogisticRegression",
            "LogisticRegressionCV",
            "C",
            frozenset({"C", "l1_ratio", "class_weight", "standardize", "select", "multi_class"}),
        ),
        ModelKind(
            "multitasklasso",
            "Multi-task Lasso",
            "multi-task",
            "MultiTaskLasso",
            "MultiTaskLassoCV",
            "alpha",
            frozenset({"alpha", "alpha_ratio", "select"}),
        ),
        ModelKind(
            "multitaskelasticnet",
            "Multi-task elastic net",
            "multi-task",
            "MultiTaskElasticNet",
            "MultiTaskElasticNetCV",
            "alpha",
            frozenset({"alpha", "alpha_ratio", "l1_ratio", "select"}),
        ),
        ModelKind(
            "grouplasso",
            "Group Lasso",
            "regression",
            "GroupLasso",
            "GroupLassoCV",
            "alpha",
            frozenset({"alpha", "groups", "select"}),
        ),
        ModelKind(
            "grouplogistic",
            "Group logistic regression",
            "classification",
            "GroupLogisticRegression",
            "GroupLogisticRegressionCV",
            "C",
            frozenset({"C", "groups", "class_weight", "select"}),
        ),
        ModelKind(
            "svm",
            "Linear SVM",
            "classification",
            "LinearSVC",
            "",
            "C",
            frozenset({"C", "loss", "penalty", "class_weight", "free_intercept"}),
        ),
        ModelKind(
            "svr",
            "Linear SVR",
            "regression",
            "LinearSVR",
            "",
            "C",
            frozenset({"C", "loss", "epsilon", "free_intercept"}),
        ),
    )
}

LOSSES = {
    "svm": ("squared_hinge", "hinge"),
    "svr": ("epsilon_insensitive", "squared_epsilon_insensitive"),
}
"""The words of --loss, the default first."""

LIMITED = tuple(sorted(frozenset().union(*(kind.options for kind in KINDS.values()))))
"""Options that not every model has; the default of each is None or False."""


def check_options(arguments: argparse.Namespace) -> ModelKind:
    """Check everything about the model that can be checked without data."""
    kind = KINDS[arguments.model]
    for name in LIMITED:
        given = getattr(arguments, name, None)
        if given not in (None, False) and name not in kind.options:
            able = ", ".join(k.name for k in KINDS.values() if name in k.options)
            raise ValueError(
                f"{flag(name)} has no meaning for --model {kind.name}; it belongs to: {able}."
            )
    if len(arguments.target or ()) > 1 and kind.task != "multi-task":
        able = " and ".join(k.name for k in KINDS.values() if k.task == "multi-task")
        raise ValueError(
            f"--target names {len(arguments.target)} columns, and --model {kind.name} predicts "
            f"one; {able} predict several."
        )
    loss = getattr(arguments, "loss", None)
    if loss is not None and loss not in LOSSES[kind.name]:
        raise ValueError(
            f"--loss {loss} is none of --model {kind.name}; give {' or '.join(LOSSES[kind.name])}."
        )
    if getattr(arguments, "penalty", None) == "l1" and loss == "hinge":
        raise ValueError("--penalty l1 is for --loss squared_hinge.")
    if getattr(arguments, "penalty", None) == "l1" and arguments.selector not in (None, "auto"):
        raise ValueError("--penalty l1 has one solver and no selector; leave out --selector.")
    _check_numbers(arguments)
    check_size(arguments)
    for ratio in arguments.l1_ratio or ():
        check_number(ratio, "--l1-ratio", minimum=0.0, maximum=1.0)
    if len(arguments.l1_ratio or ()) > 1 and getattr(arguments, "cv", None) is None:
        raise ValueError("--l1-ratio has several values; add --cv K, which chooses one of them.")
    if getattr(arguments, "free_intercept", False) and arguments.no_intercept:
        raise ValueError("--free-intercept and --no-intercept contradict each other.")
    return kind


def _check_numbers(arguments: argparse.Namespace) -> None:
    """Check the ranges of options that are numbers."""
    for name in ("alpha", "epsilon", "alpha_ratio", "C", "tol"):
        value = getattr(arguments, name, None)
        free = name == "C" and value == np.inf and "logistic" in arguments.model  # no penalty
        if value is not None and not free:
            strict = name not in ("alpha", "epsilon")
            check_number(value, flag(name), minimum=0.0, strict=strict)
    for name in ("max_iter", "threads"):
        value = getattr(arguments, name, None)
        if value is not None and value < 1:
            raise ValueError(f"{flag(name)} is {value}; it must be at least 1.")


def flag(name: str) -> str:
    """Return the option of a parameter."""
    others = {"random_state": "seed", "fit_intercept": "no-intercept"}
    return "--" + others.get(name, name.replace("_", "-"))


def estimator_class(name: str) -> Any:
    """Return a class of the estimators' room."""
    return getattr(import_module("banditcd.estimators"), name)


def parameters(arguments: argparse.Namespace, kind: ModelKind) -> dict[str, Any]:
    """Return the estimator's parameters that the options give; the rest keep their defaults."""
    given: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in (
            "alpha",
            "C",
            "threads",
            "loss",
            "penalty",
            "epsilon",
            "groups",
            "tol",
            "max_iter",
            "selector",
        )
        if getattr(arguments, name, None) is not None
    }
    if arguments.l1_ratio:
        several = len(arguments.l1_ratio) > 1
        given["l1_ratio"] = arguments.l1_ratio if several else arguments.l1_ratio[0]
    given |= {name: True for name in ("positive", "standardize") if getattr(arguments, name)}
    given |= {"fit_intercept": False} if arguments.no_intercept else {}
    given |= {"penalize_intercept": False} if arguments.free_intercept else {}
    if "class_weight" in kind.options and arguments.class_weight is not None:
        given["class_weight"] = parse_class_weight(arguments.class_weight)
    if getattr(arguments, "multi_class", None) is not None:
        # "auto" is multinomial, too, and two classes are then one model beside any scikit-learn.
        given["multi_class"] = arguments.multi_class.replace("multinomial", "auto")
    if arguments.seed is not None:
        given["random_state"] = arguments.seed
    return given


def make_estimator(kind: ModelKind, given: dict[str, Any]) -> Any:
    """Return the estimator; an option that its class does not have is an error."""
    return _make(kind, kind.estimator, given)


def make_searcher(kind: ModelKind, given: dict[str, Any], folds: int) -> Any:
    """Return the estimator that chooses the penalty by cross-validation."""
    if not kind.searcher:
        from banditcd.cli.grid import FollowedGrid

        threads, given = given.get("threads"), {k: v for k, v in given.items() if k != "threads"}
        estimator = make_estimator(kind, given)
        return FollowedGrid(estimator, {kind.penalty: GRID}, cv=folds, n_jobs=threads)
    given = {**given, "cv": folds}
    if kind.name in ("ridge", "ridgeclassifier"):
        given["alphas"] = GRID
    if kind.name == "logistic":
        given["l1_ratios"] = np.ravel(given.pop("l1_ratio", 0.0)).tolist()
        given["use_legacy_attributes"] = False
        given["scoring"] = "accuracy"  # the default, whose FutureWarning gives advice for Python
    if "select" in given:
        rule = given.pop("select")
        if kind.penalty == "C":
            given["select_C"] = {"min": "best"}.get(rule, rule)
        else:
            given["select_alpha"] = rule
    return _make(kind, kind.searcher, given)


def _make(kind: ModelKind, name: str, given: dict[str, Any]) -> Any:
    maker = estimator_class(name)
    known = maker().get_params()
    if "threads" in given:  # threads of one solve, or of several solves at once
        word = next((name for name in ("n_threads", "n_jobs") if name in known), "threads")
        given = {word if name == "threads" else name: value for name, value in given.items()}
    for parameter in given:
        if parameter not in known:
            raise ValueError(
                f"{flag(parameter)} has no meaning for --model {kind.name}"
                f"{' with --cv' if name == kind.searcher else ''}."
            )
    return maker(**given)
