"""``banditcd fit``: a certified linear model from a file."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from typing import Any

from banditcd.cli.class_weights import match_class_weight
from banditcd.cli.errors import UNFINISHED, checking_input, writing
from banditcd.cli.fit_options import FIT_DESCRIPTION, FIT_EPILOG, add_fit_options
from banditcd.cli.grouping import check_division
from banditcd.cli.inputs import Samples, labeled, read_samples, read_training
from banditcd.cli.linear import LinearModel, from_estimator
from banditcd.cli.model_file import write_model
from banditcd.cli.models import (
    ModelKind,
    check_options,
    make_estimator,
    make_searcher,
    parameters,
)
from banditcd.cli.placing import Columns
from banditcd.cli.scores import (
    coefficient_lines,
    cross_validated,
    cross_validation_words,
    largest_coefficients,
)
from banditcd.cli.table_options import for_test, table_options
from banditcd.cli.telling import Teller
from banditcd.cli.training import Training
from banditcd.cli.verbs import Write, add_verb
from banditcd.cli.waiting import waiting, working
from banditcd.cli.words import (
    certificate_words,
    data_words,
    measure_words,
    model_words,
    objective_of,
)
from banditcd.data.dataset import Dataset
from banditcd.data.files import check_target
from banditcd.data.frames import counted
from banditcd.estimators.bases.telling import certificates_of


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "fit a linear model to a table, and say how exact it is"
    add_fit_options(add_verb(subparsers, "fit", run, text, FIT_DESCRIPTION, FIT_EPILOG))


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Check, read, fit, say what came out, write the model."""
    teller = Teller(write, arguments.json)
    with checking_input():
        kind = _check(arguments)
        given = parameters(arguments, kind)
        estimator = _estimator(arguments, kind, given)
        options = table_options(arguments)
        with waiting(f"reading {arguments.data}", arguments.quiet):
            training = read_training(arguments.data, options, kind.task)
        teller.say(data_words(training.dataset))
        teller.note(training.remarks)
        test = _read_test(arguments, training, teller)
        _know_data(arguments, estimator, training)
    search = fit(estimator, training, f"fitting {kind.name}", (arguments.quiet, teller))
    fitted = getattr(search, "best_estimator_", search)
    model = _model(kind, fitted, training)
    _describe(kind, fitted, model, teller)
    if arguments.cv is not None and (scores := cross_validated(search, arguments.select)):
        teller.keep(cross_validation=scores)
        teller.say(cross_validation_words(scores))
    _evaluate(model, training.dataset, (test, arguments.test), teller)
    if arguments.out is not None:
        with writing(arguments.out):
            write_model(model, arguments.out)
        teller.say(f"Written: {arguments.out}")
        teller.keep(written=str(arguments.out))
    teller.end()
    return 0 if all(c.converged for c in certificates_of(fitted)) else UNFINISHED


def fit(estimator: Any, training: Training, label: str, shown: tuple[bool, Teller]) -> Any:
    """Fit, showing that work goes on; an estimator's ValueError and its warnings reach the user."""
    quiet, teller = shown
    weights = {} if training.weights is None else {"sample_weight": training.weights}
    with working(label, quiet) as heard:
        estimator.fit(training.dataset.X, training.dataset.y, **weights)
    fitted = getattr(estimator, "best_estimator_", estimator)
    if heard.missed and all(c.converged for c in certificates_of(fitted)):
        # Else the certificate of the model says it.
        teller.note([f"The model converged, a fit to some of the folds did not. {heard.missed[0]}"])
    teller.note(heard.others)
    return estimator


def _know_data(arguments: argparse.Namespace, estimator: Any, training: Training) -> None:
    """Set the parameters that depend on the data: alpha by its ratio, weights by label."""
    rows = training.dataset.rows
    check_division(arguments, training.dataset)
    if arguments.cv is not None and arguments.cv > rows:
        raise ValueError(
            f"--cv is {arguments.cv} and there {'is' if rows == 1 else 'are'} "
            f"{counted(rows, 'row')}; a fold needs at least one row."
        )
    if arguments.alpha_ratio is not None:
        largest = largest_alpha(training, estimator)
        estimator.set_params(alpha=arguments.alpha_ratio * largest)
    own = getattr(estimator, "estimator", estimator)  # a grid search holds one
    weights = own.get_params().get("class_weight")
    if weights is not None:
        own.set_params(class_weight=match_class_weight(weights, training.dataset.classes))


def _model(kind: ModelKind, fitted: Any, training: Training) -> LinearModel:
    facts = _facts(fitted, training.dataset)
    if training.targets:
        several = len(training.targets) > 1
        facts["target"] = list(training.targets) if several else training.targets[0]
    model = from_estimator(kind.name, fitted, training.dataset.feature_names, facts)
    facts = {"objective": objective_of(model), **facts}
    return replace(model, facts=facts, recipe=training.recipe)


def largest_alpha(training: Training, estimator: Any) -> float:
    """Return the smallest alpha at which every coefficient is zero."""
    from banditcd.estimators import enet_path

    options = estimator.get_params()
    words = ("fit_intercept", "standardize", "positive")
    shared = {name: options[name] for name in words if name in options}
    ratio, data = options.get("l1_ratio", 1.0), training.dataset
    weights = training.weights
    found = enet_path(data.X, data.y, alphas=1, l1_ratio=ratio, sample_weight=weights, **shared)
    return float(found[0][0])


def _check(arguments: argparse.Namespace) -> ModelKind:
    kind = check_options(arguments)
    if arguments.cv is not None:
        if arguments.cv < 2:
            raise ValueError(f"--cv is {arguments.cv}; at least 2 folds are needed.")
        for name in ("alpha", "alpha_ratio", "C"):
            if getattr(arguments, name) is not None:
                word = "--" + name.replace("_", "-")
                raise ValueError(f"--cv chooses the penalty by itself; leave out {word}.")
    elif arguments.select is not None:
        raise ValueError("--select is a rule of cross-validation; add --cv K.")
    if arguments.out is not None:
        read = (arguments.data, arguments.test, *(arguments.target or ()))
        check_target(arguments.out, "--out", *read)
    return kind


def _estimator(arguments: argparse.Namespace, kind: ModelKind, given: dict[str, Any]) -> Any:
    if arguments.cv is None:
        return make_estimator(kind, given)
    if arguments.select is not None:
        given = {**given, "select": arguments.select}
    return make_searcher(kind, given, arguments.cv)


def _facts(fitted: Any, dataset: Dataset) -> dict[str, Any]:
    """Return what the model file tells its reader."""
    simple = (bool, int, float, str, dict, type(None))  # others, such as grids, are left out
    chosen = {k: v for k, v in fitted.get_params().items() if isinstance(v, simple)}
    for name in ("alpha", "l1_ratio", "C"):
        if hasattr(fitted, f"{name}_"):
            chosen[name] = _number(getattr(fitted, f"{name}_"))
    if chosen.get("C") == math.inf:
        chosen["C"] = "inf"  # JSON has no such number
    fields = ("primal", "dual", "gap", "target", "status", "regime", "passes", "seconds", "n_iter")
    certificates = [
        {field: getattr(certificate, field) for field in fields}
        for certificate in certificates_of(fitted)
    ]
    return {
        "parameters": chosen,
        "certificates": certificates,
        "trained_on": {"data": dataset.title, "rows": dataset.rows, "columns": dataset.columns},
    }


def _number(value: Any) -> Any:
    """Return a chosen penalty as a number, or a list where classes have their own."""
    values = [float(v) for v in getattr(value, "ravel", lambda: [value])()]
    return values[0] if len(set(values)) == 1 else values


def _describe(kind: ModelKind, fitted: Any, model: LinearModel, teller: Teller) -> None:
    chosen = model.facts["parameters"]
    used = int(model.coef.getnnz(axis=0).astype(bool).sum())
    teller.say(model_words(model))
    classes = "" if model.classes is None else f" for {len(model.classes)} classes"
    teller.say(f"{used:,} of {model.n_features:,} features are used{classes}.")
    exact = all(certificate.primal == 0.0 for certificate in certificates_of(fitted))
    if used == 0 and exact:
        teller.say("  A constant predicts these targets exactly: no feature is needed.")
    elif used == 0 and kind.penalty == "alpha" and chosen.get("cv") is None:
        teller.say(
            "  The penalty leaves no feature in: try a smaller --alpha, "
            + ("--alpha-ratio 0.05 or --cv 5." if "alpha_ratio" in kind.options else "or --cv 5.")
        )
    for line in coefficient_lines(model):
        teller.say(line)
    for line in certificate_words(certificates_of(fitted), fitted.tol, chosen.get("max_iter") or 0):
        teller.say(line)
    teller.keep(
        **model.facts,
        model=kind.name,
        classes=model.classes,
        n_features=model.n_features,
        features_used=used,
        largest_coefficients=largest_coefficients(model),
    )


def _evaluate(
    model: LinearModel, dataset: Dataset, tested: tuple[Samples | None, str], teller: Teller
) -> None:
    """Say how good the predictions are, on the training data and on the test data."""
    measures = model.evaluate(dataset.X, dataset.y)
    teller.keep(training=measures)
    teller.say(f"Training data: {measure_words(measures)}")
    test, name = tested
    if test is not None:
        measures = evaluated(model, test)
        teller.keep(test={"data": name, **measures})
        teller.say(f"Test data ({name}): {measure_words(measures)}")


def _read_test(arguments: argparse.Namespace, training: Training, teller: Teller) -> Samples | None:
    """Read the test data before the fit, so that a mistake in them costs nothing."""
    if arguments.test is None:
        return None
    data, recipe = training.dataset, training.recipe
    outputs = 1 if data.y.ndim == 1 else data.y.shape[1]
    shape = (data.columns, data.feature_names, training.targets)
    columns = Columns(*shape, recipe, data.y.dtype.kind == "U", outputs)
    samples = read_samples(arguments.test, columns, for_test(table_options(arguments)))
    check_labeled(samples, arguments.test)
    teller.note(samples.remarks)
    return samples


def check_labeled(samples: Samples, name: str) -> None:
    """Check that predictions can be compared with something."""
    if samples.y is None or not labeled(samples.y).any():
        raise ValueError(f"{name} has no labels to compare the predictions with.")


def evaluated(model: LinearModel, samples: Samples) -> dict[str, float]:
    """Return the measures of the predictions, over the samples that have labels."""
    there = labeled(samples.y)
    if there.all():
        return model.evaluate(samples.X, samples.y)
    return model.evaluate(samples.X[there], samples.y[there])
