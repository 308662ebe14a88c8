from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from swfx import InputError
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.batsim import Profiles
from swfx.families.formats.registry import IMPORTERS, Imported
from swfx.job_names import FIRST_INVENTED
from swfx.reading.sources import open_workload
from tests.swfx.families.exporters.jobs import awkward_jobs

GOLDEN = Path(__file__).parent / "batsim" / "small.txt"


def read(document: object, options: str = "") -> Imported:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return IMPORTERS.make(f"batsim:{options}").read(data, "workload.json")


def one_job(**keys: object) -> dict[str, object]:
    job = {"id": "1", "subtime": 0, "res": 2, "profile": "p"} | keys
    return {"nb_res": 4, "jobs": [job], "profiles": {"p": {"type": "delay", "delay": 5}}}


def test_without_a_speed_only_delays_have_a_run_time() -> None:
    result = read(GOLDEN.read_bytes())

    assert result.workload.run.tolist() == [20.25]
    assert result.report.lines_of("unknown-run-time").tolist() == [2, 3, 4, 5, 6, 7, 8]


def test_what_is_written_reads_back() -> None:
    jobs = awkward_jobs()

    assert read(EXPORTERS.make("batsim").format(jobs).data).workload == jobs


def test_the_sample_reads_back() -> None:
    market = open_workload("sample:market").workload

    assert read(EXPORTERS.make("batsim").format(market).data).workload == market


def test_numbers_of_the_file_stay_where_all_ids_are_numbers() -> None:
    assert read(one_job(id="w0!17")).workload.job_id.tolist() == [17]


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ({"res": 1.5}, "not-a-number"),
        ({"res": True}, "not-a-number"),
        ({"subtime": 1e300}, "not-a-number"),
        ({"walltime": None}, "not-a-number"),
        ({"checkpoint_interval": 0}, "broken-checkpoint"),
        ({"utility": [[0]]}, "broken-utility"),
        ({"utility": 7}, "broken-utility"),
        ({"profile": "q"}, "unknown-profile"),
    ],
)
def test_a_job_that_cannot_be_read_is_listed(keys: dict[str, object], rule: str) -> None:
    document = one_job()
    document["jobs"] = [*document["jobs"], one_job(**keys)["jobs"][0]]  # type: ignore[index,misc]

    report = read(document).report

    assert report.counts() == {rule: 1}
    assert report.lines_of(rule).tolist() == [2]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"{", "is no JSON"),
        (b'{"jobs": [NaN], "profiles": {}}', "not-a-job 1"),
        (b"[" * 100_000, "is no JSON"),
        (b"[]", "has no list 'jobs'"),
        (b'{"jobs": []}', "has no dict 'profiles'"),
        (b'{"jobs": [], "profiles": {}}', "holds no jobs"),
    ],
)
def test_what_is_no_workload_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(data)

    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("ids", "numbers", "preceding", "listed"),
    [
        (("w!5", "last", "9"), [5, FIRST_INVENTED, 9], [-1, 5, 5], [2]),
        (("first", "second", "third"), [1, 2, 3], [-1, -1, -1], []),
    ],
)
def test_an_id_that_is_no_number_changes_no_other(
    ids: tuple[str, ...], numbers: list[int], preceding: list[int], listed: list[int]
) -> None:
    document = one_job()
    job = {"subtime": 0, "res": 2, "profile": "p"}
    links: tuple[dict[str, int], ...] = ({}, {"preceding_job": 5}, {"preceding_job": 5})
    document["jobs"] = [job | {"id": n} | link for n, link in zip(ids, links, strict=True)]

    workload, report, _ = read(json.dumps(document).encode())

    assert workload.job_id.tolist() == numbers
    assert workload.preceding_job.tolist() == preceding
    assert report.lines_of("renumbered").tolist() == listed if listed else not report.counts()


def seconds(profile: dict[str, object], resources: int = 4) -> float:
    others = {"nap": {"type": "delay", "delay": 2}}
    return Profiles({**others, "p": profile}, speed=10.0).seconds("p", resources)


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ({"type": "delay", "delay": 0.5}, 0.5),
        ({"type": "DelayProfile", "delay": 3}, 3),
        ({"type": "parallel", "cpu": [10, 80], "com": [0, 0, 0, 0]}, 8),
        ({"type": "msg_par_hg", "cpu": 50, "com": 0}, 5),
        ({"type": "msg_par_hg_tot", "cpu": 80}, 2),
        ({"type": "ParallelTaskHomogeneousProfile", "cpu": 80}, 8),
        (
            {
                "type": "ParallelTaskHomogeneousProfile",
                "cpu": 80,
                "generation_strategy": "DefinedAmountsSpreadUniformly",
            },
            2,
        ),
        ({"type": "SequentialCompositionProfile", "seq": ["nap", "nap"], "repeat": 3}, 12),
        ({"type": "composed", "seq": []}, 0),
    ],
)
def test_run_times_that_can_be_told(profile: dict[str, object], expected: float) -> None:
    assert seconds(profile) == expected


@pytest.mark.parametrize(
    "profile",
    [
        {"type": "delay"},
        {"type": "delay", "delay": -1},
        {"type": "delay", "delay": "2"},
        {"type": "parallel", "cpu": [], "com": []},
        {"type": "parallel_homogeneous", "cpu": 50, "com": 1},
        {"type": "parallel_homogeneous_pfs", "bytes_to_read": 5},
        {"type": "smpi", "trace": "t"},
        {"type": "composed", "seq": ["nap", "p"]},
        {"type": "composed", "seq": ["gone"]},
        {"type": "composed", "seq": "nap"},
        {"type": ["delay"]},
        {},
    ],
)
def test_run_times_that_only_a_simulator_tells(profile: dict[str, object]) -> None:
    assert math.isnan(seconds(profile))


def test_a_deep_tower_of_compositions_is_not_climbed() -> None:
    tower = {f"{i}": {"type": "composed", "seq": [f"{i + 1}"] * 2} for i in range(5000)}

    assert math.isnan(Profiles(tower).seconds("0", 1))
