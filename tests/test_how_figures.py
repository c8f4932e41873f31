"""The pictures of docs/how are drawn by the script beside them, and the page shows all of them."""

import re
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

HOW = Path(__file__).parents[1] / "docs" / "how"
PICTURES = runpy.run_path(str(HOW / "figures.py"))["PICTURES"]


def test_the_page_shows_every_picture_and_says_what_is_in_it() -> None:
    shown = re.findall(r"!\[([^\]]+)\]\((\w+)\.svg\)", (HOW / "index.md").read_text("utf-8"))
    assert {name for _, name in shown} == set(PICTURES)
    assert all(len(words) > 40 for words, _ in shown)
    assert all((HOW / f"{name}.svg").exists() for name in PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_drawn_again(name: str, tmp_path: Path) -> None:
    figure = PICTURES[name]()
    figure.savefig(tmp_path / "picture.svg")
    plt.close(figure)
    drawn = (tmp_path / "picture.svg").read_text("utf-8")
    assert drawn.count("<path") > 5
