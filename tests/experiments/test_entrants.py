from pathlib import Path

import pytest

from banditcd import selectors
from banditcd.experiments.entrants import parse_entrants, parse_update, standard_entrants
from banditcd.experiments.style import LOOKS
from banditcd.experiments.table import default_selector

MINE = """
import helper_of_mine

class Backwards:
    def __init__(self, stride=1):
        self.stride = stride
    def start(self, problem, rng):
        self.d, self.i = problem.d, 0
    def next(self, state):
        self.i = (self.i - self.stride) % self.d
        return self.i

class NoNext:
    def start(self, problem, rng): ...

class Needy:
    def __init__(self, needed): ...
    start = next = None

class Rule:
    name = "mine"
    def target(self, at):
        return at.x

number = 3
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "helper_of_mine.py").write_text("")
    (tmp_path / "mine.py").write_text(MINE)
    return str(tmp_path / "mine.py")


def test_the_yardsticks_always_run() -> None:
    assert [e.label for e in parse_entrants("acf")] == ["uniform", "shuffled", "acf"]
    assert [e.label for e in parse_entrants("acf,shuffled")] == ["uniform", "acf", "shuffled"]


def test_parameters_are_passed_on() -> None:
    entrant = parse_entrants("b_max_r(epsilon=0.1, refresh=5),acf")[2]
    assert entrant.label == "b_max_r(epsilon=0.1, refresh=5)"
    made = entrant.make()
    assert isinstance(made, selectors.BMaxR)
    assert (made.epsilon, made.refresh) == (0.1, 5)


def test_every_run_gets_its_own_object() -> None:
    for entrant in standard_entrants():
        assert entrant.make() is not entrant.make()


def test_a_selector_from_a_file(mine: str) -> None:
    plain, strided = parse_entrants(f"{mine}:Backwards,{mine}:Backwards(stride=2)")[2:]
    assert (plain.label, strided.label) == ("Backwards", "Backwards(stride=2)")
    assert strided.make().stride == 2


def test_an_update_from_a_file(mine: str) -> None:
    assert parse_update(f"{mine}:Rule").name == "mine"
    assert parse_update("auto") == "auto"
    with pytest.raises(TypeError, match="needs target"):
        parse_update(f"{mine}:Backwards")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b_maxr", "Unknown selector 'b_maxr'. Did you mean 'b_max_r'"),
        ("", "No selector is named"),
        ("acf,acf", "'acf' is named twice"),
        ("b_max_r(epsilon=2)", "epsilon is 2"),
        ("b_max_r(eps=1)", "cannot be built"),
        ("b_max_r(1)", "cannot be read"),
        ("nowhere.py:Mine", "There is no file nowhere.py"),
        ("MINE:Backward", "has no 'Backward'. Did you mean 'Backwards'"),
        ("MINE:NoNext", "no selector: it has no next"),
        ("MINE:Needy", "cannot be built.*needed"),
        ("MINE:number", "must be a class"),
    ],
)
def test_mistakes_are_explained(mine: str, text: str, message: str) -> None:
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=message):
        parse_entrants(text.replace("MINE", mine))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1\ny = nothing\n", r"NameError.*\(line 2\)"),
        ("x = (\n", r"SyntaxError.*line 1"),
        ("import not_there_at_all\n", "ModuleNotFoundError"),
    ],
)
def test_a_file_that_does_not_run(tmp_path: Path, code: str, message: str) -> None:
    (tmp_path / "bad.py").write_text(code)
    with pytest.raises(ValueError, match=message):
        parse_entrants(f"{tmp_path / 'bad.py'}:Mine")


def test_the_default_rule_comes_first_and_every_standard_entrant_has_a_look():
    labels = [entrant.label for entrant in standard_entrants()]
    assert labels[0] == default_selector()
    assert set(labels) <= set(LOOKS)
