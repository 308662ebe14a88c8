"""Pages of the plug-ins: links lead somewhere, and commands print what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import ROOT, with_output
from tests.test_docs import links

PAGES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("plugins/*/**/*.md"))
RUN = ("billing", "dispute", "ledger", "tutorial")
"""Pages of the centre whose commands need no cluster."""


@pytest.mark.parametrize("page", PAGES)
def test_relative_links_lead_somewhere(page: str) -> None:
    targets = [target for target in links(page) if "://" not in target]

    assert [each for each in targets if not (ROOT / page).parent.joinpath(each).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_commands_on_pages_print_what_is_shown(page: str, tmp_path: Path) -> None:
    text = (ROOT / f"plugins/centre/docs/{page}.md").read_text("utf-8")

    assert with_output(text, tmp_path) == text
