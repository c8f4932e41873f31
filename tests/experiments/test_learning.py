"""How rules learn: rows that come back as they were, and a page that shows them."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from banditcd.experiments import Contest, RaceResult, Rules, parse_entrants
from banditcd.experiments.film import films_section
from banditcd.experiments.learning import Film, read_films, watch, write_films
from banditcd.experiments.page import race_page
from tests.deadlines import HUNG


@pytest.fixture(scope="module")
def films(contest: Contest, race: RaceResult) -> list[Film]:
    asked = RaceResult(replace(race.info, asked="b_max_r; approx"), race.runs)
    entrants = parse_entrants("b_max_r,approx")
    return watch(contest, entrants, asked, Rules(epochs=30, tol=1e-6))


def test_the_rules_asked_for_are_watched_beside_shuffled(films: list[Film]) -> None:
    assert [film.selector for film in films] == ["b_max_r", "shuffled"]
    passes = films[1].frames
    np.testing.assert_allclose(passes.rate[:-1], 1.0)
    assert films[0].frames.pool.min() < films[0].coordinates * 0.8


def test_rows_come_back(films: list[Film], tmp_path: Path) -> None:
    write_films(films, tmp_path)
    for old, new in zip(films, read_films(tmp_path), strict=True):
        assert (old.data, old.selector, old.coordinates) == (
            new.data,
            new.selector,
            new.coordinates,
        )
        np.testing.assert_allclose(new.frames.rate, old.frames.rate, rtol=1e-3)
        np.testing.assert_array_equal(new.frames.pool, old.frames.pool)
        np.testing.assert_allclose(new.frames.epoch, old.frames.epoch, rtol=1e-5)
        assert new.frames.others == old.frames.others
    assert read_films(tmp_path / "nowhere") == []


def test_the_page_has_a_film_per_rule(films: list[Film], race: RaceResult) -> None:
    page = race_page([race], "Title", "banditcd race", films=films)
    assert page.count('class="film"') == 2
    data = json.loads(re.findall(r'<script type="application/json">(.*?)</script>', page)[0])
    assert len(data["rate"]) == len(data["pool"]) == len(data["epoch"]) - 1
    assert len(data["names"]) == len(data["rate"][0])
    assert "https://" not in page
    assert films_section([]) == ""


def test_the_slider_moves_the_frame(films: list[Film], race: RaceResult, tmp_path: Path) -> None:
    browser = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    probe = """<script>
      const slider = document.querySelector(".film input");
      slider.value = "0";
      slider.dispatchEvent(new Event("input"));
    </script></body>"""
    page = race_page([race], "Title", "banditcd race", films=films).replace("</body>", probe)
    (tmp_path / "page.html").write_text(page)
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    place = (tmp_path / "page.html").as_uri()
    done = subprocess.run(
        [*command, f"--user-data-dir={tmp_path}/p", place],
        capture_output=True, text=True, timeout=HUNG, check=True,
    )  # fmt: skip
    says = re.findall(r'class="says"[^>]*>([^<]*)<', done.stdout)
    assert says[0].startswith("epochs 0 to")
    assert not says[1].startswith("epochs 0 to")
    assert 'class="steer" hidden' not in done.stdout
