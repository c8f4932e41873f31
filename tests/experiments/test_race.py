from typing import Any

import numpy as np
import pytest

from banditcd.experiments import Contest, Entrant, RaceResult, Rules, Watcher, run_race
from banditcd.experiments.entrants import parse_entrants
from banditcd.experiments.race import LOOK_GROWTH, RunError, looks, why_not


@pytest.mark.parametrize(("d", "epochs"), [(1, 3), (10, 3000), (1797, 50), (100_000, 2)])
def test_looks_are_few_and_never_more_than_five_percent_apart(d: int, epochs: int) -> None:
    steps = looks(d, epochs)
    assert steps[-1] == d * epochs
    assert len(steps) < 350
    assert np.all(np.diff(steps) >= 1)
    assert np.all(np.diff(steps) <= np.ceil((LOOK_GROWTH - 1.0) * steps[:-1] + 1.0))


def test_everybody_runs_with_every_seed(race: RaceResult) -> None:
    pairs = [(run.selector, run.seed) for run in race.runs]
    assert len(pairs) == len(set(pairs)) == 5 * 3
    assert {run.engine for run in race.runs} == {"compiled"}


def test_all_start_from_the_same_point_and_reach_the_same_optimum(race: RaceResult) -> None:
    starts = {float(run.trace.objective[0]) for run in race.runs}
    assert len(starts) == 1
    for run in race.runs:
        assert run.trace.objective.min() >= race.info.optimum
        if run.status == "converged":
            end = run.trace.objective[-1] - race.info.optimum
            assert end <= race.info.tol * race.info.null_objective
    assert race.info.optimum_gap <= 1e-10 * race.info.null_objective


def test_the_same_seeds_give_the_same_race(contest: Contest, race: RaceResult) -> None:
    again, _ = run_race(contest, parse_entrants("b_max_r"), Rules(epochs=300, seeds=3))
    for name in ("uniform", "b_max_r"):
        for first, second in zip(race.of(name), again.of(name), strict=True):
            np.testing.assert_array_equal(first.trace.objective, second.trace.objective)
            np.testing.assert_array_equal(first.trace.work, second.trace.work)


def test_engines_agree_on_the_story(contest: Contest) -> None:
    rules = Rules(epochs=5, seeds=1)
    compiled, _ = run_race(contest, parse_entrants("cyclic"), rules)
    plain, _ = run_race(
        contest, parse_entrants("cyclic"), Rules(epochs=5, seeds=1, engine="reference")
    )
    np.testing.assert_allclose(
        compiled.of("cyclic")[0].trace.gap, plain.of("cyclic")[0].trace.gap, rtol=1e-8
    )


class Own:
    """A user's selector: coordinates in order."""

    def start(self, problem: Any, rng: Any) -> None:
        self.d = problem.d

    def next(self, state: Any) -> int:
        return int(state.step % self.d)


class Failing(Own):
    def next(self, state: Any) -> int:
        raise ZeroDivisionError("on purpose")


def test_a_users_selector_runs_like_the_built_in_one(contest: Contest) -> None:
    entrants = [*parse_entrants("cyclic"), Entrant("Own", Own)]
    result, _ = run_race(contest, entrants, Rules(epochs=20, seeds=1))
    np.testing.assert_allclose(
        result.of("Own")[0].trace.objective, result.of("cyclic")[0].trace.objective, rtol=1e-12
    )


def test_a_failing_selector_is_named(contest: Contest) -> None:
    with pytest.raises(RunError, match="Failing failed on table") as caught:
        run_race(contest, [Entrant("Failing", Failing)], Rules(seeds=1))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_interrupted_race_keeps_its_finished_runs(contest: Contest) -> None:
    class Impatient(Watcher):
        ended = False

        def finish(self, run: Any, relative_gap: float) -> None:
            if run.selector == "shuffled":
                raise KeyboardInterrupt

        def end(self) -> None:
            self.ended = True

    watcher = Impatient()
    result, interrupted = run_race(contest, parse_entrants("acf"), Rules(epochs=20), watcher)
    assert interrupted
    assert watcher.ended
    assert [run.selector for run in result.runs] == ["uniform", "shuffled"]


def test_who_does_not_fit_is_told_why(contest: Contest) -> None:
    accelerated = parse_entrants("nuacdm")[2]
    assert "smooth" in str(why_not(accelerated, contest, Rules()))
    assert "LogisticDual" in str(why_not(parse_entrants("acf")[2], contest, Rules(update="newton")))
    assert why_not(parse_entrants("approx")[2], contest, Rules(update="newton")) is None
