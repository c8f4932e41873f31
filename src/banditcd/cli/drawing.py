"""Pictures of a path, and pages that hold picture and table."""

from __future__ import annotations

import base64
import html
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

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
h1 {{ line-height: 1.2; overflow-wrap: anywhere; }}
figure {{ margin: 0; }}
figure img {{ width: 100%; height: auto; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; white-space: nowrap; }}
th, td {{ text-align: right; padding: 0.15rem 0.8rem; border-bottom: 1px solid #ddd; }}
@media (max-width: 600px) {{
  body {{ margin: 1rem auto; }}
  h1 {{ font-size: 1.4rem; }}
  th, td {{ padding: 0.15rem 0.5rem; font-size: 0.9rem; }}
}}
</style>
</head>
<body>
<h1>{title}</h1>
<figure>
<picture>
<source media="(max-width: 600px)" srcset="{narrow}">
<img src="{wide}" alt="Coefficients against the penalty, one line for each feature">
</picture>
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


WIDE, NARROW = (9.0, 5.5), (4.6, 4.8)
"""Sizes of the picture in inches: on a screen or on paper, and on a phone."""


def draw(path: FittedPath, names: list[str], title: str, file: Path) -> None:
    """Draw coefficients against penalties; the ending of the name says how it is written."""
    ending = file.suffix.lower()
    path.feature_names = names
    drawn = _page(path, title) if ending == ".html" else _picture(path, WIDE, ending[1:])
    with replacing(file, "wb") as stream:
        stream.write(drawn)


def _picture(path: FittedPath, size: tuple[float, float], form: str) -> bytes:
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    if path.coefs.ndim == 3:
        _draw_lengths(path, figure.subplots())
    else:
        path.plot(ax=figure.subplots())
    drawn = io.BytesIO()
    figure.savefig(drawn, format=form, dpi=150)
    return drawn.getvalue()


def _draw_lengths(path: FittedPath, axes: Any) -> None:
    """Draw one line for each feature: the length of its coefficients for all targets or classes."""
    from banditcd.estimators import PathDisplay

    strengths = path.penalties if path.penalty == "alpha" else 1.0 / path.penalties
    name = path.penalty if path.penalty == "alpha" else "1 / C"
    lengths = np.linalg.norm(path.coefs, axis=0)
    names = path.feature_names
    PathDisplay(strengths, lengths, feature_names=names, penalty_name=name).plot(ax=axes)
    axes.set_ylabel(f"length of the {len(path.coefs)} coefficients of a feature")


def _page(path: FittedPath, title: str) -> bytes:
    """Return a page that needs no other file: the picture as SVG, and every row of the path."""
    page = _PAGE.format(
        title=f"Path of {html.escape(title)}",
        wide=_inline(_picture(path, WIDE, "svg")),
        narrow=_inline(_picture(path, NARROW, "svg")),
        penalty=path.penalty,
        rows=path.table().rows,
    )
    return page.encode("utf-8")


def _inline(picture: bytes) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(picture).decode("ascii")
