"""Words of the field that are no names of ours."""

from __future__ import annotations

import pytest

from pricing.registry import MECHANISMS
from swfx import InputError
from swfx.base.synonyms import SYNONYMS, meant
from swfx.families.formats.accounting_csv import AccountingCsv
from swfx.families.formats.registry import IMPORTERS
from swfx.reading.sources import open_workload
from utilitysched.schedulers.registry import make_scheduler, scheduler_names

KNOWN = {
    "log format": {*IMPORTERS.names()},
    "scheduler": {*scheduler_names()},
    "price mechanism": {*MECHANISMS.names()},
    "option of accounting-csv": {*AccountingCsv.defaults()},
}


def test_every_word_stands_for_names_that_there_are_and_is_none_itself() -> None:
    for kind, table in SYNONYMS.items():
        for names, words in table.items():
            assert KNOWN[kind].union({"account"}).issuperset(names.split()), kind
            assert not KNOWN[kind].intersection(words.split()), kind


def test_a_word_stands_for_one_thing_in_a_family() -> None:
    for kind, table in SYNONYMS.items():
        words = [word for text in table.values() for word in text.split() if word != "project"]
        assert len(words) == len(set(words)), kind


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("sjf", "'spf'"),
        ("SPT", "'spf'"),
        ("shortest", "'spf'"),
        ("backfill", "'easy'"),
        ("backfilling", "'easy'"),
        ("fifo", "'fcfs'"),
        ("priority/multifactor", "'multifactor'"),
        ("fair_share", "'fairshare'"),
        ("priority", "'multifactor' or 'priority-fifo'"),
    ],
)
def test_schedulers_of_other_names_are_suggested_by_meaning(word: str, names: str) -> None:
    with pytest.raises(InputError, match=f"did you mean {names}[?] known: "):
        make_scheduler(word)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("torque", "pbs"),
        ("openpbs", "pbs"),
        ("cobalt", "pbs"),
        ("sacct", "slurm"),
        ("gridengine", "sge"),
        ("uge", "sge"),
        ("condor", "htcondor"),
        ("csv", "accounting-csv"),
        ("json", "accounting-csv"),
        ("fugaku", "f-data"),
        ("moab", "pbs"),
    ],
)
def test_formats_of_other_names_are_suggested_by_meaning(word: str, name: str) -> None:
    with pytest.raises(InputError, match=f"did you mean '{name}'[?]"):
        open_workload(f"{word}:log.txt")


@pytest.mark.parametrize("name", ["swf", "swfx"])
def test_swf_is_read_without_a_format(name: str) -> None:
    with pytest.raises(InputError, match=r"write log\.swf alone$"):
        open_workload(f"{name}:log.swf")


@pytest.mark.parametrize(
    ("word", "names"),
    [("vickrey", "'second-price'"), ("auction", "'first-price' or 'second-price' or 'vcg'")],
)
def test_mechanisms_of_other_names_are_suggested_by_meaning(word: str, names: str) -> None:
    with pytest.raises(InputError, match=f"did you mean {names}[?]"):
        MECHANISMS.make(word)


def test_options_of_other_names_are_suggested_by_meaning() -> None:
    with pytest.raises(InputError, match="did you mean 'requested_time'"):
        open_workload("accounting-csv,walltime=limit:jobs.csv")


def test_a_word_means_nothing_where_its_names_are_unknown() -> None:
    assert meant("sjf", {"lublin"}) == ()
