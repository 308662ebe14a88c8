"""States that let jobs off: by default those of which the machine was at fault."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from pricing import charge, check_charges, statement, write_statements
from pricing.recomputation import recompute
from pricing.states import check_state
from swfx import Header, InputError, Workload

NAMES = ("NODE_FAIL", "TIMEOUT", "CANCELLED by user", "CANCELLED by another", "COMPLETED")
RUN = [3600.0, 7200.0, 1800.0, 3600.0, 3600.0, 7200.0]


def log() -> Workload:
    """Jobs of each state, and one of unknown state; users 1 to 3, 2 of whom has failures alone."""
    header = Header(tuple(f' State: {n} "{name}"' for n, name in enumerate(NAMES, 1)))
    return Workload.from_columns(
        submit=[0.0] * 6,
        run=RUN,
        processors=[2, 1, 2, 1, 1, 1],
        status=[0, 0, 5, 5, 1, -1],
        user=[2, 1, 1, 3, 3, 3],
        state=[1, 2, 3, 4, 5, -1],
        header=header,
    )


def billed(**terms: object) -> list[float]:
    made = charge(log(), [0.0] * 6, RUN, "single-price", **terms)  # type: ignore[arg-type]
    paid = dict(zip(made.outcome.position.tolist(), made.charge.tolist(), strict=True))
    return [paid.get(job, 0.0) for job in range(6)]


@pytest.mark.parametrize(
    ("terms", "charges"),
    [
        ({}, [0, 2, 1, 1, 1, 2]),
        ({"exclude_states": ()}, [2, 2, 1, 1, 1, 2]),
        ({"exclude_states": ["CANCELLED"]}, [2, 2, 0, 0, 1, 2]),
        ({"exclude_states": ["CANCELLED by another", "TIMEOUT"]}, [2, 0, 1, 0, 1, 2]),
        ({"exclude_statuses": [0]}, [0, 0, 1, 1, 1, 2]),
    ],
)
def test_jobs_of_these_states_do_not_pay(terms: dict[str, object], charges: list[float]) -> None:
    assert billed(**terms) == charges


def test_a_log_without_states_is_billed_as_before() -> None:
    plain = Workload.from_columns(run=[3600], processors=[1], status=[0])
    made = charge(plain, [0], [3600], "single-price")

    assert (made.total, made.terms.exclude_states, made.failures) == (1.0, (), None)


def test_failures_have_their_own_columns() -> None:
    made = charge(log(), [0.0] * 6, RUN, "single-price")
    table = statement(made, "user")

    assert table.jobs.to_dict() == {1: 2, 2: 0, 3: 3}
    assert table.charge.to_dict() == {1: Decimal(3), 2: Decimal(0), 3: Decimal(4)}
    assert table.failures.to_dict() == {1: 0, 2: 1, 3: 0}
    assert table.failure_hours.to_dict() == {1: 0, 2: 2, 3: 0}
    assert all(check.holds for check in check_charges(made))


def test_a_bill_that_lets_states_off_is_computed_again(tmp_path: Path) -> None:
    made = charge(log(), [0.0] * 6, RUN, "single-price", exclude_states=["TIMEOUT"])
    write_statements(tmp_path, made)

    again = recompute(tmp_path, log(), np.zeros(6), np.array(RUN))

    assert not again.faults
    assert again.charges.terms == made.terms


def test_states_that_there_are_not() -> None:
    assert check_state("timeout") == "TIMEOUT"
    with pytest.raises(InputError, match=r"'NODEFAIL'.*NODE_FAIL"):
        check_state("NODEFAIL")
