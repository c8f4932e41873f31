"""The page of the package shows nothing that is not there."""

import re

from tools.package_page import PAGE, made, page

README = "a b\n\n![bars](y.png)\n\nsee [docs](docs/a.md#b) and [web](https://a.b/c)\n"


def test_the_page_is_that_of_the_readme() -> None:
    assert PAGE.read_text("utf-8") == made(), "write it: python -m tools.package_page"


def test_pictures_become_numbers_and_links_words() -> None:
    text = page(README, None)
    assert "| LassoCV |" in text
    assert "see docs (`docs/a.md#b`) and [web](https://a.b/c)" in text


def test_links_lead_to_the_source_if_there_is_one() -> None:
    text = page("[docs](docs/a.md#b)", "https://a.b/c/")
    assert text == "[docs](https://a.b/c/blob/main/docs/a.md#b)"


def test_no_link_of_the_page_is_relative() -> None:
    links = re.findall(r"\]\(([^)]+)\)", PAGE.read_text("utf-8"))
    assert all(link.startswith("https://") for link in links)
