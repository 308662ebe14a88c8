"""docs/formats.md says of every rule what the reader really does with its lines."""

import io
import re
from pathlib import Path

import pytest

from swfx import FIELD_NAMES, FIELDS, InputError, read
from swfx.extension import CHECKPOINT_FIELDS, EXTRA_FIELDS
from swfx.label_kinds import LABEL_KINDS
from swfx.reading.report import RULES
from tests.swfx.malformed import MALFORMED

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
SECTION = PAGE.partition("### What is refused")[2].partition("\n## ")[0]
PLAIN = b"; MaxProcs: 8\n"
EXTENDED = PLAIN + b"; SWFX: 1.0\n; ExtraColumns: soft_estimate confidence original_job account\n"
SOUND = {
    PLAIN: b"1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1",
    EXTENDED: b"1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1 -1 -1 0 -1 -1 -1 -1",
}
ROW = re.compile(r"^\| `([a-z-]+)` \| `([^`]+)` \| (.*?) ?\|$", re.MULTILINE)


def rows(begin: str) -> list[tuple[str, ...]]:
    """Rule, line and message of every row of the table whose introduction begins like this."""
    _, found, rest = SECTION.partition(f"\n{begin}")
    assert found
    return ROW.findall(rest.partition("\n\n")[2].partition("\n\n")[0])


MALFORMED_PLAIN, MALFORMED_EXTENDED = rows("Malformed lines, under"), rows("Malformed lines of ext")
CASES, TUPLES = rows("Sound lines"), rows("Functions written")
EXAMPLES = [
    *((PLAIN, False, *row) for row in MALFORMED_PLAIN + CASES),
    *((EXTENDED, False, *row) for row in MALFORMED_EXTENDED),
    *((PLAIN, True, *row) for row in TUPLES),
]


@pytest.mark.parametrize(("header", "tuples", "rule", "line", "message"), EXAMPLES)
def test_the_line_falls_under_the_rule(header, tuples, rule, line, message):
    text = header + SOUND[header] + b"\n" + line.encode()
    report = read(io.BytesIO(text), cleaning="lenient", tuples=tuples).report
    assert rule in report.counts()
    assert report.lines_of(rule).tolist() == [header.count(b"\n") + 2]


@pytest.mark.parametrize(("header", "tuples", "rule", "line", "message"), EXAMPLES)
def test_the_line_has_the_message(header, tuples, rule, line, message):
    text = io.BytesIO(header + line.encode())
    if not message:
        assert len(read(text, cleaning="strict", tuples=tuples).workload) == 1
        return
    with pytest.raises(InputError) as caught:
        read(text, cleaning="strict", tuples=tuples)
    place, _, rest = str(caught.value).partition(": ")
    assert place == f"stream:{len(header.splitlines()) + 1}"
    assert rest.rpartition("; ")[0] == message


def test_every_rule_has_an_example_in_its_table():
    malformed = {rule.name for rule in RULES if rule.malformed}
    assert {rule for rule, *_ in MALFORMED_PLAIN + MALFORMED_EXTENDED} == malformed
    assert {rule for rule, *_ in CASES} == {rule.name for rule in RULES} - malformed


def test_every_field_is_in_the_table():
    table = PAGE.partition("### Fields")[2].partition("### ")[0]
    named = set(re.findall(r"`(\w+)`", table))
    assert {field.name for field in FIELDS + CHECKPOINT_FIELDS + EXTRA_FIELDS} - named == set()


def test_every_extra_column_is_in_the_grammar():
    line = re.search(r"^name += (.*?) ;", PAGE, re.MULTILINE)
    assert line is not None
    assert line[1].split(" | ")[:-2] == [f'"{field.name}"' for field in EXTRA_FIELDS]


def test_every_label_is_in_the_grammar():
    line = re.search(r"^label += (.*?) ;", PAGE, re.MULTILINE)
    assert line is not None
    assert line[1].split(" | ") == [f'"{k}"' for k in LABEL_KINDS if k not in FIELD_NAMES]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("empty", "is empty"),
        ("comments-only", "holds no job lines"),
        ("utf-16", "is not text: byte"),
        ("truncated-gzip", "is truncated or broken compressed data: "),
        ("unknown-version", "field SWFX: unknown version of extended SWF: '2.0'"),
        ("unknown-extra-column", "field ExtraColumns: unknown column 'mood'"),
        ("extra-column-twice", "column 'confidence' is named twice"),
        ("all-jobs-dropped", "no job is left of "),
    ],
)
def test_refusals_of_whole_files_are_in_the_catalogue(name, said):
    case = next(case for case in MALFORMED if case.name == name)
    assert said in case.message
    assert said in SECTION
