"""A tiny run from end to end: rows, resuming, report, errors."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from banditcd.cli.main import main
from banditcd.experiments.paper.posing import ProblemRow
from banditcd.experiments.paper.runs import CONFIGURATION
from banditcd.experiments.paper.session import Session
from banditcd.experiments.paper.store import Missing, Record, RunRow, Store
from tests.deadlines import HUNG

SELECTOR = """
class Last:
    def start(self, problem, rng):
        self.d, self.t = problem.d, 0

    def next(self, state):
        self.t += 1
        return self.d - 1 - self.t % self.d
"""


def _again(finished: Path, out: Path, *more: str) -> int:
    return main(["paper", "--config", str(finished.parent / "tiny.toml"), "--out", str(out), *more])


def test_every_run_is_there_with_its_records(finished: Path) -> None:
    store = Store(finished)
    runs, records = store.read(RunRow), store.read(Record)
    assert [run.run for run in runs] == list(range(1, len(runs) + 1))
    assert len({run.id for run in runs}) == len(runs)
    for run in runs:
        assert sum(record.run == run.run for record in records) == run.records
    assert {run.kind for run in runs} == {"curve", "reading", "heat", "clock"}
    assert {run.seed for run in runs} == {0, 1}
    assert sum(run.id == "lasso/fast/0" for run in runs) == 1


def test_optima_are_certified_and_never_beaten(finished: Path) -> None:
    store = Store(finished)
    rows = {row.problem: row for row in store.read(ProblemRow)}
    primal = {"", "@paper raw", "@1/20 unit", "@1/20 raw"}
    expected = {cost + reading for cost in ("lasso", "logistic") for reading in primal}
    expected |= {f"ridge{reading}" for reading in ("", "@paper unit", "@1/20 unit", "@1/20 raw")}
    assert set(rows) == expected
    for row in rows.values():
        assert row.optimum_gap <= 1e-12 * row.null_objective
    problem_of = {run.run: run.problem for run in store.read(RunRow)}
    for record in store.read(Record):
        row = rows[problem_of[record.run]]
        assert record.suboptimality >= -1e-12 * row.null_objective


def test_a_set_that_is_not_there_is_left_out_and_said(finished: Path) -> None:
    missing = {m.problem: m.reason for m in Store(finished).read(Missing)}
    assert "BANDITCD_DATA" in missing["nowhere"]
    assert "printed step 4 is too long here" in missing["logistic@paper raw printed"]
    assert "nowhere is left out" in (finished / "README.md").read_text()


def test_what_an_earlier_session_missed_and_a_later_one_posed_is_not_left_out(
    finished: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rows"
    shutil.copytree(finished, out)
    Store(out).append([Missing("lasso", "the file was being written")])
    assert _again(finished, out, "--draw") == 0
    text = (out / "README.md").read_text()
    assert "nowhere is left out" in text
    assert "lasso is left out" not in text


def test_rows_say_where_and_when_they_were_made(finished: Path) -> None:
    (session,) = Store(finished).read(Session)
    assert session.first_run == 1
    assert session.jobs == 1
    assert session.rules >= 3
    for page in ("README.md", "report.html"):
        text = (finished / page).read_text()
        assert session.date in text
        assert session.commit in text
        assert "never" not in re.sub("never “never”", "", text).replace("never infinite", "")


def test_a_stopped_run_goes_on(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows"
    shutil.copytree(finished, out)
    before = (out / "runs.csv").read_text().splitlines()
    ids = [run.id for run in Store(out).read(RunRow)]
    (out / "runs.csv").write_text("\n".join(before[:-3]) + "\n" + before[-3][:9])  # torn
    with (out / "rows.csv").open("a") as file:
        file.write("999,1,0.5,")
    assert _again(finished, out, "--figure", "4") == 0
    assert _again(finished, out) == 0
    runs, records = Store(out).read(RunRow), Store(out).read(Record)
    assert [run.id for run in runs] == ids
    assert sorted({record.run for record in records}) == [run.run for run in runs]
    assert (out / "runs.csv").read_text().splitlines()[:-3] == before[:-3]


def test_nothing_is_run_twice(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows"
    shutil.copytree(finished, out)
    rows = (out / "rows.csv").read_bytes()
    assert _again(finished, out) == 0
    assert (out / "rows.csv").read_bytes() == rows
    (out / "report.html").unlink()
    assert _again(finished, out, "--draw") == 0
    assert (out / "report.html").is_file()


def test_a_users_selector_joins(finished: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "rows", tmp_path / "my.py"
    shutil.copytree(finished, out)
    file.write_text(SELECTOR)
    assert _again(finished, out, "--figure", "2", "--select", f"{file}:Last") == 0
    label = f"{file}:Last"
    assert [r.method for r in Store(out).read(RunRow)].count(label) == 2
    assert f'data-selector="{label}"' in (out / "report.html").read_text()
    file.write_text(SELECTOR + "\n# changed\n")  # a changed file is another method
    assert _again(finished, out, "--figure", "2", "--select", f"{file}:Last") == 0
    assert [r.method for r in Store(out).read(RunRow)].count(label) == 4


def test_every_number_on_the_page_leads_to_runs(finished: Path) -> None:
    page = (finished / "report.html").read_text()
    cited = set(re.findall(r'href="#(n\d+)"', page))
    assert len(cited) > 50
    assert cited <= set(re.findall(r'<tr id="(n\d+)"', page))
    anchors = set(re.findall(r'href="#([\w-]+)"', page))
    assert anchors <= set(re.findall(r'id="([\w-]+)"', page))
    known = {run.run for run in Store(finished).read(RunRow)}
    with (finished / "numbers.csv").open(newline="") as file:
        for line in csv.DictReader(file):
            source = line["from"]
            assert source.startswith(
                ("runs ", "statistics.csv", "penalties.csv", "staleness.csv", "no runs")
            ), line
            if source.startswith("runs "):
                ends = re.findall(r"\d+", source)
                assert all(int(end) in known for end in ends)
    summary = (finished / "README.md").read_text()
    assert set(re.findall(r"<sub>(n\d+)</sub>", summary)) <= set(re.findall(r'id="(n\d+)"', page))


def test_the_page_needs_no_network(finished: Path) -> None:
    page = (finished / "report.html").read_text()
    fetched = r"(?:href|src)=\"(?!#|data:)|<link(?! rel=\"icon\")|@import|url\("
    assert not re.findall(fetched, page)
    assert page.count('<div class="panel ') == 3 * 2 * 3  # problems, rows, axes
    for figure in (2, 3, 4):
        text = (finished / f"figure{figure}.svg").read_text()
        assert text.startswith("<svg xmlns")


def test_the_page_works_in_a_browser(finished: Path, tmp_path: Path) -> None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    probe = """<script>
      document.querySelector('.legend button[data-selector="max_r"]').click();
      const svg = document.querySelector(".panel.work svg");
      const dot = svg.querySelector('[data-selector="uniform"] circle').getBoundingClientRect();
      svg.dispatchEvent(new PointerEvent("pointermove", {clientX: dot.x + 2, clientY: dot.y + 2}));
      document.body.dataset.wide = String(document.documentElement.scrollWidth);
    </script></body>"""
    page = (finished / "report.html").read_text().replace("</body>", probe)
    (tmp_path / "page.html").write_text(page)
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=600,900"]
    place = (tmp_path / "page.html").as_uri()
    done = subprocess.run(
        [*command, f"--user-data-dir={tmp_path}/p", "--dump-dom", place],
        capture_output=True, text=True, timeout=HUNG, check=True,
    )  # fmt: skip
    hidden = re.findall(r'class="curve off" data-selector="(\w+)"', done.stdout)
    assert set(hidden) == {"max_r"}
    tip = re.search(r'<div id="tip"(.*?)</div>', done.stdout, re.DOTALL)
    assert tip is not None
    assert re.search(r"suboptimality .* after .*", tip.group(1))
    assert "hidden" not in tip.group(1)
    wide = re.search(r'data-wide="(\d+)"', done.stdout)
    assert wide is not None
    assert int(wide.group(1)) <= 600  # only tables scroll sideways, each by itself


def test_mistakes_of_the_command_line(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*arguments: str) -> str:
        assert main(["paper", *arguments]) == 2
        return capsys.readouterr().err

    assert "it must be at least 1" in told("--jobs", "0", "--quick", "--out", str(tmp_path / "a"))
    assert "holds no rows to draw" in told("--draw", "--out", str(tmp_path / "b"))
    assert "There is no file" in told("--config", str(tmp_path / "none.toml"))
    assert "not both" in told("--quick", "--config", str(tmp_path / "none.toml"))
    assert "no_such" in told("--quick", "--select", "no_such", "--out", str(tmp_path / "c"))
    assert "another configuration" in told("--quick", "--out", str(finished))
    assert (finished / CONFIGURATION).is_file()
    assert not (tmp_path / "a").exists()


def test_a_report_on_a_part_speaks_of_that_part_only(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "part"
    shutil.copytree(finished, out)
    for name in ("report.html", "README.md", "figure2.svg", "figure3.svg"):
        (out / name).unlink()
    assert _again(finished, out, "--draw", "--figure", "4") == 0
    page = (out / "report.html").read_text()
    claims_and_headings = (
        capsys.readouterr().out,
        "\n".join(re.findall(r"^#.*|^\| .*\*\*.*", (out / "README.md").read_text(), re.MULTILINE)),
        "\n".join(re.findall(r"<h[234].*?</h[234]>|<nav>.*?</nav>|<tr><th>.*?</th>", page)),
    )
    for text in claims_and_headings:
        assert re.search(r"[Ff]igure 4", text)
        assert not re.search(r"[Ff]igure [23]|[Tt]able [12]", text)
    assert "Only figure 4, as asked for." in (out / "README.md").read_text()
    assert not list(out.glob("figure[23].svg"))
    nav = set(re.findall(r'<a href="#(\w+)">', page))
    assert nav <= set(re.findall(r'<section id="(\w+)"', page))
