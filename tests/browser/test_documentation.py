"""The documentation's theme: what axe finds on a page that has what pages have."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser.conftest import PATIENCE, ROOT

CONFIGURATION = """\
INHERIT: {root}/mkdocs.yml
docs_dir: {docs}
site_dir: {site}
strict: false
hooks: []
plugins: [search]
nav: [{{Start: index.md}}, {{Pages: [{{One: one.md}}, {{Header: [{{Two: two.md}}]}}]}}]
"""

PAGE = """\
# Header

A sentence with [a link](index.md), `code` and **bold** letters.

## One

| | share | what it is |
|---|--:|---|
| `easy` | 0.5 | {words} |

### Two

```python
# a comment
for number in range(12):
    print("text", number, None, True, sep="", end=f"{{number:5.2f}}")
```

```console
$ utilitysched simulate sample: --scheduler easy
  - {words}
```

```toml
name = "value"  # a comment
on = true
```
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of three pages in the documentation's theme."""
    folder = tmp_path_factory.mktemp("site")
    docs, site = folder / "docs", folder / "site"
    docs.mkdir()
    for name in ("index.md", "one.md", "two.md"):
        (docs / name).write_text(PAGE.format(words="words of a long line " * 12), "utf-8")
    for name in ("site.css", "site.js"):
        shutil.copy(ROOT / "docs" / name, docs)
    configuration = folder / "mkdocs.yml"
    configuration.write_text(CONFIGURATION.format(root=ROOT, docs=docs, site=site), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(configuration)]
    subprocess.run(command, check=True, env={"NO_MKDOCS_2_WARNING": "1"}, capture_output=True)
    return site


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 1400), ("dark", 390)])
def test_nothing_is_found(browser: Browser, site: Path, scheme: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    page.goto((site / "two.html").as_uri())
    page.wait_for_selector(".md-code__nav", state="attached")

    violations = Axe().run(page).response["violations"]
    found = [(each["id"], node["html"][:120]) for each in violations for node in each["nodes"]]
    page.close()

    assert found == []
