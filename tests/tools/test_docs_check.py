"""The checks of the site find what is wrong, and only that."""

from pathlib import Path

import pytest

from tools import docs_check

GOOD = (
    '<h1 id="top">a</h1><a href="b.html#there">b</a><a href="#top">a</a><img src="c.png" alt="c">'
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_text(GOOD + '<a href="https://elsewhere.org/#x">web</a>', "utf-8")
    (tmp_path / "b.html").write_text('<p id="there">b</p>', "utf-8")
    (tmp_path / "c.png").write_bytes(b"")
    return tmp_path


def test_a_site_without_faults_has_none(site: Path) -> None:
    pages = docs_check.pages_of(site)
    assert len(pages) == 2
    assert list(docs_check.broken_links(pages)) == []
    assert list(docs_check.silent_pictures(pages)) == []


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ('<a href="d.html">d</a>', "a.html: d.html: there is no such file"),
        ('<a href="b.html#gone">b</a>', "a.html: b.html#gone: the page has no such anchor"),
        ('<a href="#gone">b</a>', "a.html: #gone: the page has no such anchor"),
        ('<img src="d.png" alt="d">', "a.html: d.png: there is no such file"),
    ],
)
def test_broken_links_are_found(site: Path, tag: str, said: str) -> None:
    (site / "a.html").write_text(GOOD + tag, "utf-8")
    assert list(docs_check.broken_links(docs_check.pages_of(site))) == [said]


@pytest.mark.parametrize("tag", ['<img src="c.png">', '<img src="c.png" alt=" ">'])
def test_pictures_without_words_are_found(site: Path, tag: str) -> None:
    (site / "b.html").write_text(f'<p id="there">{tag}</p>', "utf-8")
    faults = list(docs_check.silent_pictures(docs_check.pages_of(site)))
    assert faults == ["b.html: c.png has no alternative text"]


def test_without_a_browser_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs_check.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(docs_check.shutil, "which", lambda name: None)
    assert "chromium" in (docs_check.why_no_browser() or "")
    monkeypatch.setattr(docs_check.importlib.util, "find_spec", lambda name: None)
    assert "pip install" in (docs_check.why_no_browser() or "")
