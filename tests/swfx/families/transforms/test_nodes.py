from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload, read
from swfx.families.transforms import apply_all
from tests.strategies import workloads

LOG = Workload.from_columns(
    submit=[0, 1, 2],
    processors=[9, -1, 40],
    requested_processors=[8, 3, 40],
    memory=[100, 100, -1],
    requested_memory=[-1, 100, 1],
    preceding_job=[-1, 3, -1],
    header=Header((" MaxProcs: 20 (two kinds)", " MaxNodes: 3")),
)


def test_processors_become_the_nodes_they_fill() -> None:
    done = apply_all(LOG, ["nodes:per=8,count=4"])

    assert done.workload.processors.tolist() == [2, -1]
    assert done.workload.requested_processors.tolist() == [1, 1]
    assert done.workload.memory.tolist() == [450, 100]
    assert done.workload.requested_memory.tolist() == [-1, 300]
    assert done.workload.preceding_job.tolist() == [-1, -1]
    assert (done.workload.header.max_procs, done.workload.header.max_nodes) == (4, 4)
    assert done.dropped == {"nodes:per=8,count=4: wider than 4 nodes": 1}


def test_the_machine_is_what_its_processors_fill() -> None:
    assert apply_all(LOG, ["nodes:per=8"]).workload.machine_size == 3


@given(workloads(), st.integers(1, 9))
def test_nodes_hold_the_processors_and_no_node_is_empty(log: Workload, per: int) -> None:
    done = apply_all(log, [f"nodes:per={per}"]).workload

    assert len(done) == len(log)
    assert ((done.size - 1) * per < log.size).all()
    assert (log.size <= done.size * per).all()


def test_datastar_as_260_nodes(traces: Path) -> None:
    log = read(traces / "SDSC-DS-2004-2.1-cln.swf.gz").workload

    done = apply_all(log, ["nodes:per=8,count=260"])

    assert len(done.workload) + sum(done.dropped.values()) == len(log)
    assert done.workload.size.max() <= 260


def test_refusals() -> None:
    with pytest.raises(
        InputError, match=r"nodes: field per: must be given; write nodes:per=\.\.\."
    ):
        apply_all(LOG, ["nodes"])
    with pytest.raises(
        InputError,
        match="nodes: field per: 0 is out of bounds; give a whole number from 1 to 9007",
    ):
        apply_all(LOG, ["nodes:per=0"])
    with pytest.raises(InputError, match="nodes:per=8: the size of the machine is unknown; give c"):
        apply_all(LOG.replace(header=Header()), ["nodes:per=8"])


def test_it_says_that_prices_are_per_node() -> None:
    changed = apply_all(LOG, ["nodes:per=8,count=4"]).changed

    assert any("SU a processor-hour are a node-hour's" in what for what in changed)
