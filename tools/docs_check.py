"""Checks of the site that make docs has built: ``make docs-check``.

    python -m tools.docs_check [build/site]

Spelling (codespell, American), links and anchors between the pages, alternative texts of pictures,
and, in a headless Chromium, accessibility (axe) and width (no page scrolls sideways on a phone) of
some pages. Without Chromium or the extra ``site`` the last two are skipped, and the reason is said.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
#: What is read for spelling; the settings are in pyproject.toml.
SPELLED = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "examples", "src"]
#: The pages that are opened in a browser: landing, guide, gallery, reference, how it works, places.
OPENED = [
    "docs/index.html",
    "docs/guide/certificates.html",
    "docs/gallery/index.html",
    "docs/api/generated/banditcd.Lasso.html",
    "docs/how/index.html",
    "docs/places.html",
]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTHS = (1300, 390)
#: Pages that a report writes whole; they are checked where they are made.
MADE_ELSEWHERE = ("report.html", "batches.html")


@dataclass
class Page(HTMLParser):
    """The links, anchors and pictures of one page."""

    path: Path
    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    silent: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, is called, or shows without a word."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag in ("a", "link") and "href" in values:
            self.links.append(values["href"])
        if tag in ("img", "script") and "src" in values:
            self.links.append(values["src"])
        if tag == "img" and not values.get("alt", "").strip():
            self.silent.append(values.get("src", "?"))


def pages_of(site: Path) -> dict[Path, Page]:
    """Read every page of a site."""
    files = (path.resolve() for path in sorted(site.rglob("*.html")))
    own = (
        path for path in files if path.name not in MADE_ELSEWHERE and "_static" not in path.parts
    )
    return {path: Page(path) for path in own}


def broken_links(pages: dict[Path, Page]) -> Iterator[str]:
    """Yield every link within the site whose file or anchor is not there."""
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not target.exists():
                yield f"{path.name}: {link}: there is no such file"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{path.name}: {link}: the page has no such anchor"


def silent_pictures(pages: dict[Path, Page]) -> Iterator[str]:
    """Yield every picture without an alternative text."""
    for path, page in pages.items():
        yield from (f"{path.name}: {picture} has no alternative text" for picture in page.silent)


def misspellings() -> Iterator[str]:
    """Yield what codespell finds."""
    command = [sys.executable, "-m", "codespell_lib", *SPELLED]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    yield from (found.stdout + found.stderr).splitlines()


def why_no_browser() -> str | None:
    """Return why pages cannot be opened, or None."""
    if importlib.util.find_spec("axe_playwright_python") is None:
        return "axe-playwright-python is not installed (pip install '.[site]')"
    if not any(map(shutil.which, BROWSERS)):
        return f"none of {', '.join(BROWSERS)} is installed"
    return None


def seen_in_a_browser(site: Path, pictures: Path | None = None) -> Iterator[str]:
    """Yield what axe finds on some pages, and which of them scroll sideways; keep screenshots."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    program = next(found for found in map(shutil.which, BROWSERS) if found)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name in OPENED:
            for width in WIDTHS:
                page = browser.new_page(viewport={"width": width, "height": 900})
                page.goto((site / name).resolve().as_uri())
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    yield f"{name} is {wide} pixels wide in a window of {width}"
                for fault in Axe().run(page).response["violations"]:
                    where = fault["nodes"][0]["html"][:120]
                    yield f"{name} at {width}: {fault['id']} ({fault['help']}): {where}"
                if pictures is not None:
                    file = pictures / f"{name.replace('/', '-')}-{width}.png"
                    page.screenshot(path=file, full_page=True)
                page.close()
        browser.close()


def report(title: str, faults: Iterator[str]) -> int:
    """Print the faults of one kind and return their number."""
    found = list(faults)
    print(f"{title}: {len(found) or 'no'} fault{'s' * (len(found) != 1)}")
    for fault in found:
        print("  " + fault)
    return len(found)


def main(arguments: list[str]) -> int:
    """Run every check and return whether one found anything."""
    site = Path(arguments[0]) if arguments else ROOT / "build" / "site"
    if not (site / "index.html").exists():
        raise SystemExit(f"{site} has no site: run make docs first")
    pages = pages_of(site)
    faults = report("Spelling", misspellings())
    faults += report(f"Links and anchors of {len(pages)} pages", broken_links(pages))
    faults += report("Alternative texts", silent_pictures(pages))
    reason = why_no_browser()
    if reason is not None:
        print(f"Accessibility and width: skipped, {reason}")
    else:
        pictures = site.parent / "screenshots"
        pictures.mkdir(exist_ok=True)
        title = f"Accessibility and width of {len(OPENED)} pages (pictures in {pictures})"
        faults += report(title, seen_in_a_browser(site, pictures))
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
