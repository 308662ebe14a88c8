"""Labels of jobs: where their numbers stand, and what they are called."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload, read
from swfx.header import named
from swfx.labels import label_names
from swfx.writer import to_bytes

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


def jobs(*lines: str, **columns: list[int]) -> Workload:
    return Workload.from_columns(submit=[0, 0, 0], header=Header(lines), **columns)


@given(st.dictionaries(st.integers(0, 10**15 - 1), NAMES, max_size=4))
def test_every_name_comes_back(names):
    lines = tuple(named("JobName", number, name) for number, name in names.items())
    log = Workload.from_columns(submit=[0], job_name=[1], header=Header(lines))
    again = read(io.BytesIO(to_bytes(log)), cleaning="none").workload
    assert again.header.names("jobname") == names


def test_names_of_archives_end_at_the_first_blank():
    header = Header(
        (" Queue:  1  express   (p655 /  2hr)", " Queue:  2", " Queue: many", "Queue: 1 x")
    )
    assert header.names("Queue") == {1: "express"}


def test_a_quotation_mark_that_is_no_string_is_a_name():
    assert Header((' User: 1 "half open', " User: 2 3")).names("User") == {1: '"half', 2: "3"}


def test_numbers_stand_in_their_field_or_in_an_extra_column():
    log = jobs(" Account: 7 bio", user=[3, 3, 4], account=[7, -1, 7])
    assert log.labels.kinds == ("user", "account")
    assert log.labels.required("account").numbers.tolist() == [7, -1, 7]
    assert log.labels.required("account").name(7) == "bio"
    assert log.labels.required("user").title(4) == "user 4"


def test_a_field_may_hold_another_kind():
    log = jobs(" GroupMeans: account", " Account: 7 bio", " Group: 7 staff", group=[7, -1, 7])
    assert log.labels.kinds == ("account",)
    assert log.labels.required("account").title(7) == "account bio"
    with pytest.raises(InputError, match=r"the log does not say 'group'; known: account"):
        log.labels.required("group")


def test_a_field_may_hold_what_another_is_called_after():
    log = jobs(" QueueMeans: partition", " Partition: 2 gpu", queue=[1, 2, 2])

    assert log.labels.of("partition").of_jobs() == ["1", "gpu", "gpu"]
    assert log.labels.of("queue").of_jobs() == ["unknown"] * 3


def test_an_unknown_meaning_is_refused():
    with pytest.raises(InputError, match=r"GroupMeans: 'acount' is no kind .*'account'"):
        jobs(" GroupMeans: acount", group=[1, 1, 1]).labels.required("group")


def test_kinds_that_nobody_knows_are_refused():
    with pytest.raises(InputError, match=r"field kind: there is no 'colour'; known: user"):
        jobs(user=[1, 1, 1]).labels.required("colour")


def test_names_that_two_numbers_share_stand_with_their_number():
    names = label_names(Header((" User: 1 ann", " User: 2 ann", " User: 3 1")), "user")
    assert [names.name(number) for number in range(1, 5)] == ["ann (1)", "ann (2)", "1 (3)", "4"]


def test_numbers_are_found_by_name_and_by_themselves():
    users = jobs(" User: 3 alice", " User: 5 bob", user=[3, 4, 4]).labels.required("user")
    assert [users.number("alice"), users.number("4")] == [3, 4]
    with pytest.raises(InputError, match=r"no job has the user 'alcie'; did you mean 'alice'"):
        users.number("alcie")
    for absent in ("bob", "5", "-1"):
        with pytest.raises(InputError, match=f"no job has the user '{absent}'"):
            users.number(absent)


def test_chosen_jobs_keep_labels_and_lose_columns_that_none_of_them_has():
    log = jobs(" Account: 7 bio", account=[7, -1, 8], **{"tres/node": [-1, 2, 1]})
    assert log[:1].extra_columns == ("account",)
    assert log[:1].header.extra_columns == ("account",)
    assert log[np.array([1])].extra_columns == ("tres/node",)
    assert log[:1].labels.of("account").name(7) == "bio"


def test_columns_stand_in_one_order():
    log = jobs(**{"tres/b": [1, 1, 1], "state": [1, 1, 1], "account": [1, 1, 1], "tres/a": [1] * 3})
    assert log.extra_columns == ("account", "state", "tres/a", "tres/b")
    assert log.replace(account=[-1, -1, -1]).extra_columns == ("state", "tres/a", "tres/b")


@pytest.mark.parametrize("name", ["tres", "tres/", "tres//a", "tres/a b", "tres/a;b", "Account"])
def test_other_names_are_no_columns(name):
    with pytest.raises(InputError, match="unknown column"):
        Workload.from_columns(submit=[0], **{name: [1]})


def test_labels_are_whole_and_not_negative():
    for number in (-2, 1.5):
        with pytest.raises(InputError, match="account"):
            Workload.from_columns(submit=[0], account=[number])
