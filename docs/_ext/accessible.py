"""Pages for keyboards and screen readers: names and stops that the theme and the gallery leave out.

After the build, thumbnails get their titles as alternative texts and names of their links, the
toggles of the navigation get a name, and what scrolls sideways on a phone can be reached by a key.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

THUMBNAIL = re.compile(
    r'<img alt="" (src="[^"]+_thumb\.png" />\s*<p>)<a (class="[^"]*" href="[^"]+">)'
    r"(<span[^>]*>)([^<]*)"
)
#: What is written where the left side stands, in this order.
NAMES = {
    "<summary>": '<summary aria-label="Pages of this section">',
    '<table class="': '<table tabindex="0" class="',
    '<div class="math': '<div tabindex="0" class="math',
    '<div class="highlight"><pre>': '<div class="highlight"><pre tabindex="0">',
}


def named(text: str) -> str:
    """Return a page with names and stops; a page that has them stays as it is."""
    for old, new in NAMES.items():
        text = text.replace(old, new)
    return THUMBNAIL.sub(r'<img alt="\4" \1<a aria-label="\4" \2\3\4', text)


def process(app: Sphinx, error: Exception | None) -> None:
    """Rewrite the pages of a build that went well."""
    if error is not None or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        if "_static" in page.parts:
            continue
        text = page.read_text("utf-8")
        better = named(text)
        if better != text:
            page.write_text(better, "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Run when the pages are written."""
    app.connect("build-finished", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
