"""Selectors, which choose the next coordinate: the rules of the paper, its rivals, and better ones.

A selector is an object with ``start(problem, rng)``, ``next(state)`` and, if it learns,
``observe(i, decrease, r_after)`` or, by batches, ``observe_batch(indices, decreases, r_after)``.
Yours can be a plain Python class: it works with every cost and every update rule.
"""

from typing import Any

from banditcd.data import unknown_name
from banditcd.selectors.accelerated import Accelerated, Approx, Nuacdm
from banditcd.selectors.ascd import Ascd
from banditcd.selectors.bandits import BanditGS, BanditVariance
from banditcd.selectors.base import Selector, State
from banditcd.selectors.bins import BMaxR, GapPerEpoch, SqrtR
from banditcd.selectors.focus import Focus
from banditcd.selectors.frequencies import Acf, Calendar
from banditcd.selectors.full_information import AdaGap, AdaKappa, GaussSouthwell, MaxGap, MaxR
from banditcd.selectors.importance import Importance
from banditcd.selectors.orders import Cyclic, Shuffled, Uniform
from banditcd.selectors.pool import Pool
from banditcd.selectors.rng import RandomSource, Rng, seed_from
from banditcd.selectors.watched import Watched

REGISTRY: dict[str, type[Selector]] = {
    selector.name: selector
    for selector in (
        Uniform,
        Cyclic,
        Shuffled,
        Importance,
        AdaGap,
        AdaKappa,
        GaussSouthwell,
        MaxGap,
        Ascd,
        MaxR,
        GapPerEpoch,
        BMaxR,
        BanditVariance,
        BanditGS,
        SqrtR,
        Acf,
        Calendar,
        Focus,
    )
}
"""Every selector by name. A new selector is one file and one line here."""

ACCELERATED: dict[str, type[Accelerated]] = {method.name: method for method in (Approx, Nuacdm)}
"""Every accelerated method by name."""

BATCHED: dict[str, type[Pool]] = {Pool.name: Pool}
"""Rules by name that choose batches, in Python: they have no compiled twin."""


def named() -> dict[str, Any]:
    """Return everything that can be given as a selector by its name."""
    return {**REGISTRY, **BATCHED, **ACCELERATED}


def make(name: str, **parameters: Any) -> Selector | Pool | Accelerated:
    """Build a selector or an accelerated method by name."""
    known = named()
    if name not in known:
        raise unknown_name("selector", name, known)
    built: Selector | Pool | Accelerated = known[name](**parameters)
    return built


__all__ = [
    "ACCELERATED",
    "BATCHED",
    "REGISTRY",
    "Accelerated",
    "Acf",
    "AdaGap",
    "AdaKappa",
    "Approx",
    "Ascd",
    "BMaxR",
    "BanditGS",
    "BanditVariance",
    "Calendar",
    "Cyclic",
    "Focus",
    "GapPerEpoch",
    "GaussSouthwell",
    "Importance",
    "MaxGap",
    "MaxR",
    "Nuacdm",
    "Pool",
    "RandomSource",
    "Rng",
    "Selector",
    "Shuffled",
    "SqrtR",
    "State",
    "Uniform",
    "Watched",
    "make",
    "named",
    "seed_from",
]
