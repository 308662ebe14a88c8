"""Descriptions: as pages, and in the terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from swfx import InputError
from utilitysched.analysis.documents import (
    Column,
    ColumnChart,
    Description,
    Fact,
    Facts,
    IntervalChart,
    IntervalRow,
    ResultTable,
    column,
    panel,
)
from utilitysched.report.charts import look
from utilitysched.report.templating import fragment, page, script_of, write_page
from utilitysched.report.terminal import bar, print_answer, print_description

COLUMNS = [
    column("class", "text", "class"),
    column("jobs", "count", "jobs"),
    column("% of jobs", "percent", "share"),
]
DESCRIPTION = Description(
    "<log> & co",
    [
        Facts("overview", "Overview", [Fact("a", "jobs", 2, "two"), Fact("b", "none", None, "")]),
        panel(
            "sizes", "Sizes", "In <b>.", COLUMNS, [("x<y", 1200, 0.75), ("z", None, 0.25)], "share"
        ),
        panel("rules", "Rules", "None.", COLUMNS, []),
        ColumnChart("hours", "Hours", "By hour.", "%", ["00", "01"], [3.0, 1.0]),
    ],
)
VOID = {"meta", "link"}


class Reader(HTMLParser):
    """Follows tags and texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.references += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def test_every_tag_is_closed_and_nothing_comes_from_elsewhere() -> None:
    text = page(DESCRIPTION)
    reader = read(text)

    assert reader.open == []
    assert reader.references == ["data:,", "#overview", "#sizes", "#rules", "#hours"]
    assert {"img", "iframe"} & set(reader.tags) == set()
    without_scripts = re.sub("<script>.*?</script>", "", text, flags=re.DOTALL)
    assert "http" not in without_scripts.replace("https://vega.github.io/schema/", "")
    assert "@import" not in without_scripts


@pytest.mark.parametrize(
    "part",
    [
        "<h1>&lt;log&gt; &amp; co</h1>",
        "<p>In &lt;b&gt;.</p>",
        "<dl>\n<dt>jobs</dt><dd>two</dd>\n</dl>",  # unknown figures are left out
        (
            '<tr><th class="text">x&lt;y</th><td data-label="jobs">1,200</td>'
            '<td data-label="% of jobs">75.0</td>'
            '<td class="bar"><span style="width:100.00%"></span></td></tr>'
        ),
        '<td class="bar"><span style="width:33.33%"></span></td></tr>',
        '<section id="rules" tabindex="0" aria-labelledby="rules-title">',
        '<h2 id="rules-title">Rules</h2>\n\n<p>None.</p>\n</section>',  # without rows
        'Hours</h2>\n<figure class="chart"><div></div><script type="application/json">{',
    ],
)
def test_parts_of_a_page(part: str) -> None:
    assert part in page(DESCRIPTION)


def test_the_colours_of_charts_are_those_of_the_page() -> None:
    style = script_of("page.css")
    light, dark, _ = style.split("}", 2)

    for block, is_dark in ((light, False), (dark, True)):
        defined = dict(re.findall(r"(--[\w-]+): ([^;]+);", block))
        assert defined.items() >= look.variables(dark=is_dark).items()
        assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= set(defined)


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    write_page(DESCRIPTION, tmp_path / "page.html")

    assert (tmp_path / "page.html").read_text("utf-8") == page(DESCRIPTION)
    with pytest.raises(InputError, match="cannot be written"):
        write_page(DESCRIPTION, tmp_path / "none" / "page.html")


def test_bytes_that_are_no_text_become_question_marks(tmp_path: Path) -> None:
    write_page(Description("caf\udce9", []), tmp_path / "page.html")

    assert "<title>caf?</title>" in (tmp_path / "page.html").read_text("utf-8")


def test_only_pages_with_charts_have_what_draws_them() -> None:
    rows = [IntervalRow("ga", 1.5, 1.25, 1.75)]
    chart = IntervalChart("ratios", "Ratios", "Grey: 1.", "ratio", rows, 1.0)
    table = panel("sizes", "Sizes", "", COLUMNS, [("x", 1, 1.0)])

    without, one, two = (
        page(Description("one", panels, ["ga is better."]))
        for panels in ([table], [chart], [chart, replace(chart, key="more")])
    )

    assert "<script" not in without
    assert one.count("vegaEmbed(") == two.count("vegaEmbed(")
    assert [text.count('type="application/json"') for text in (one, two)] == [1, 2]
    assert one.index("<li>ga is better.</li>") < one.index('<section id="ratios"')
    assert "http-equiv" not in one


def test_parts_of_pages_need_no_script() -> None:
    part = fragment(DESCRIPTION)

    assert "<script" not in part
    assert '<img alt="Hours. By hour." ' in part


def test_what_is_folded_shows_its_heading() -> None:
    table = panel("sizes", "Sizes", "", COLUMNS, [("x", 1, 1.0)])

    text = page(Description("one", [], folded=[table]))
    assert '<details><summary><h2 id="sizes-title">Sizes</h2></summary>' in text


def test_this_is_how_it_looks(capsys: pytest.CaptureFixture[str]) -> None:
    print_description(DESCRIPTION)

    assert capsys.readouterr().out.splitlines() == [
        "<log> & co",
        "",
        "jobs  two",
        "",
        "SIZES",
        "class   jobs  % of jobs",
        "─────────────────────────────────────────────",
        "x<y    1,200       75.0  ████████████████████",
        "z          -       25.0  ██████▋",
        "In <b>.",
        "",
        "RULES",
        "None.",
        "",
        "HOURS",
        "█" * 35 + "▃" * 35,
        "00" + " " * 66 + "01",
        "peak: 3.00 % (00)",
        "By hour.",
    ]


def test_long_series_are_means_of_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    weeks = ColumnChart("w", "Weeks", "", "jobs", [f"w{i}" for i in range(140)], [0.0, 8.0] * 70)
    print_description(Description("log", [weeks]))

    assert capsys.readouterr().out.splitlines()[3:] == [
        "█" * 70,
        "w0" + " " * 64 + "w139",
        "peak: 8.00 jobs (w1), each column the mean of 2",
    ]


def test_nothing_is_blank_and_little_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    print_description(
        Description("log", [ColumnChart("c", "C", "", "%", list("abc"), [0, 0.001, 9])])
    )

    line = capsys.readouterr().out.splitlines()[3]
    assert (line[0], line[23], line[-1]) == (" ", "▁", "█")


@pytest.mark.parametrize(
    ("share", "blocks"), [(0, ""), (0.5, "█" * 10), (1, "█" * 20), (0.01, "▎")]
)
def test_bars(share: float, blocks: str) -> None:
    assert bar(share) == blocks


def test_an_answer_is_its_verdict_and_its_tables(capsys: pytest.CaptureFixture[str]) -> None:
    users = panel("users", "By user", "and 2 others", COLUMNS, [("u", 3, 1.0)])
    print_answer(replace(DESCRIPTION, lead=["It is so."], folded=[users]))

    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["It is so.", "", "SIZES"]
    assert [line for line in lines if line.isupper()] == ["SIZES", "RULES", "BY USER"]
    assert lines[-4:] == ["and 2 others", "", "In <b>.", "None."]


def test_columns_of_a_group_say_which_on_pages() -> None:
    columns = [Column("", left=True), Column("10%", group="starts after")]
    text = page(Description("one", [ResultTable(columns, [("now", "1 h")], "When", key="when")]))

    assert '<td class="text"></td><th>starts after 10%</th>' in text
    assert 'data-label="starts after 10%"' in text
