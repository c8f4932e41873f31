"""Pictures of a path, and pages that hold picture and table."""

from __future__ import annotations

import html
import io
from pathlib import Path
from typing import TYPE_CHECKING

from banditcd.data.files import replacing

if TYPE_CHECKING:
    from banditcd.estimators.bases.fitted_path import FittedPath

PICTURES = (".png", ".svg", ".pdf", ".html")

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: #222; background: #fff; }}
figure {{ margin: 0; }}
figure svg {{ width: 100%; height: auto; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: right; padding: 0.15rem 0.8rem; border-bottom: 1px solid #ddd; }}
</style>
</head>
<body>
<h1>{title}</h1>
<figure role="img" aria-label="Coefficients against the penalty, one line for each feature">
{picture}
</figure>
<div class="scroll" tabindex="0">
<table>
<thead><tr><th>{penalty}</th><th>features</th><th>explained</th><th>gap</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
</body>
</html>
"""


def draw(path: FittedPath, names: list[str], title: str, file: Path) -> None:
    """Draw coefficients against penalties; the ending of the name says how it is written."""
    ending = file.suffix.lower()
    picture = _picture(path, names, "svg" if ending == ".html" else ending[1:])
    with replacing(file, "wb") as stream:
        stream.write(_page(path, title, picture) if ending == ".html" else picture)


def _picture(path: FittedPath, names: list[str], form: str) -> bytes:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 5.5), layout="constrained")
    axes = figure.subplots()
    path.feature_names = names
    path.plot(ax=axes)
    drawn = io.BytesIO()
    figure.savefig(drawn, format=form, dpi=150)
    return drawn.getvalue()


def _page(path: FittedPath, title: str, picture: bytes) -> bytes:
    """Return a page that needs no other file: the picture as SVG, and every row of the path."""
    drawing = picture.decode("utf-8")
    page = _PAGE.format(
        title=f"Path of {html.escape(title)}",
        picture=drawing[drawing.index("<svg") :],
        penalty=path.penalty,
        rows=path.table().rows,
    )
    return page.encode("utf-8")
