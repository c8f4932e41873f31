"""Constructors of the public estimators: every parameter has a type that an editor can use."""

from __future__ import annotations

import inspect
import types
import typing
from typing import Any, Literal, get_args, get_origin

import pytest
from sklearn.base import BaseEstimator, clone

import banditcd
from banditcd.estimators import linear_svc, ridge
from banditcd.estimators.checks import logistic, path_types
from banditcd.estimators.checks import types as words
from banditcd.estimators.checks.settings import SOLVERS

NAMES = [
    name
    for name in banditcd.__all__
    if inspect.isclass(getattr(banditcd, name))
    and issubclass(getattr(banditcd, name), BaseEstimator)
]


def hints(kind):
    """Return the types of the constructor's parameters."""
    found = typing.get_type_hints(kind.__init__)
    return {name: hint for name, hint in found.items() if name != "return"}


def members(hint):
    """Return the parts of a union."""
    return get_args(hint) if get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


@pytest.mark.parametrize("name", NAMES)
def test_no_parameter_may_be_anything(name):
    kind = getattr(banditcd, name)
    found = hints(kind)
    assert set(found) == set(inspect.signature(kind).parameters)
    assert not [parameter for parameter, hint in found.items() if Any in members(hint)]


@pytest.mark.parametrize("name", NAMES)
def test_defaults_are_of_their_types_and_survive_a_clone(name):
    kind = getattr(banditcd, name)
    found, model = hints(kind), kind()
    for parameter, default in model.get_params(deep=False).items():
        if default is None or isinstance(default, (bool, str)):
            allowed = members(found[parameter])
            spoken = [w for m in allowed if get_origin(m) is Literal for w in get_args(m)]
            plain = type(None) if default is None else type(default)
            assert default in spoken or plain in allowed, parameter
    assert clone(model).get_params() == model.get_params()


def test_words_of_solvers_are_those_that_are_taken():
    assert set(get_args(words.RidgeWord)) == set(ridge.METHODS)
    taken = {*SOLVERS, *logistic.SAME_OPTIMUM, *logistic.REGIMES}
    assert set(get_args(words.LogisticWord)) == taken
    assert set(get_args(words.SvmWord)) == {*SOLVERS, *linear_svc.REGIMES}
    assert set(get_args(words.MultiClass)) == set(logistic.MULTI_CLASS)


PATHS = ("lasso_path", "enet_path", "group_lasso_path", "logistic_path", "group_logistic_path")


@pytest.mark.parametrize("name", PATHS)
def test_every_parameter_of_a_path_has_a_type(name):
    path = getattr(banditcd, name)
    found = typing.get_type_hints(path)
    assert set(found) == {*inspect.signature(path).parameters, "return"}
    assert not [parameter for parameter, hint in found.items() if Any in members(hint)]


def test_the_other_words_of_a_path_are_those_it_takes():
    from banditcd.estimators import paths
    from banditcd.estimators.logistic_paths import path_estimator

    assert set(path_types.LinearPathOptions.__annotations__) == set(paths.OPTIONS)
    for kind, own, options in (
        (banditcd.LogisticRegression, {"penalty", "l1_ratio"}, path_types.LogisticPathOptions),
        (banditcd.GroupLogisticRegression, {"groups"}, path_types.GroupPathOptions),
    ):
        with pytest.raises(ValueError, match="Known: ") as error:
            path_estimator(kind, {"strange": 1}, own)
        known = str(error.value).partition("Known: ")[2].rstrip(".").split(", ")
        assert set(known) == set(options.__annotations__)
