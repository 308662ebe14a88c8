from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload
from swfx.families.transforms import apply_all
from tests.strategies import workloads

LOG = Workload.from_columns(
    submit=[0, 1, 2, 3],
    user=[70, -1, 3, 70],
    group=[0, 2, 0, 0],
    executable=[-1, -1, -1, 5],
    queue=[4, 4, 4, 4],
    header=Header((" User: 70 alice", " Queue: 4 normal", " Group: 2 physics")),
)


def test_numbers_by_first_appearance() -> None:
    done = apply_all(LOG, ["anonymise"])

    assert done.workload.user.tolist() == [1, -1, 2, 1]
    assert done.workload.group.tolist() == [1, 2, 1, 1]
    assert done.workload.executable.tolist() == [-1, -1, -1, 1]
    assert done.workload.queue.tolist() == [4, 4, 4, 4]
    assert done.workload.header.lines == (" Queue: 4 normal", " Transformation: anonymise")
    assert done.notes == (
        (
            "anonymise: new numbers for 2 users, 2 groups, 1 executables;"
            " header lines taken out: 1 User, 1 Group"
        ),
    )


def test_the_mapping_is_written_when_asked_for(tmp_path: Path) -> None:
    apply_all(LOG, [f"anonymise:mapping={tmp_path / 'map.csv'}"])

    assert (tmp_path / "map.csv").read_text() == (
        "column,number,new\nuser,70,1\nuser,3,2\ngroup,0,1\ngroup,2,2\nexecutable,5,1\n"
    )


@given(workloads(), st.integers(0, 5))
@pytest.mark.slow
def test_a_shuffle_keeps_who_is_who_and_follows_the_seed(log: Workload, seed: int) -> None:
    done = apply_all(log, ["anonymise:order=random"], seed).workload

    pairs = set(zip(log.user.tolist(), done.user.tolist(), strict=True))
    assert len(pairs) == len(set(log.user.tolist())) == len(set(done.user.tolist()))
    assert set(done.user.tolist()) == set(range(1, len(pairs) + 1))
    assert sorted(Counter(log.group.tolist()).values()) == (
        sorted(Counter(done.group.tolist()).values())
    )
    assert apply_all(log, ["anonymise:order=random"], seed).workload == done
    assert done.header.get("Transformation") == f"anonymise:order=random; seed {seed}"


def test_unknown_orders() -> None:
    with pytest.raises(
        InputError, match="field order: 'rand' is not a choice; did you mean 'random'"
    ):
        apply_all(LOG, ["anonymise:order=rand"])


def test_old_numbers_do_not_stay_in_the_header() -> None:
    made = LOG.replace(header=Header((" UtilityModel: curves:user=70", " MaxProcs: 8")))

    done = apply_all(made, ["filter:user=70", "anonymise"])

    assert done.workload.header.lines == (" MaxProcs: 8", " Transformation: anonymise")
    assert done.notes[-1].endswith("header lines taken out: 1 UtilityModel, 1 Transformation")
