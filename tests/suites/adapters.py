"""Our estimators in the words of celer and skglm, whose tests come with their distributions.

Both are drop-ins of scikit-learn with constructors of their own: ``weights`` for penalties of
columns, groups as sizes or lists of columns, ``p0`` and ``max_epochs`` for their solvers. An
adapter has the constructor and the defaults of the installed class, and fits with ours.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import issparse

import banditcd

#: Words about their solvers, which change no answer.
SOLVERS = {"max_epochs", "p0", "prune", "ws_strategy", "precompute", "copy_X", "verbose", "alpha"}
Params = dict[str, Any]
Translate = Callable[[Params, Any], Params]


def adapter(theirs: type, ours: type, translate: Translate, **fixed: Any) -> type:
    """Return a class with the constructor of ``theirs`` and the fit of ``ours``.

    ``translate`` makes our parameters of theirs, given the samples; ``fixed`` are added.
    """
    signature = inspect.signature(theirs.__init__)  # type: ignore[misc]
    known = set(inspect.signature(ours.__init__).parameters)  # type: ignore[misc]

    def construct(self: Any, *args: Any, **params: Any) -> None:
        bound = signature.bind(self, *args, **params)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    def fit(self: Any, X: Any, y: Any, **params: Any) -> Any:
        words = translate(self.get_params(), X) | fixed
        words["max_iter"] *= words.get("max_epochs", 1)  # theirs are made of that many passes
        if lost := [name for name in words.keys() - known - SOLVERS if words[name]]:
            raise ValueError(f"{ours.__name__} has no {', '.join(lost)}.")
        inner = ours(**{name: value for name, value in words.items() if name in known})
        inner.__dict__.update(found(self))
        inner.fit(X, y, **params)
        self.__dict__.update(found(inner))
        return self

    construct.__signature__ = signature  # type: ignore[attr-defined]
    fit.__signature__ = inspect.signature(ours.fit)  # type: ignore[attr-defined]
    methods = {"__init__": construct, "fit": fit, "__module__": __name__}
    return type(theirs.__name__, (ours,), methods | fixed)


def found(estimator: Any) -> Params:
    """Return what a fit has left."""
    return {
        name: value
        for name, value in vars(estimator).items()
        if name.endswith("_") or name == "n_features_in_"
    }


def weights_of_columns(params: Params, X: Any) -> Params:
    """Translate the Lasso, the elastic net and their searches."""
    out = dict(params)
    weights = out.pop("weights", None)
    if weights is not None:
        out["penalty_weights"] = weights
    if "n_alphas" in out:
        number = out.pop("n_alphas")
        out["alphas"] = number if out["alphas"] is None else out["alphas"]
    return out


def groups_of_columns(params: Params, X: Any) -> Params:
    """Translate the Lasso of groups: sizes or lists of columns, and weights of one."""
    out = weights_of_columns({**params, "weights": None}, X)
    groups = params["groups"]
    if isinstance(groups, list) and isinstance(groups[0], list):
        labels = np.empty(sum(map(len, groups)), dtype=int)
        for k, columns in enumerate(groups):
            labels[columns] = k
        out["groups"] = labels
    elif isinstance(groups, list):
        out["groups"] = np.repeat(np.arange(len(groups)), groups)
    out["weights"] = params.get("weights")
    return out


def strength_of_samples(params: Params, X: Any) -> Params:
    """Translate skglm's alpha of a mean of losses into C."""
    rows = X.shape[0] if issparse(X) else len(np.asarray(X))
    return {**params, "C": 1.0 / (params["alpha"] * rows)}


def keep(params: Params, X: Any) -> Params:
    """Translate nothing."""
    return params


#: By distribution: names, our classes, and how their parameters are translated.
CELER: dict[str, tuple[type, Translate, Params]] = {
    "Lasso": (banditcd.Lasso, weights_of_columns, {}),
    "LassoCV": (banditcd.LassoCV, weights_of_columns, {}),
    "ElasticNet": (banditcd.ElasticNet, weights_of_columns, {}),
    "ElasticNetCV": (banditcd.ElasticNetCV, weights_of_columns, {}),
    "MultiTaskLasso": (banditcd.MultiTaskLasso, keep, {}),
    "MultiTaskLassoCV": (banditcd.MultiTaskLassoCV, weights_of_columns, {}),
    "GroupLasso": (banditcd.GroupLasso, groups_of_columns, {}),
    "GroupLassoCV": (banditcd.GroupLassoCV, groups_of_columns, {}),
    "LogisticRegression": (
        banditcd.LogisticRegression,
        keep,
        {"penalty": "deprecated", "l1_ratio": 1.0, "solver": "auto", "multi_class": "ovr"},
    ),
}
SKGLM: dict[str, tuple[type, Translate, Params]] = {
    "Lasso": (banditcd.Lasso, weights_of_columns, {}),
    "WeightedLasso": (banditcd.Lasso, weights_of_columns, {}),
    "ElasticNet": (banditcd.ElasticNet, weights_of_columns, {}),
    "MultiTaskLasso": (banditcd.MultiTaskLasso, keep, {}),
    "GroupLasso": (banditcd.GroupLasso, groups_of_columns, {}),
    "SparseLogisticRegression": (
        banditcd.LogisticRegression,
        strength_of_samples,
        {"multi_class": "ovr"},
    ),
    "LinearSVC": (banditcd.LinearSVC, keep, {"loss": "hinge"}),
}
PEERS = {
    "celer": (("celer", "celer.dropin_sklearn"), CELER),
    "skglm": (("skglm", "skglm.estimators"), SKGLM),
}


@functools.cache
def adapted(name: str, peer: str) -> type:
    """Return the adapter of one class of an installed distribution."""
    modules, classes = PEERS[peer]
    ours, translate, fixed = classes[name]
    theirs = getattr(importlib.import_module(modules[1]), name)
    made = adapter(theirs, ours, translate, **fixed)
    made.__qualname__ = f"{peer}_{name}"  # by which pickle finds it here
    return made


def __getattr__(name: str) -> type:
    peer, _, kind = name.partition("_")
    if kind in PEERS.get(peer, ((), {}))[1]:
        return adapted(kind, peer)
    raise AttributeError(name)
