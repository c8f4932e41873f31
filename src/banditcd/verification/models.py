"""Fitted models, read into the problems that their documentation states.

A model is known by the package and the name of its class, so no other library is imported; a class
derived from a known one is another model and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.verification.inputs import read
from banditcd.verification.multinomial import MultinomialProblem
from banditcd.verification.multinomial import class_factors as factors_by_class
from banditcd.verification.problem import Problem
from banditcd.verification.reading import Reading, Terms, one_problem

HINGES = {"hinge": "hinge", "squared_hinge": "squared_hinge"}
TUBES = {
    "epsilon_insensitive": "insensitive",
    "squared_epsilon_insensitive": "squared_insensitive",
}


def chosen(model: Any, name: str) -> Any:
    """Return a parameter, or what a search over folds chose for it (``alpha_`` for ``alpha``)."""
    return getattr(model, f"{name}_" if type(model).__name__.endswith("CV") else name)


def squares(reading: Reading) -> list[Problem]:
    """Lasso and elastic net: weights normalized to sum to n, losses divided by 2n."""
    model = reading.model
    ratio = float(chosen(model, "l1_ratio")) if "Elastic" in type(model).__name__ else 1.0
    c = reading.weight / reading.weight.sum()
    alpha = float(chosen(model, "alpha"))
    terms = Terms("squared", alpha * ratio, alpha * (1.0 - ratio))
    return regressions(reading, [terms], c)


def ridge(reading: Reading) -> list[Problem]:
    """Ridge: weights as they are, squares without a half, an alpha for each target or for all."""
    alphas = np.atleast_1d(np.asarray(chosen(reading.model, "alpha"), dtype=np.float64))
    terms = [Terms("squared", 0.0, 2.0 * float(alpha)) for alpha in alphas]
    return regressions(reading, terms, 2.0 * reading.weight)


def ridge_classes(reading: Reading) -> list[Problem]:
    """Ridge on the responses -1 and +1, or on the columns of an indicator matrix."""
    model, y, classes = reading.model, reading.y, reading.classes
    if y.ndim == 2 and y.shape[1] > 1:
        signs = np.where(y > 0, 1.0, -1.0)
        factor = np.ones(len(y))
        if model.class_weight is not None:
            raise ValueError("verify does not know class weights of an indicator matrix.")
    else:
        codes = codes_of(reading)
        positives = [1] if len(classes) == 2 else list(range(len(classes)))
        signs = np.column_stack([np.where(codes == k, 1.0, -1.0) for k in positives])
        factor = sample_factors(reading, codes)
    weight = reading.weight * factor
    terms = Terms("squared", 0.0, 2.0 * float(chosen(model, "alpha")))
    return regressions(replace(reading, y=signs), [terms], 2.0 * weight)


def sample_factors(reading: Reading, codes: Any) -> Floats:
    """Class weights of ridge regression: balanced by the number of samples, whatever they weigh."""
    given, classes = reading.model.class_weight, reading.classes
    if given is None:
        return np.ones(len(codes))
    if isinstance(given, str):
        sizes = np.bincount(codes, minlength=len(classes))
        table = len(codes) / (len(classes) * sizes)
    else:
        table = np.array([float(given.get(label, 1.0)) for label in classes.tolist()])
    return np.asarray(table[codes])


def regressions(reading: Reading, terms: list[Terms], c: Floats) -> list[Problem]:
    """One problem for each target."""
    y = np.asarray(reading.y, dtype=np.float64)
    y = y.reshape(len(y), -1)
    coef, intercept = reading.point(y.shape[1])
    return [
        one_problem(reading, terms[k % len(terms)], y[:, k], c, (coef[k], intercept[k]))
        for k in range(y.shape[1])
    ]


def svr(reading: Reading) -> list[Problem]:
    """Support vector regression: half the squared norm, C times the losses."""
    model = reading.model
    terms = Terms(TUBES[model.loss], 0.0, 1.0, float(model.epsilon), constant=constant(model))
    return regressions(reading, [terms], float(model.C) * reading.weight)


def constant(model: Any) -> tuple[float, float]:
    """The L1 and L2 penalty of the intercept of a support vector machine."""
    if not getattr(model, "penalize_intercept", True):
        return 0.0, 0.0
    return 0.0, float(model.intercept_scaling) ** -2.0


def logistic(reading: Reading) -> list[Problem] | list[MultinomialProblem]:
    """Logistic regression, ours or scikit-learn's: C times the losses; C=inf has no penalty."""
    model = reading.model
    word = getattr(model, "penalty", "deprecated")
    ratio = {"l1": 1.0, "l2": 0.0}.get(str(word))
    if ratio is None:
        ratio = one_value(model, "l1_ratio")
    C = np.inf if word is None or str(word) == "none" else one_value(model, "C")
    inside = (0.0, 0.0) if np.isinf(C) else (ratio, 1.0 - ratio)
    free = (0.0, 0.0)
    if reading.package == SKLEARN and model.solver == "liblinear":
        gamma = float(model.intercept_scaling)
        free = (inside[0] / gamma, inside[1] / gamma**2)
    terms = Terms("logistic", *inside, constant=free)
    unit = 1.0 if np.isinf(C) else C
    if len(reading.classes) > 2 and not _is_one_vs_rest(reading):
        return [multinomial(reading, terms, unit)]
    if _is_halved(reading):
        terms = replace(terms, l2=0.5 * terms.l2)
        return classifications(_doubled(reading), terms, unit, alone=False)
    # LIBLINEAR weighs the class of a problem and not the rest; all others what "ovr" makes of it.
    return classifications(reading, terms, unit, alone=model.solver == "liblinear")


def _is_one_vs_rest(reading: Reading) -> bool:
    """Whether several classes are fitted one against the rest.

    The word liblinear means it in scikit-learn, and in ours beside one before 1.8.
    """
    model, word = reading.model, getattr(reading.model, "multi_class", "auto")
    if model.solver == "liblinear" and (reading.package == SKLEARN or _installed() < (1, 8)):
        return bool(word != "multinomial")
    return bool(word == "ovr")


def _is_halved(reading: Reading) -> bool:
    """Whether two classes are the softmax of minus and plus the scores (scikit-learn < 1.8)."""
    named = getattr(reading.model, "multi_class", "auto") == "multinomial"
    return named and len(reading.classes) == 2 and _installed() < (1, 8)


def _doubled(reading: Reading) -> Reading:
    """The same model as a logistic regression: v = 2 w, and 2 |w| = |v|, w^2 = v^2 / 4."""
    model = copy(reading.model)
    for name in ("intercept_", "lower", "upper"):
        if getattr(model, name, None) is not None:
            setattr(model, name, 2.0 * np.asarray(getattr(model, name), dtype=np.float64))
    return replace(reading, model=model, coef=2.0 * reading.coef)


def multinomial(reading: Reading, terms: Terms, unit: float) -> MultinomialProblem:
    """Three and more classes as one model."""
    model, classes = reading.model, reading.classes
    codes = codes_of(reading)
    given = getattr(model, "class_weight", None)
    c = unit * reading.weight * factors_by_class(given, codes, classes, balanced_by(reading))
    coef, intercept = reading.point(len(classes))
    at = one_problem(reading, terms, np.zeros(len(codes)), c, (coef[0], float(intercept[0])))
    W = np.column_stack([coef, intercept]) if at.intercept else np.asarray(coef)
    return MultinomialProblem(at, codes, W * at.unit)


def one_value(model: Any, name: str) -> float:
    """Return a parameter that is one number for all classes; None counts as 0."""
    if not getattr(model, "refit", True):
        raise ValueError("verify judges a fit to all samples; this model has refit=False.")
    given = np.unique([0.0 if value is None else value for value in np.ravel(chosen(model, name))])
    if len(given) != 1:
        raise ValueError(f"The classes of the model have different values of {name}.")
    return float(given[0])


def celer_logistic(reading: Reading) -> list[Problem]:
    """Celer's logistic regression: C times the losses plus the L1 norm."""
    terms = Terms("logistic", 1.0, 0.0)
    return classifications(reading, terms, float(reading.model.C), alone=False)


def skglm_logistic(reading: Reading) -> list[Problem]:
    """Skglm's sparse logistic regression: mean of the losses plus alpha times the penalty."""
    model = reading.model
    ratio, alpha = float(getattr(model, "l1_ratio", 1.0)), float(model.alpha)
    terms = Terms("logistic", alpha * ratio, alpha * (1.0 - ratio))
    return classifications(reading, terms, 1.0 / len(reading.weight), alone=False)


def svc(reading: Reading) -> list[Problem]:
    """Support vector classification, with LIBLINEAR's class weights."""
    model = reading.model
    if getattr(model, "multi_class", "ovr") != "ovr":
        raise ValueError("verify judges LinearSVC one against the rest, not 'crammer_singer'.")
    l1 = 1.0 if model.penalty == "l1" else 0.0
    gamma = float(model.intercept_scaling)
    bias = constant(model)
    if l1 and bias != (0.0, 0.0):
        bias = (1.0 / gamma, 0.0)
    terms = Terms(HINGES[model.loss], l1, 1.0 - l1, constant=bias)
    return classifications(reading, terms, float(model.C), alone=True)


def classifications(reading: Reading, terms: Terms, unit: float, alone: bool) -> list[Problem]:
    """One problem for two classes, one for each of more; ``alone``: the rest is not weighted."""
    classes, codes = reading.classes, codes_of(reading)
    positives = [1] if len(classes) == 2 else list(range(len(classes)))
    coef, intercept = reading.point(len(positives))
    problems = []
    for k, positive in enumerate(positives):
        c = unit * reading.weight * class_factors(reading, codes, positive, alone)
        y = np.where(codes == positive, 1.0, -1.0)
        problems.append(one_problem(reading, terms, y, c, (coef[k], intercept[k])))
    return problems


def codes_of(reading: Reading) -> Any:
    """The position of every sample's class; labels that were not seen are refused."""
    classes = reading.classes
    codes = np.searchsorted(classes, reading.y.ravel())
    if not np.array_equal(classes[np.minimum(codes, len(classes) - 1)], np.ravel(reading.y)):
        raise ValueError("y has labels that the model was not fitted to.")
    return codes


def balanced_by(reading: Reading) -> Floats:
    """What "balanced" sums in each class: the weights; scikit-learn before 1.7 counts samples."""
    if reading.package == SKLEARN and _installed() < (1, 7):
        return np.ones(len(reading.weight))
    return reading.weight


def _installed() -> tuple[int, ...]:
    """The release of the installed scikit-learn."""
    return tuple(map(int, version("scikit-learn").split(".")[:2]))


def class_factors(reading: Reading, codes: Any, positive: int, alone: bool) -> Floats:
    """What the class weights multiply the samples by in the problem of one class."""
    given, classes = getattr(reading.model, "class_weight", None), reading.classes
    if given is None:
        return np.ones(len(codes))
    side = codes if alone else (codes == positive).astype(int)
    if isinstance(given, str):
        sizes = np.bincount(side, weights=balanced_by(reading))
        table = sizes.sum() / (len(sizes) * np.where(sizes > 0.0, sizes, np.inf))  # none: 0
    else:
        side, table = codes, np.array([float(given.get(label, 1.0)) for label in classes.tolist()])
    if alone and len(classes) > 2:
        table = np.where(np.arange(len(table)) == positive, table, 1.0)
    return np.asarray(table[side])


Reader = Callable[[Reading], list[Problem] | list[MultinomialProblem]]
OURS, SKLEARN = "banditcd", "sklearn"
FOUR = (OURS, SKLEARN, "celer", "skglm")
READERS: dict[tuple[str, str], Reader] = {
    **{(package, name): squares for package in FOUR for name in ("Lasso", "ElasticNet")},
    **{(package, name): squares for package in FOUR[:2] for name in ("LassoCV", "ElasticNetCV")},
    **{(package, name): ridge for package in FOUR[:2] for name in ("Ridge", "RidgeCV")},
    **{(package, "RidgeClassifier"): ridge_classes for package in FOUR[:2]},
    **{(package, "RidgeClassifierCV"): ridge_classes for package in FOUR[:2]},
    **{(package, "LogisticRegression"): logistic for package in FOUR[:2]},
    **{(package, "LogisticRegressionCV"): logistic for package in FOUR[:2]},
    **{(package, "LinearSVC"): svc for package in FOUR[:2]},
    **{(package, "LinearSVR"): svr for package in FOUR[:2]},
    ("celer", "LogisticRegression"): celer_logistic,
    ("skglm", "SparseLogisticRegression"): skglm_logistic,
}


def problems_of(
    model: Any, X: Any, y: Any, sample_weight: Any, others: Mapping[tuple[str, str], Any]
) -> list[Any]:
    """Return the problems of a fitted model, or refuse it by name; ``others`` are more readers."""
    kind = type(model)
    package = kind.__module__.partition(".")[0]
    readers = READERS | dict(others)
    reader = readers.get((package, kind.__name__))
    if reader is None:
        known = ", ".join(sorted({f"{home}.{name}" for home, name in readers}))
        raise TypeError(
            f"verify does not know {package}.{kind.__name__}{_inside(model)}; the models it judges "
            f"are {known}."
        )
    return reader(read(package, model, X, y, sample_weight))


def _inside(model: Any) -> str:
    """What to pass in the place of a model around a model."""
    if hasattr(model, "best_estimator_"):
        return " (pass its best_estimator_)"
    if hasattr(model, "steps"):
        return " (pass its last step, and X as the steps before leave it)"
    return ""
