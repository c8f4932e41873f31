"""Settings of the site; ``make docs`` builds it into ``build/site`` with warnings as errors.

The source folder is the repository, so that a page links to another file as it does in a checkout:
a Markdown file that is part of the site is a page there, any other file is copied beside the pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

import banditcd

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

project = "banditcd"
author = "the banditcd developers"
project_copyright = f"{author}, BSD-3-Clause"
version = release = banditcd.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "accessible",
    "mathml",
    "plain_docstrings",
]
html_math_renderer = "mathml"
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/results/*.md",
]
exclude_patterns = [".*", "build", "docs/README.md", "docs/_*", "benchmarks/results/*-notes.md"]
templates_path = [str(ROOT / "docs" / "_templates")]  # a relative path starts at the source folder
suppress_warnings = ["config.cache"]  # sphinx-gallery's settings hold functions

# Markdown: formulas between dollars, and anchors of headings as on a forge.
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4

# The reference: one page per public name, in NumPy's style.
autosummary_generate = True
autodoc_typehints = "none"  # docstrings name the types in words
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "docs/gallery",
    "filename_pattern": "/",
    "download_all_examples": False,
    "show_memory": False,
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "plot_gallery": True,
    "reset_modules": ("matplotlib",),
    "backreferences_dir": None,
    "show_signature": False,
    "thumbnail_size": (400, 280),
    "copyfile_regex": r"",
}

html_theme = "pydata_sphinx_theme"
html_title = f"banditcd {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "show_nav_level": 2,
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navbar_end": ["theme-switcher"],
    "search_bar_text": "Search",
    "use_edit_page_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"docs/index": [], "docs/install": [], "CHANGELOG": []}
html_extra_path = ["_root"]
