"""Jobs that rules name, by number or name."""

from __future__ import annotations

from fractions import Fraction

import pytest

from swfx import Header, InputError, Workload
from utilitysched_centre.rules.account_of import accounts_of, listed_by_number
from utilitysched_centre.rules.rules import (
    Accounts,
    Discount,
    JobSelection,
    Rules,
)
from utilitysched_centre.rules.selection import selected_by, strangers

JOBS = Workload.from_columns(
    submit=[0, 0, 0],
    user=[7, 8, -1],
    group=[1, 2, -1],
    partition=[3, 3, 4],
    header=Header((" GroupMeans: account", " User: 7 ann", " Account: 1 bio",
                   ' Account: 2 "user 5"', " Partition: 3 gpu")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("whom", "by"),
    [
        (JobSelection(users=frozenset({"ann", 8})), ["user", "user", ""]),
        (JobSelection(users=frozenset({"nobody"})), ["", "", ""]),
        (JobSelection(partitions=frozenset({"gpu"})), ["partition", "partition", ""]),
        (
            JobSelection(partitions=frozenset({"gpu"}), users=frozenset({7})),
            ["user", "partition", ""],
        ),
        (JobSelection(accounts=frozenset({"x"})), ["account", "", ""]),
    ],
)  # fmt: skip
def test_jobs_are_chosen_by_number_and_name(whom: JobSelection, by: list[str]) -> None:
    assert selected_by(whom, JOBS, ["x", "y", "z"]) == by


def test_what_the_log_does_not_say_is_refused() -> None:
    with pytest.raises(InputError, match=r"the log does not say 'group'; known: account, part"):
        selected_by(JobSelection(groups=frozenset({1})), JOBS, ["x"] * 3)


def test_names_that_no_job_has_are_said_with_the_nearest() -> None:
    rules = Rules(
        exempt=JobSelection(users=frozenset({"ane", 99})),
        discount=(Discount(name="night", percent=Fraction(1), partitions=frozenset({"gpu"})),),
        accounts=Accounts({"bob": "physics", "ann": "physics"}),
    )
    said = list(strangers(rules, JOBS))
    assert [text.partition(";")[0] for text in said] == [
        "no job has the user 'ane'",
        "no job has the user 'bob'",
    ]
    assert "did you mean 'ann'?" in said[0]


def test_the_log_says_who_pays_unless_the_rules_do() -> None:
    assert accounts_of(JOBS, {}) == ("bio", "account user 5", "user unknown")
    assert accounts_of(JOBS, {"ann": "staff"}) == ("staff", "account user 5", "user unknown")
    assert accounts_of(JOBS, {8: "staff", "zoe": "x"})[1] == "staff"
    assert listed_by_number(JOBS, {"ann": "a", 8: "b", "zoe": "c"}) == {7: "a", 8: "b"}


def test_users_without_an_account_are_called_by_name() -> None:
    jobs = JOBS.replace(group=[-1, -1, -1])
    assert accounts_of(jobs, {}) == ("user ann", "user 8", "user unknown")
