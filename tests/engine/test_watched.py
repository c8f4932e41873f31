"""Watched selectors: the same choices, written down; frames; the picture."""

import numpy as np
import pytest

from banditcd import minimize, problems, selectors
from banditcd.results import Picks

RNG = np.random.default_rng(0)
X = RNG.standard_normal((30, 9))
PROBLEM = problems.Lasso(X, X[:, 0] - X[:, 4], alpha=0.05)


@pytest.mark.parametrize("name", sorted(selectors.REGISTRY))
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_watching_changes_nothing(name, engine):
    options = {"max_epochs": 6, "tol": 1e-12, "random_state": 3, "engine": engine}
    plain = minimize(PROBLEM, name, **options)
    seen = minimize(PROBLEM, selectors.Watched(selectors.make(name)), **options)
    assert seen.selector == name
    assert seen.steps == len(seen.picks)
    if engine == "reference":  # compiled selectors round differently, and near ties that shows
        assert seen.steps == plain.steps
        assert seen.work == plain.work
        np.testing.assert_array_equal(seen.x, plain.x)
    gained = PROBLEM.objective(np.zeros(9)) - seen.objective
    assert seen.picks.gain.sum() == pytest.approx(gained, rel=1e-9)
    assert plain.picks is None


class Batches:
    """Passes that hear of a batch in one of the two ways."""

    def start(self, problem, rng):
        self.heard = []

    def next(self, state):
        return np.array([1, 0, 1]) if state.step else 4


class OneByOne(Batches):
    def observe(self, i, decrease, r_after):
        self.heard.append(i)


class AtOnce(Batches):
    def observe_batch(self, indices, decreases, r_after):
        self.heard += indices.tolist()


@pytest.mark.parametrize("kind", [Batches, OneByOne, AtOnce])
def test_what_the_watched_one_hears(kind):
    mine = kind()
    seen = minimize(PROBLEM, selectors.Watched(mine), max_epochs=4 / 9, tol=1e-15, trace=None)
    assert seen.picks.index.tolist() == [4, 1, 0, 1]
    assert mine.heard == ([] if kind is Batches else [4, 1, 0, 1])
    assert seen.selector == kind.__name__


def test_what_cannot_be_watched():
    with pytest.raises(TypeError, match="cannot be watched"):
        selectors.Watched(selectors.make("approx"))
    with pytest.raises(TypeError, match=r"selectors.make\('acf'\)"):
        selectors.Watched("acf")
    with pytest.raises(ValueError, match="no picks"):
        Picks(3, np.zeros(0, dtype=np.int32), np.zeros(0)).frames()


def test_frames_of_passes_are_flat_and_of_one_arm_are_not():
    passes = Picks(5, np.tile(np.arange(5, dtype=np.int32), 12), np.ones(60))
    frames = passes.frames(most=4)
    np.testing.assert_array_equal(frames.rate, np.ones((4, 5)))
    np.testing.assert_array_equal(frames.gain, np.ones((4, 5)))
    np.testing.assert_array_equal(frames.epoch, [0, 3, 6, 9, 12])
    assert frames.pool.tolist() == [4, 4, 4, 4]  # 80 % of five equal ones
    index = np.array([2] * 18 + [0, 1], dtype=np.int32)
    gains = np.tile(np.r_[np.full(18, 3.0), 1.0, 0.0], 2)
    one = Picks(4, np.tile(index, 2), gains).frames(most=2, rows=2)
    assert one.groups.tolist() == [2]
    assert one.others == 3
    assert (one.pool == 1).all()
    np.testing.assert_allclose(one.rate.mean(axis=0), [3.6, 0.4 / 3], rtol=1e-12)


def test_a_short_rest_joins_the_frame_before_it():
    picks = Picks(4, np.resize(np.arange(4, dtype=np.int32), 33), np.ones(33))
    assert picks.frames(most=4).epoch.tolist() == [0.0, 3.0, 6.0, 8.25]


def test_the_picture():
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    seen = minimize(PROBLEM, selectors.Watched(selectors.make("acf")), tol=1e-6, random_state=0)
    assert len(seen.plot().axes) == 4
    plain = minimize(PROBLEM, "acf", tol=1e-6, random_state=0)
    assert len(plain.plot().axes) == 2
    with pytest.raises(ValueError, match="no trace to plot"):
        minimize(PROBLEM, "acf", tol=1e-6, trace=None).plot()
