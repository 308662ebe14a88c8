"""The documentation site: it builds without a warning, and shows everything without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tests.pages import ROOT

LOADS = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
"""Elements that a browser fetches something for, and where they name it."""

PUBLIC = (
    "swfx",
    "checkpoint",
    "pricing",
    "utilitysched",
    "swfx.families.generators",
    "utilitysched.analysis.metrics",
    "utilitysched.analysis.statistics",
)
"""What `__all__` of these names is public, by CHANGELOG.md."""


class Fetched(HTMLParser):
    """What a page makes a browser fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if named.get("rel") != "canonical":
            self.found += filter(None, [named.get(LOADS.get(tag, "")), named.get("srcset")])
        self.found += re.findall(r"url\(([^)]*)\)", named.get("style") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    return folder


def elsewhere(address: str) -> bool:
    return re.match(r"[\"']?(\w+:)?//", address) is not None


def anchors(module: str, name: str) -> set[str]:
    """Where a name may be explained: as the module has it, or where it is from."""
    found = getattr(import_module(module), name)
    if isinstance(found, ModuleType):
        return {f'id="{found.__name__}.{first}"' for first in found.__all__}
    home = getattr(found, "__module__", module)
    return {f'id="{module}.{name}"', f'id="{home}.{name}"'}


@pytest.mark.long
def test_every_page_is_built(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}

    assert len(pages) > 30
    assert [page for page in pages if not (site / page.with_suffix(".html")).exists()] == []


@pytest.mark.long
def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))

    strays = []
    for path in pages:
        page = Fetched()
        page.feed(path.read_text(encoding="utf-8"))
        strays += [(path.name, address) for address in page.found if elsewhere(address)]
    assert len(pages) > 30
    assert strays == []


@pytest.mark.long
def test_no_style_fetches_anything_from_elsewhere(site: Path) -> None:
    styles = sorted(site.rglob("*.css"))
    fetched = [
        (path.name, address)
        for path in styles
        for address in re.findall(r"(?:url\(|@import\s+)([^);]*)", path.read_text("utf-8"))
    ]

    assert len(styles) > 1
    assert [pair for pair in fetched if elsewhere(pair[1])] == []


@pytest.mark.long
def test_everything_public_is_in_the_reference(site: Path) -> None:
    ids = "".join(path.read_text("utf-8") for path in (site / "api").glob("*.html"))

    names = [(module, name) for module in PUBLIC for name in import_module(module).__all__]
    missing = [
        f"{module}.{name}"
        for module, name in names
        if not any(i in ids for i in anchors(module, name))
    ]
    assert len(names) > 100
    assert missing == []


@pytest.mark.long
def test_words_can_be_searched_for(site: Path) -> None:
    index = (site / "search/search_index.json").read_text(encoding="utf-8")

    assert '"location":"schedulers.html#orderings"' in index
    assert "value-density" in index


@pytest.mark.long
def test_searching_finds_how_to_begin(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    places = {
        word: {
            page["location"]
            for page in index["docs"]
            if word in (page["title"] + page["text"]).lower()
        }
        for word in ("install", "jupyter")
    }

    assert {"index.html#install", "report.html#in-a-notebook"} <= places["install"]
    assert {"index.html#install", "report.html#in-a-notebook"} <= places["jupyter"]


@pytest.mark.long
@pytest.mark.parametrize(("page", "count"), [("report", 8), ("restarts", 1), ("coscheduling", 3)])
def test_pages_have_pictures_of_real_runs(site: Path, page: str, count: int) -> None:
    text = (site / f"{page}.html").read_text("utf-8")
    pictures = re.findall(r'src="(pictures/[^"]+)"', text)

    assert len(pictures) == count
    for picture in pictures:
        assert (site / picture).read_bytes().startswith(b"<svg")


def test_every_page_is_in_the_navigation() -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/-]+\.md", yaml.safe_dump(yaml.safe_load(config)["nav"])))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}

    assert pages - named == set(), "add to `nav` of mkdocs.yml"
