"""What every job waits for, and which dependencies are ignored."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest

from swfx import Workload, read
from swfx.dependencies import RULES, dependencies, dependency_graph


def workload(
    preceding: list[int], think: list[float] | None = None, **columns: list[int]
) -> Workload:
    """Jobs 1, 2, ... submitted a second apart."""
    given: dict[str, object] = {"submit": range(len(preceding)), **columns}
    think = think or [5.0] * len(preceding)
    return Workload.from_columns(preceding_job=preceding, think_time=think, **given)  # type: ignore[arg-type]


def listed(jobs: Workload) -> dict[str, list[int]]:
    return {rule: numbers.tolist() for rule, numbers in dependencies(jobs).listed.items()}


def test_a_chain_and_a_fork() -> None:
    found = dependencies(workload([-1, 1, 2, 1], [0, 30, 0.5, 7]))

    assert found.predecessor.tolist() == [-1, 0, 1, 0]
    assert found.think_time.tolist() == [0, 30, 0.5, 7]
    assert (found.count, found.ignored, found.listed) == (3, 0, {})


@pytest.mark.parametrize("none", [-1, 0, -7])
def test_a_number_below_one_is_no_preceding_job(none: int) -> None:
    found = dependencies(workload([none, none], job_id=[0, 1]))

    assert found.predecessor.tolist() == [-1, -1]
    assert found.listed == {}


@pytest.mark.parametrize(
    ("preceding", "rules"),
    [
        ([-1, 9, 1], {"dangling": [2]}),
        ([1, -1], {"cycle": [1]}),
        ([2, 1, 2], {"cycle": [1, 2]}),
        ([2, 3, 1, 3, 4], {"cycle": [1, 2, 3]}),
        ([3, -1, -1], {"later": [1]}),
    ],
)
def test_odd_dependencies(preceding: list[int], rules: dict[str, list[int]]) -> None:
    assert listed(workload(preceding)) == rules


def test_those_ignored_leave_their_job_without_and_others_in_place() -> None:
    found = dependencies(workload([2, 1, 2, 9]))

    assert found.predecessor.tolist() == [-1, -1, 1, -1]
    assert found.think_time.tolist() == [0, 0, 5, 0]
    assert (found.count, found.ignored) == (1, 3)


def test_a_number_that_two_jobs_have_names_neither() -> None:
    jobs = workload([-1, -1, 7, 8], job_id=[7, 7, 8, 9])

    assert listed(jobs) == {"ambiguous": [8]}
    assert dependencies(jobs).predecessor.tolist() == [-1, -1, -1, 2]


def test_an_unknown_think_time_is_none() -> None:
    jobs = workload([-1, 1, 9], [-1, -1, -1])

    assert dependencies(jobs).think_time.tolist() == [0, 0, 0]
    assert listed(jobs) == {"dangling": [3], "no-think-time": [2]}


def test_a_slice_leaves_dangling_ones() -> None:
    assert listed(workload([-1, 1, 2, 3])[2:]) == {"dangling": [3]}


def test_no_jobs() -> None:
    assert dependencies(workload([])).to_dict() == {
        "jobs_waiting": 0,
        "jobs_ignored": 0,
        "rules": [],
    }


def test_as_a_document() -> None:
    assert dependencies(workload([-1, 9, 1])).to_dict() == {
        "jobs_waiting": 1,
        "jobs_ignored": 1,
        "rules": [
            {
                "rule": "dangling",
                "ignored": True,
                "meaning": "no job of the workload has the preceding job's number",
                "job_ids": [2],
            }
        ],
    }


def test_the_graph_has_every_job_and_only_dependencies_that_hold() -> None:
    graph = dependency_graph(workload([2, 1, 2, 3, 9], [1, 1, 2, 3, 4]))

    assert sorted(graph.nodes) == [0, 1, 2, 3, 4]
    assert sorted(graph.edges(data="think_time")) == [(1, 2, 2.0), (2, 3, 3.0)]
    assert nx.is_forest(graph.to_undirected())


def test_a_long_chain_needs_no_recursion() -> None:
    jobs = 50_000

    assert dependencies(workload([-1, *range(1, jobs)])).count == jobs - 1


def test_every_rule_has_a_name_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_real_log_in_which_all_jobs_name_the_first(traces: Path) -> None:
    jobs = read(traces / "wagap-2013.swf.gz", cleaning="lenient", machine_size=2176).workload
    found = dependencies(jobs)

    assert (len(jobs), found.count) == (17_898, 17_897)
    assert listed(jobs) == {"cycle": [1], "later": [0]}
