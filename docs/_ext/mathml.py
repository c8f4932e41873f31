"""Formulas as MathML, written at build time: the pages need no script and no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import MathError, tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)
SHORT_FRACTION = re.compile(r"\\frac\s*(\d)\s*(\d|[a-zA-Z])")


def with_braces(text: str) -> str:
    r"""Return a formula with \frac{1}{2} for \frac12, which docutils reads as 12 over the rest."""
    return SHORT_FRACTION.sub(r"\\frac{\1}{\2}", text)


def _formula(node: nodes.Element, *, block: bool) -> str:
    text = with_braces(node.astext())
    if block and ("\\\\" in text or "&" in text) and "\\begin" not in text:
        text = f"\\begin{{align}}{text}\\end{{align}}"
    try:
        return str(tex2mathml(text, as_block=block))
    except MathError as error:
        logger.warning("a formula that cannot be written: %s (%s)", text, error, location=node)
        return f"<code>{text}</code>"


def write_inline(self: Any, node: nodes.Element) -> None:
    """Write a formula within a line."""
    self.body.append(_formula(node, block=False))
    raise nodes.SkipNode


def write_block(self: Any, node: nodes.Element) -> None:
    """Write a formula on lines of its own."""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(_formula(node, block=True))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the writers of formulas."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
