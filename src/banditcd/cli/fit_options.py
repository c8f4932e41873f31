"""The options of ``banditcd fit`` and ``banditcd path``."""

from __future__ import annotations

import argparse
from pathlib import Path

from banditcd.cli.models import KINDS, LOSSES
from banditcd.cli.objectives import general
from banditcd.cli.table_options import add_training_columns

DATA_HELP = (
    "a table (.csv, .tsv, .parquet, .feather), LIBSVM text, .npz, .npy, - for standard input, or a "
    "name of `banditcd data list`; text may be compressed (.gz, .bz2, .xz, .zst)"
)

FIT_DESCRIPTION = """\
Fit a linear model and say how exact it is: the certificate is a duality gap, printed in words and
kept in the model file. Words and scaling of the penalty are scikit-learn's.

""" + "\n".join(
    f"  {name if place == 0 else '':<15} {text}"
    for name in KINDS
    for place, text in enumerate(general(name))
)

FIT_EPILOG = """\
examples:
  banditcd fit a9a --model logistic --l1-ratio 1 --C 0.1 --test a9a.t --out a9a.json
  banditcd fit train.svm.bz2 --model svm --loss hinge --C 1 --out model.json
  banditcd fit houses.csv --model lasso --cv 5 --standardize --out houses.json
  banditcd fit customers.parquet --model logistic --target churn --missing median --out churn.json
exit status: 0 done and certified, 1 failed, 2 a mistake in the command or the data (nothing was
done), 3 done and written but the tolerance was not reached, 130 interrupted."""


PATHS = (
    "lasso",
    "elasticnet",
    "logistic",
    "multitasklasso",
    "multitaskelasticnet",
    "grouplasso",
    "grouplogistic",
)
"""The models that `path` follows."""


def add_fit_options(parser: argparse.ArgumentParser) -> None:
    """Add every option of ``fit``."""
    add = parser.add_argument
    _add_model(parser, list(KINDS))
    _add_penalty(parser)
    losses = [loss for words in LOSSES.values() for loss in words]
    first = ", ".join(f"{words[0]} for {name}" for name, words in LOSSES.items())
    add("--loss", type=underscored, choices=losses, help=f"of an svm or svr (default: {first})")
    add("--penalty", choices=["l2", "l1"], help="of an svm (default: l2)")
    add("--epsilon", type=float, metavar="E", help="of an svr: errors that cost nothing (0)")
    text = "of an svm or svr: do not penalize the intercept"
    add("--free-intercept", action="store_true", help=text)
    _add_groups(parser)
    add("--class-weight", metavar="W", help="balanced, or LABEL:WEIGHT,... (=-1:2,1:1)")
    _add_solver(parser)
    _add_classes(parser)
    add("--cv", type=int, metavar="K", help="choose the penalty by K-fold cross-validation")
    text = "with --cv: the best penalty (min, default), or the strongest within one standard error"
    add("--select", "--select-alpha", choices=["min", "1se"], help=text)
    add("--test", metavar="DATA", help="evaluate on these data, too")
    add("--out", type=Path, metavar="MODEL", help="the model file: .json, or .npz for large ones")


def add_path_options(parser: argparse.ArgumentParser) -> None:
    """Add every option of ``path``."""
    add = parser.add_argument
    _add_model(parser, list(PATHS))
    _add_groups(parser)
    _add_classes(parser)
    add("--l1-ratio", type=_ratios, metavar="R", help="share of the L1 penalty, above 0, up to 1")
    add("--points", type=int, default=100, metavar="N", help="penalties (default: %(default)d)")
    add(
        "--eps",
        type=float,
        default=1e-3,
        metavar="E",
        help="weakest penalty relative to the strongest (default: %(default)g)",
    )
    _add_solver(parser)
    add("--out", type=Path, metavar="FILE", help="rows and coefficients: .csv or .npz")
    add("--rows", type=int, default=20, metavar="N", help="rows to print; 0 for all (default: 20)")
    text = "a picture (.png, .svg, .pdf) of the path, or a page (.html) with picture and table"
    add("--plot", type=Path, metavar="FILE", help=text)


def _add_model(parser: argparse.ArgumentParser, names: list[str]) -> None:
    add = parser.add_argument
    parser.usage = "%(prog)s DATA --model MODEL [options]"  # a mistake is told without all of them
    add("data", metavar="DATA", help=DATA_HELP)
    words = ", ".join(names)
    add("--model", required=True, type=plain_word, choices=names, metavar="MODEL", help=words)
    add_training_columns(parser)


def _add_groups(parser: argparse.ArgumentParser) -> None:
    text = "of a group model: features per group, side by side (default: 1)"
    parser.add_argument("--groups", type=int, metavar="P", help=text)


def _add_classes(parser: argparse.ArgumentParser) -> None:
    text = "three and more classes: one model (multinomial, default) or one against the rest"
    parser.add_argument("--multi-class", choices=["multinomial", "ovr"], help=f"logistic; {text}")


def _add_penalty(parser: argparse.ArgumentParser) -> None:
    penalty = parser.add_mutually_exclusive_group()
    add = penalty.add_argument
    add(
        "--alpha",
        type=float,
        help="penalty of lasso, elasticnet, grouplasso, multitask... and the ridges (default: 1)",
    )
    add("--alpha-ratio", type=float, metavar="R", help="alpha as a share of the largest useful one")
    add(
        "--C",
        type=float,
        help="weight of the loss of logistic, grouplogistic, svm, svr (default: 1); inf, of the "
        "logistic ones: no penalty",
    )
    text = "share of the L1 penalty: elastic nets (default: 0.5), logistic (default: 0, L2); with "
    text += "--cv several, as 0.1,0.5,0.9"
    parser.add_argument("--l1-ratio", type=_ratios, metavar="R", help=text)


def plain_word(text: str) -> str:
    """Read the name of a model, whose parts may be set apart: elastic-net, elastic_net."""
    return text.replace("-", "").replace("_", "").lower()


def underscored(text: str) -> str:
    """Read a name of several words, which may have hyphens: squared-hinge."""
    return text.replace("-", "_")


def _ratios(text: str) -> list[float]:
    """Read numbers between commas."""
    return [float(part) for part in text.split(",")]


def _add_solver(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--tol", type=float, help="duality gap to stop at, relative to the null model's objective")
    add("--max-iter", type=int, metavar="N", help="limit on iterations")
    add("--threads", type=int, metavar="N", help="threads to work with")
    add("--no-intercept", action="store_true", help="fit no intercept")
    add("--standardize", action="store_true", help="penalize as if columns had unit variance")
    add("--positive", action="store_true", help="no negative coefficients")
    add(
        "--selector",
        type=underscored,
        metavar="NAME",
        help="solve with a selector of `banditcd list selectors`",
    )
    add("--seed", type=int, metavar="S", help="of a randomized selector")
    add("--quiet", action="store_true", help="no progress on standard error")
    add("--json", action="store_true", help="print one JSON object instead of sentences")
