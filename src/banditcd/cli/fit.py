"""``banditcd fit``: a certified linear model from a file."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from banditcd.cli.errors import UNFINISHED, UserError, checking_input, writing
from banditcd.cli.fit_options import FIT_DESCRIPTION, FIT_EPILOG, add_fit_options
from banditcd.cli.inputs import Columns, Samples, read_samples, read_training
from banditcd.cli.linear import LinearModel, from_estimator
from banditcd.cli.model_file import write_model
from banditcd.cli.models import (
    ModelKind,
    check_options,
    make_estimator,
    make_searcher,
    parameters,
)
from banditcd.cli.waiting import waiting
from banditcd.cli.words import certificate_words, data_words, measure_words
from banditcd.data.dataset import Dataset
from banditcd.data.files import check_target

Write = Callable[[str], None]


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    parser = subparsers.add_parser(
        "fit",
        help="fit a Lasso, elastic net, ridge, logistic regression or SVM to a file",
        description=FIT_DESCRIPTION,
        epilog=FIT_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_fit_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Check, read, fit, say what came out, write the model."""
    with checking_input():
        kind = _check(arguments)
        given = parameters(arguments, kind)
        estimator = _estimator(arguments, kind, given)
        with waiting(f"reading {arguments.data}", arguments.quiet):
            dataset = read_training(arguments.data, arguments.target, kind.task)
        write(data_words(dataset))
        test = _read_test(arguments, dataset)
        if arguments.alpha_ratio is not None:
            estimator.set_params(alpha=arguments.alpha_ratio * largest_alpha(dataset, estimator))
    fitted = fit(estimator, dataset, f"fitting {kind.name}", arguments.quiet)
    model = from_estimator(kind.name, fitted, dataset.feature_names, _facts(kind, fitted, dataset))
    if arguments.target is not None:
        model.facts["target"] = arguments.target
    _describe(kind, fitted, model, dataset, write)
    if test is not None:
        write(f"Test data ({arguments.test}): {evaluated(model, test)}")
    if arguments.out is not None:
        with writing(arguments.out):
            write_model(model, arguments.out)
        write(f"Written: {arguments.out}")
    return 0 if all(c.converged for c in certificates_of(fitted)) else UNFINISHED


def fit(estimator: Any, dataset: Dataset, label: str, quiet: bool) -> Any:
    """Fit, showing that work goes on; an estimator's ValueError and its warnings reach the user."""
    with warnings.catch_warnings(record=True) as caught, waiting(label, quiet):
        warnings.simplefilter("always")
        try:
            estimator.fit(dataset.X, dataset.y)
        except (ValueError, TypeError) as error:
            raise UserError(str(error)) from error
    told = dict.fromkeys(str(w.message) for w in caught)
    # The certificate tells about those that did not converge.
    tell(text for text in told if not text.startswith("Objective did not converge"))
    return getattr(estimator, "best_estimator_", estimator)


def certificates_of(estimator: Any) -> list[Any]:
    """Return one certificate for each class or target."""
    certificate = estimator.certificate_
    return list(certificate) if isinstance(certificate, list | tuple) else [certificate]


def largest_alpha(dataset: Dataset, estimator: Any) -> float:
    """Return the smallest alpha at which every coefficient is zero."""
    from banditcd.estimators import enet_path

    options = estimator.get_params()
    shared = {name: options[name] for name in ("fit_intercept", "standardize", "positive")}
    ratio = options.get("l1_ratio", 1.0)
    found = enet_path(dataset.X, dataset.y, alphas=1, l1_ratio=ratio, **shared)
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
    elif arguments.select_alpha is not None:
        raise ValueError("--select-alpha is a rule of cross-validation; add --cv K.")
    if arguments.out is not None:
        check_target(arguments.out, "--out")
    return kind


def _estimator(arguments: argparse.Namespace, kind: ModelKind, given: dict[str, Any]) -> Any:
    if arguments.cv is None:
        return make_estimator(kind, given)
    if arguments.select_alpha is not None:
        given = {**given, "select_alpha": arguments.select_alpha}
    verbose = sys.stderr.isatty() and not arguments.quiet
    return make_searcher(kind, given, arguments.cv, verbose)


def _facts(kind: ModelKind, fitted: Any, dataset: Dataset) -> dict[str, Any]:
    """Return what the model file tells its reader."""
    simple = (bool, int, float, str, dict, type(None))  # others, such as grids, are left out
    chosen = {k: v for k, v in fitted.get_params().items() if isinstance(v, simple)}
    for name in ("alpha", "l1_ratio", "C"):
        if hasattr(fitted, f"{name}_"):
            chosen[name] = _number(getattr(fitted, f"{name}_"))
    fields = ("primal", "dual", "gap", "target", "status", "regime", "passes", "seconds", "n_iter")
    certificates = [
        {field: getattr(certificate, field) for field in fields}
        for certificate in certificates_of(fitted)
    ]
    return {
        "objective": kind.objective,
        "parameters": chosen,
        "certificates": certificates,
        "trained_on": {"data": dataset.title, "rows": dataset.rows, "columns": dataset.columns},
    }


def _number(value: Any) -> Any:
    """Return a chosen penalty as a number, or a list where classes have their own."""
    values = [float(v) for v in getattr(value, "ravel", lambda: [value])()]
    return values[0] if len(set(values)) == 1 else values


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _describe(
    kind: ModelKind, fitted: Any, model: LinearModel, dataset: Dataset, write: Write
) -> None:
    chosen = model.facts["parameters"]
    shown = [name for name in ("alpha", "C", "l1_ratio", "loss", "epsilon") if name in kind.options]
    words = [f"{name} = {_short(chosen[name])}" for name in shown if name in chosen]
    intercept = "an intercept" if chosen.get("fit_intercept", True) else "no intercept"
    write(f"{kind.title}, {', '.join(words)}, {intercept}; minimizes {kind.objective}")
    used = int(model.coef.getnnz(axis=0).astype(bool).sum())
    classes = "" if model.classes is None else f" for {len(model.classes)} classes"
    write(f"{used:,} of {model.n_features:,} features are used{classes}.")
    if used == 0 and kind.penalty == "alpha":
        write(
            "  The penalty leaves no feature in: try a smaller --alpha, "
            + ("--alpha-ratio 0.05 or --cv 5." if "alpha_ratio" in kind.options else "or --cv 5.")
        )
    for line in certificate_words(certificates_of(fitted), fitted.tol, chosen.get("max_iter") or 0):
        write(line)
    write(f"Training data: {measure_words(model.evaluate(dataset.X, dataset.y))}")


def _read_test(arguments: argparse.Namespace, dataset: Dataset) -> Samples | None:
    """Read the test data before the fit, so that a mistake in them costs nothing."""
    if arguments.test is None:
        return None
    columns = Columns(dataset.columns, dataset.feature_names, arguments.target)
    samples = read_samples(arguments.test, columns, arguments.target)
    check_labelled(samples, arguments.test)
    tell(samples.remarks)
    return samples


def tell(remarks: Iterable[str]) -> None:
    """Write remarks to standard error."""
    for remark in remarks:
        print(f"banditcd: note: {remark}", file=sys.stderr)


def check_labelled(samples: Samples, name: str) -> None:
    """Check that predictions can be compared with something."""
    if samples.y is None:
        raise ValueError(f"{name} has no labels to compare the predictions with.")


def evaluated(model: LinearModel, samples: Samples) -> str:
    """Return the measures of the predictions in words."""
    return "" if samples.y is None else measure_words(model.evaluate(samples.X, samples.y))
