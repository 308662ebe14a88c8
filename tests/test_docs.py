"""Documented or fail: names are on their pages, links lead somewhere, code on pages runs."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

from checkpoint import ANNOTATIONS, ANSWERS
from pricing import mechanism_names
from swfx.families.formats.registry import IMPORTERS
from swfx.families.generators import LublinModel, UtilitySpec
from swfx.families.transforms import TRANSFORMS
from swfx.families.utilities.curve_file import KINDS
from swfx.families.utilities.diurnal import Diurnal
from swfx.families.utilities.registry import UTILITY_MODELS
from swfx.reading.report import RULES
from tests.entered import files_entered
from tests.pages import NEED_LOGS, PAGES, ROOT, too_long, with_output
from utilitysched import scheduler_names
from utilitysched.model.forecast import DURATIONS, OCCUPANCIES
from utilitysched.schedulers.list_options import list_options
from utilitysched.schedulers.orderings import orderings
from utilitysched.schedulers.placements import placements

MARKDOWN = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(#[\w-]+)?\)")
READING_ROW = re.compile(r"^\| \[([\w/.]+)\]\(\.\./\.\./\1\) \| (\d+) \|", re.MULTILINE)


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """The page without fenced blocks."""
    return re.sub(r"```.*?```", "", text(page), flags=re.DOTALL)


def named(page: str) -> set[str]:
    """Everything in backquotes."""
    return set(re.findall(r"`([^`\n]+)`", prose(page)))


def links(page: str) -> list[str]:
    """Targets of all links, without anchors; backquoted text has none."""
    return [target for target, _ in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))) if target]


def headings(page: str) -> set[str]:
    """Anchors of all headings, as the site makes them."""
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {slugify(re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", title), "-") for title in titles}


def keys(*kinds: object) -> set[str]:
    """Options of dataclasses."""
    return {field.name for kind in kinds for field in fields(kind)}  # type: ignore[arg-type]


def names_by_page() -> list[tuple[str, set[str]]]:
    """Pages, and the names that each explains."""
    given = UtilitySpec(deviation=1, classes=3, base="belief", sigma=1)
    texts = {pair.partition("=")[0] for pair in given.to_text().split(",")}
    assert len(texts) == len(fields(UtilitySpec))
    annotations, transforms = ANNOTATIONS.members(), TRANSFORMS.members()
    of_orderings = {option for name in orderings() for option in list_options(name).defaults()}
    model = {name.rpartition(".")[2] for name in LublinModel.option_names()}
    answers = {answer.name for answer in ANSWERS}
    models = {*keys(Diurnal), *UTILITY_MODELS.names(), *KINDS}
    importers = IMPORTERS.members()
    return [
        ("schedulers", {*scheduler_names(), *orderings(), *placements()}),
        ("schedulers", {*of_orderings, *DURATIONS, *OCCUPANCIES}),
        ("pricing", set(mechanism_names())),
        ("workloads", texts),
        ("workloads", models),
        ("workloads", {*model, "jobs", "seed"}),
        ("checkpoints", {*annotations, *keys(*annotations.values()), *answers}),
        ("workloads", {*transforms, *keys(*transforms.values())}),
        ("formats", {*importers, *keys(*importers.values())}),
    ]


@pytest.mark.parametrize(("page", "names"), names_by_page())
def test_every_name_is_explained(page: str, names: set[str]) -> None:
    tokens = named(f"docs/{page}.md")
    explained = tokens | {re.split("[=:,]", token)[0] for token in tokens}

    missing = names - explained
    assert missing == set(), f"explain these in docs/{page}.md, with the name in backquotes"


def test_every_rule_of_importing_slurm_is_explained() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "swfx/slurm").glob("*.py"))
    rules = set(re.findall(r'Rule\(\s*"([\w-]+)"', sources))

    assert len(rules) > 10
    assert rules - named("docs/formats.md") == set()


def test_every_rule_of_reading_has_its_action() -> None:
    done = {"dropped": ("malformed", "dropped"), "repaired": ("repaired",), "noted": ("noted",)}
    row = re.compile(r"^\| `([a-z-]+)` \| [^|]+ \| (\w+)", re.MULTILINE)
    rows = dict(row.findall(text("docs/workloads.md")))

    for rule in RULES:
        assert rows[rule.name] in done[rule.action], rule.name


COMMANDS = "cli.md"
"""Page of the commands' help, made by the build of the site."""


@pytest.mark.parametrize("page", MARKDOWN)
def test_relative_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    relative = [link for link in links(page) if "://" not in link]

    missing = {link for link in relative if not (folder / link).exists()}
    # the build of the site makes pictures; its tests look
    ours = {link for link in missing if not link.startswith("pictures/")}
    assert {link for link in ours if Path(link).name != COMMANDS} == set()


@pytest.mark.parametrize("page", MARKDOWN)
def test_links_to_headings_lead_to_one(page: str) -> None:
    missing = []
    for target, anchor in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
        path = (ROOT / page).parent / target if target else ROOT / page
        if anchor and path.suffix == ".md" and path.is_file() and path.parent.name != "api":
            there = path.resolve().relative_to(ROOT).as_posix()
            missing += [f"{target}{anchor}"] if anchor[1:] not in headings(there) else []

    assert missing == []


def test_every_page_is_reached_from_the_index() -> None:
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    linked = {link for page in ("index", "api/index") for link in links(f"docs/{page}.md")}

    assert {page for page in pages if not page.startswith("api/")} - {*linked, "index.md"} == set()


def test_the_readme_is_one_screen_and_the_docs_are_few_pages() -> None:
    pages = [
        path
        for path in ROOT.glob("docs/**/*.md")
        if path.parent.name != "api" and path.name != "index.md"
    ]

    assert len(text("README.md").splitlines()) <= 120
    assert len(pages) <= 25


DESIGN = "docs/background/design.md"


def test_the_core_can_be_read_in_an_afternoon() -> None:
    rows = READING_ROW.findall(text(DESIGN))
    lines = {path: len(text(path).splitlines()) for path, _ in rows}

    assert len(rows) > 10
    assert 1500 < sum(lines.values()) < 2500
    for path, shown in rows:
        assert int(shown) == pytest.approx(lines[path], rel=0.2, abs=10), path


def test_the_design_says_what_a_plain_easy_run_enters() -> None:
    entered = files_entered("simulate", "sample:", "--scheduler", "easy", "--quiet")
    first, _, _ = text(DESIGN).partition("Beyond it:")
    of_the_run = {path for path, _ in READING_ROW.findall(first) if "/kernels/" not in path}
    files, lines = re.findall(r"enters (\d+) files with ([\d,]+) lines", text(DESIGN))[0]

    assert len(of_the_run) >= 5
    assert of_the_run - set(entered) == set()
    assert [path for path in entered if "/machine/" in path] == []
    assert int(files) == pytest.approx(len(entered), rel=0.1)
    assert int(lines.replace(",", "")) == pytest.approx(sum(entered.values()), rel=0.1)


@pytest.mark.parametrize(
    ("target", "end"), [("demo", r"The lines add up to .* SU"), ("test", r"\d+ passed")]
)
def test_the_readme_shows_what_make_prints(target: str, end: str) -> None:
    _, _, rest = text("README.md").partition(f"<!-- make {target}: begin -->")
    block, closed, _ = rest.partition(f"<!-- make {target}: end -->")

    assert closed
    assert f"$ make {target}\n" in block
    assert re.search(end, block)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code_on_pages_runs_and_prints_what_is_shown(
    page: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if page in NEED_LOGS:
        request.getfixturevalue("traces")
    shown = page.read_text(encoding="utf-8")

    assert shown == with_output(shown, tmp_path), "run: python -m tests.pages"


@pytest.mark.long
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in NEED_LOGS],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_commands_on_pages_fit_80_columns(page: Path, tmp_path: Path) -> None:
    assert too_long(page.read_text(encoding="utf-8"), tmp_path) == []


def test_every_dependency_and_extra_has_its_reason() -> None:
    project = text("pyproject.toml")
    dependencies = re.findall(
        r"^    \"(.*)$", project.split("\ndependencies = [")[1].split("\n]")[0], re.M
    )
    extras = project.split("[project.optional-dependencies]\n")[1].split("\n[")[0].splitlines()
    names = [at for at, line in enumerate(extras) if re.match(r"[a-z]+ = \[", line)]

    assert len(dependencies) > 8
    assert [line for line in dependencies if "  # " not in line] == []
    assert [extras[at] for at in names if not extras[at - 1].startswith("#")] == ["dev = ["]
