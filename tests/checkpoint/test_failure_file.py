"""Failure domains in files."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from checkpoint.domains import FailureDomains
from checkpoint.failure_file import read_domains
from checkpoint.failure_text import failure_domains
from swfx import InputError

TREE = """\
name = "machine"

[[parts]]
name = "rack"
count = 2
mtbf = "20y"
repair = "4h"

[[parts.parts]]
name = "node"
count = 3
mtbf = 157_680_000
repair = 14_400
processors = 8
"""


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_it_is_the_tree_that_the_option_writes_shorter(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"tree.{suffix}"
    file.write_text(TREE if suffix == "toml" else json.dumps(tomllib.loads(TREE)))

    read = FailureDomains(read_domains(file))

    short = failure_domains("nodes=6,per=8,mtbf=5y,repair=4h,rack=3:mtbf=20y")
    assert read.processors == short.processors
    assert read.lifetimes == short.lifetimes
    assert read.outages(0, 1e9, 1) == short.outages(0, 1e9, 1)


def test_parts_of_different_depth_and_size(tmp_path: Path) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(
        'name = "all"\nparts = [{name = "login", processors = 4, mtbf = "1y", repair = 60},\n'
        '{name = "blade", count = 2, parts = [{name = "node", count = 2, processors = 1}]}]\n'
    )

    domains = FailureDomains(read_domains(file))

    assert domains.processors["login"] == (0, 4)
    assert domains.processors["blade1"] == (6, 8)
    assert domains.processors["node3"] == (7, 8)
    assert list(domains.lifetimes) == ["login"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("count = 3", "cuont = 3", ":11: field parts[0].parts[0].cuont: is not a known key; did"),
        ('mtbf = "20y"', 'mtbf = "20q"', ":6: field parts[0].mtbf: unknown unit of time: 'q'"),
        ('mtbf = "20y"\n', "", ":6: field parts[0].repair: without mtbf nothing fails; give mtbf"),
        ('repair = "4h"\n', "", ":3: field parts[0]: mtbf without repair; give both, such as"),
        ("processors = 8", "processors = 0", ":14: field parts[0].parts[0].processors: 0 is out"),
        ("processors = 8", "", "node0 needs either parts or processors; give one of them"),
        ('name = "node"', 'name = "rack"\ncount = 1\n[[x]]', "is not a known key"),
        ('name = "machine"', 'name = "rack0"', ":4: field parts[0].name: 'rack0' is the name of"),
        ('name = "machine"', "", "has no name; give name ="),
        (
            'name = "machine"',
            'name = "machine"\ncount = 2',
            ":2: field count: there is one machine",
        ),
        (
            "processors = 8",
            f"processors = 0x{'f' * 6000}",  # which Python refuses to write in decimal
            "processors: a number of hundreds of digits is out of range; give a whole number from",
        ),
        ("count = 3", "count = 9999999", "count: more than 1,000,000 domains"),
    ],
)
def test_refusals_have_file_line_and_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "tree.toml"
    file.write_text(TREE.replace(old, new))

    with pytest.raises(InputError) as refused:
        read_domains(file)

    assert str(refused.value).startswith(str(file))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.json", None, "cannot be read: no such file or directory; give the path of failure"),
        ("none.toml", None, "cannot be read: no such file or directory; give the path of failure"),
        ("bad.json", "{", "is not JSON: "),
        ("long.json", f'{{"name": {"1" * 5000}}}', "is not JSON: Exceeds the limit"),
        ("list.json", "[]", "is a list, not a table"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_text(text)

    with pytest.raises(InputError, match=message):
        read_domains(file)
