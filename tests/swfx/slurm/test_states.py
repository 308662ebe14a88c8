from __future__ import annotations

import pytest

from swfx.accounting.record_error import RecordError
from swfx.slurm.states import STATES, parse_state


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("COMPLETED", 1),
        ("CANCELLED", 5),
        ("CANCELLED by 1000", 5),
        ("CANCELLED+", 5),
        ("cancelled", 5),
        ("FAILED", 0),
        ("TIMEOUT", 0),
        ("NODE_FAIL", 0),
        ("OUT_OF_MEMORY", 0),
        ("OUT_OF_ME+", 0),
        ("BOOT_FAIL", 0),
        ("DEADLINE", 0),
        ("PREEMPTED", 5),
        ("REVOKED", 5),
        ("REQUEUED", 2),
        ("CD", 1),
        ("TO", 0),
        ("RF", 0),
        ("", -1),
    ],
)
def test_states_of_jobs_that_are_over(text: str, status: int) -> None:
    state = parse_state(text)

    assert (state.status, state.over) == (status, True)


@pytest.mark.parametrize("text", ["RUNNING", "PENDING", "SUSPENDED", "COMPLETING", "PD"])
def test_states_of_jobs_that_are_not(text: str) -> None:
    assert not parse_state(text).over


@pytest.mark.parametrize("text", ["VANISHED", "X+", "COMPLETED-"])
def test_what_is_no_state(text: str) -> None:
    with pytest.raises(RecordError) as error:
        parse_state(text)

    assert error.value.rule.name == "unknown-state"


def test_every_name_is_read() -> None:
    assert [parse_state(state.name) for state in STATES] == list(STATES)
