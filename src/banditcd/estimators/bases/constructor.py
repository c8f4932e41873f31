"""Constructors of estimators, from the parameters that their classes declare.

A constructor of scikit-learn keeps every argument under its name and does nothing else. So a class
declares its parameters with their types and defaults, as a data class does, and the constructor
follows from them. Data classes themselves the estimators are not: libraries that hash those (Dask,
Streamlit) look at the fields alone, and would take two fitted models for one.
"""

from __future__ import annotations

import inspect
from dataclasses import Field, field, make_dataclass
from typing import Any, TypeVar, dataclass_transform

Model = TypeVar("Model", bound=type)


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def with_constructor(model: Model) -> Model:
    """Give a class a constructor of the parameters that it and its bases declare.

    ``field(default=..., kw_only=False)`` is a parameter that may be given by its place, and
    ``field(default=..., init=False)`` a value that is no parameter any more.
    """
    declared: dict[str, tuple[str, str, Field[Any]]] = dict(getattr(model, "_declared", {}))
    for name, kind in inspect.get_annotations(model).items():
        given = vars(model)[name]
        parameter = given if isinstance(given, Field) else field(default=given)
        declared[name] = (name, kind, parameter)
        if parameter.init:
            delattr(model, name)
        else:
            setattr(model, name, parameter.default)
    model._declared = declared  # type: ignore[attr-defined]
    twin = make_dataclass(model.__name__, declared.values(), kw_only=True, repr=False, eq=False)
    model.__init__ = twin.__init__  # type: ignore[misc]
    return model
