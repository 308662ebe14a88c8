"""Failure domains as an option of the command line."""

from __future__ import annotations

import shlex
from pathlib import Path

import networkx as nx
import pytest

from checkpoint.failure_text import failure_domains
from checkpoint.lifetime import YEAR, Lifetime
from swfx import InputError

TEXT = "nodes=6,per=8,mtbf=5y,repair=4h,rack=4:mtbf=20y,power=2:mtbf=30y:repair=1d"


def test_every_level_has_its_lifetime_and_its_place() -> None:
    domains = failure_domains(TEXT)

    assert domains.machine_size == 48
    assert domains.lifetimes["node5"] == Lifetime(5 * YEAR, 14_400)
    assert domains.lifetimes["rack1"] == Lifetime(20 * YEAR, 14_400)
    assert domains.lifetimes["power2"] == Lifetime(30 * YEAR, 86_400)
    assert "machine" not in domains.lifetimes
    assert nx.ancestors(domains.tree, "node5") == {"machine", "rack1", "power2"}
    assert domains.processors["rack1"] == (32, 48)
    assert domains.seed is None


def test_all_nodes_may_share_something() -> None:
    domains = failure_domains("nodes=2,mtbf=never,repair=4h,machine=all:mtbf=90d:repair=6h,seed=3")

    assert domains.lifetimes["machine"] == Lifetime(90 * 86_400, 21_600)
    assert domains.seed == 3


def test_it_needs_no_quotes_in_a_shell() -> None:
    assert shlex.quote(TEXT) == TEXT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "nodes=4",
            (
                "failures: field mtbf: must be given; "
                "as in nodes=260,per=8,mtbf=5y,repair=4h,rack=32:mtbf=20y"
            ),
        ),
        (
            "nodes=4,mtbf=5y,repair=4h,rack=3:mtbf=1y,power=2:mtbf=1y",
            (
                "failures: field rack: 3 nodes are no whole number of times the 2 of power: some "
                "power would be part of two; give numbers of nodes that divide one another"
            ),
        ),
        ("nodes=4,mtbf=5q,repair=4h", "failures: node: field mtbf: unknown unit of time: 'q'"),
        (
            "nodes=4,mtbf=5y,repair=4h,machine=3:mtbf=4d",
            (
                "failures: field machine: '3' is not how many nodes share it; "
                "write machine=all:mtbf=90d for what all nodes share, rack=32:mtbf=20y for "
                "what 32 do"
            ),
        ),
        (
            "nodes=4,mtbf=5y,repair=4h,rack=all:mtbf=4d",
            "failures: field rack: 'all' is not how many nodes share it; write machine=all",
        ),
        (
            "nodes=4,mtbf=5y,repair=4h,rack=3:mbf=4d",
            "failures: rack: field mbf: is not a known key; did you mean 'mtbf'?",
        ),
        ("nodes=4,mtbf=5y,repair=4h,rack=3:repair=1h", "failures: rack: field mtbf: must be given"),
        (
            "nodes=4,mtbf=5y,shape=0.7,repair=4h",
            "failures: field shape: was removed; leave it out: times are exponential",
        ),
        (
            "nodes=4,mtbf=5y,reapir=4h,repair=3h",
            "failures: field reapir: is not a known key; did you mean 'repair'? known: file, mtbf",
        ),
        ("nodes=x,mtbf=5y,repair=4h", "failures: field nodes: 'x' is not a whole number"),
        ("nodes=0,mtbf=5y,repair=4h", "failures: field nodes: 0 is out of range; give 1 to 1,000"),
        ("nodes=4,mtbf=5y,repair=4h,seed=-1", "failures: field seed: -1 is below 0; give 0 or mor"),
        (
            "nodes=4,mtbf=5y,repair=4h,node=2:mtbf=3y",
            "failures: field node: is no name for what nodes share; name it by letters, as in rack",
        ),
        ("file=tree.toml,nodes=3", "failures: field nodes: is not a known key"),
    ],
)
def test_refusals_say_what_to_write(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        failure_domains(text)

    assert str(refused.value).startswith(message)


def test_a_file_may_have_the_tree(tmp_path: Path) -> None:
    file = tmp_path / "tree.toml"
    file.write_text('name = "machine"\nmtbf = "90d"\nrepair = "1h"\nprocessors = 4\n')

    domains = failure_domains(f"file={file},seed=9")

    assert (domains.machine_size, domains.seed) == (4, 9)
