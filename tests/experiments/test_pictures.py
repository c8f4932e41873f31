import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from banditcd.experiments import RaceResult
from banditcd.experiments.charts import panel_svg
from banditcd.experiments.curves import panels
from banditcd.experiments.page import legend_items, race_page, shown_first
from banditcd.experiments.plots import draw_png
from banditcd.experiments.reach import reach, targets_of
from banditcd.experiments.style import LOOKS, look_of
from tests.deadlines import HUNG

MakeUp = Callable[[dict[str, list[list[float]]]], RaceResult]


def test_curves_pass_through_the_numbers_of_the_table(race: RaceResult) -> None:
    for panel in panels(race)[1]:
        for name, curve in panel.curves.items():
            for target in targets_of(race):
                table = reach(race, name, target, panel.x_measure)
                if table.reached and curve.y.min() <= target:
                    drawn = float(np.interp(-np.log(target), -np.log(curve.y), curve.x))
                    assert drawn == pytest.approx(table.spent, rel=0.15)


def test_curves_go_right_as_they_go_down(race: RaceResult) -> None:
    for row in panels(race):
        for panel in row:
            for curve in panel.curves.values():
                assert np.all(np.diff(curve.y) < 0.0)
                assert np.all(np.diff(curve.x) >= 0.0)
                assert np.all((curve.low <= curve.x) & (curve.x <= curve.high))


def test_panels_of_a_column_share_their_axis(race: RaceResult) -> None:
    above, below = panels(race)
    assert [p.x_range for p in above] == [p.x_range for p in below]


def test_curves_between_records_are_interpolated(made_up: MakeUp) -> None:
    race = made_up({"uniform": [[2.0, 2e-2, 2e-4]]})
    curve = panels(race)[1][0].curves["uniform"]
    at = np.interp(-np.log(1e-3), -np.log(curve.y), curve.x)  # half-way from 1e-2 to 1e-4
    assert at == pytest.approx(1.5, abs=0.02)
    assert curve.complete


def test_a_panel_is_sound_xml_with_a_curve_each(race: RaceResult) -> None:
    for row in panels(race):
        for panel in row:
            root = ET.fromstring(panel_svg(panel))
            names = [g.get("data-selector") for g in root.iter("g")]
            assert names == race.selectors
            assert "nan" not in panel_svg(panel)


def test_looks_differ_between_any_two_selectors() -> None:
    seen = [(look.color, look.dashes) for look in LOOKS.values()]
    assert len(set(seen)) == len(seen)
    assert look_of("mine", 0) != look_of("yours", 1)


def test_the_page_needs_no_network_and_escapes_names(made_up: MakeUp) -> None:
    race = made_up({"uniform": [[1.0, 1e-4]], "a<b>&": [[1.0, 0.5, 1e-4]]})
    page = race_page([race], "A race", "banditcd race --select 'a<b>'")
    assert not re.findall(r"https?:|<link(?! rel=\"icon\" href=\"data:)|src=|@import|url\(", page)
    assert "a<b>" not in page
    assert page.count('data-selector="a&lt;b&gt;&amp;"') == 7  # six panels and the legend
    assert page.count("<svg viewBox") == 6 + 2


def test_four_curves_are_shown_first() -> None:
    names = ["cyclic", "focus", "uniform", "shuffled", "max_r", "b_max_r"]
    assert shown_first(names) == ["focus", "uniform", "shuffled", "b_max_r"]
    assert shown_first([*names, "Mine"]) == ["focus", "uniform", "b_max_r", "Mine"]
    assert shown_first(names[2:]) == names[2:]
    page = legend_items({name: look_of(name, 0) for name in names}, shown_first(names))
    later = re.findall(r'data-selector="(\w+)" data-later', page)
    assert later == ["cyclic", "max_r"]


def test_the_figure_is_a_png(race: RaceResult, made_up: MakeUp, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="figures need matplotlib")
    stuck = made_up({"uniform": [[1.0, 0.9, 0.9]], "b_max_r": [[1.0]]})
    draw_png([race, stuck], tmp_path / "race.png", dpi=40)
    assert (tmp_path / "race.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["race.png"]


def test_the_page_works_in_a_browser(race: RaceResult, tmp_path: Path) -> None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    page = race_page([race], "A race", "banditcd race")
    probe = """<script>
      document.body.dataset.first = document.querySelectorAll(".curve:not(.off)").length;
      document.body.dataset.more = document.querySelector(".more").textContent;
      document.querySelector(".more").click();
      document.body.dataset.all = document.querySelectorAll(".curve:not(.off)").length;
      document.querySelector('.legend button[data-selector="max_r"]').click();
      const svg = document.querySelector(".panel svg");
      const box = svg.getBoundingClientRect();
      const dot = svg.querySelector('[data-selector="uniform"] circle').getBoundingClientRect();
      svg.dispatchEvent(new PointerEvent("pointermove", {clientX: dot.x + 2, clientY: dot.y + 2}));
    </script></body>"""
    (tmp_path / "page.html").write_text(page.replace("</body>", probe))
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1200,900",
        f"--user-data-dir={tmp_path}/p",
    ]
    done = subprocess.run(
        [*command, "--dump-dom", (tmp_path / "page.html").as_uri()],
        capture_output=True, text=True, timeout=HUNG, check=True,
    )  # fmt: skip
    assert 'data-first="24" data-more="1 more" data-all="30"' in done.stdout
    buttons = re.findall(r'<button[^>]*data-selector="(\w+)"[^>]*>', done.stdout)
    assert buttons == race.selectors
    hidden = re.findall(r'class="curve off" data-selector="(\w+)"', done.stdout)
    assert hidden == ["max_r"] * 6
    tip = re.search(r'<div id="tip"(.*?)</div>', done.stdout, re.DOTALL)
    assert tip is not None
    assert re.search(r"suboptimality .* after .* epochs", tip.group(1))
    assert "hidden" not in tip.group(1)
