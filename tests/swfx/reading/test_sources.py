from __future__ import annotations

from pathlib import Path

import pytest

import swfx
from swfx import InputError
from swfx.families.generators import LublinModel
from swfx.reading.sources import check_source, open_workload, sample_names

PLAIN = b"1 0 0 5 2 -1 -1 2 10 -1 1 1 1 1 1 1 -1 -1\n"


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model:x.swf"
    path.write_bytes(PLAIN)

    assert len(open_workload(str(path)).workload) == 1


def test_a_model_is_what_it_generates() -> None:
    loaded = open_workload(
        "model:lublin,jobs=300,machine_size=256,seed=5,mode=typeless,start_hour=6"
    )

    model = LublinModel(machine_size=256, mode="typeless", start_hour=6)
    generated, notes = model.generate(300, seed=5)
    assert loaded.workload == generated
    assert loaded.report.notes[: len(notes)] == notes
    assert (
        loaded.report.source
        == "model:lublin,jobs=300,machine_size=256,seed=5,mode=typeless,start_hour=6"
    )
    assert loaded.report.lines_accounted()


def test_a_model_has_defaults() -> None:
    workload = open_workload("model:lublin").workload

    assert (len(workload), workload.machine_size) == (1000, 128)
    with pytest.raises(InputError, match="lublin: field jobs: 0 is out of bounds; give 1 to"):
        open_workload("model:lublin,jobs=0")


def test_a_parameter_of_a_class_can_be_given() -> None:
    workload = open_workload("model:lublin,mode=batch,batch.power_of_two=1,batch.serial=0").workload

    assert (workload.size > 1).all()
    assert (workload.size & (workload.size - 1) == 0).all()


def test_jobs_are_positions_of_job_lines() -> None:
    everything = open_workload("model:lublin,jobs=100,seed=1").workload

    loaded = open_workload("model:lublin,jobs=100,seed=1", jobs=slice(20, 30))

    assert loaded.workload == everything[20:30]
    assert loaded.report.job_lines == 10


def test_machine_size_overrides_the_model() -> None:
    loaded = open_workload("model:lublin,jobs=500,machine_size=256,seed=1", machine_size=32)

    assert loaded.workload.machine_size == 32
    assert loaded.workload.size.max() <= 32
    assert loaded.report.counts()["too-wide"] == 500 - len(loaded.workload)


def test_cleaning_means_the_same_for_a_model() -> None:
    with pytest.raises(InputError, match="model:lublin,machine_size=256:"):
        open_workload("model:lublin,machine_size=256", machine_size=32, cleaning="strict")


def test_the_default_sample_is_the_market() -> None:
    loaded = open_workload("sample:")

    assert loaded.workload == open_workload("sample:market").workload
    assert loaded.workload.has_utilities
    assert loaded.report.source == "sample:"
    assert len(open_workload("sample:market", jobs=slice(0, 10)).workload) == 10


def test_samples_are_named() -> None:
    assert sample_names() == ("market",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sample:markt",
            "sample: no sample is named 'markt'; did you mean 'market'? known: market",
        ),
        (
            "model:lubin",
            "model: no model is named 'lubin'; did you mean 'lublin'? known: applications, lublin",
        ),
        ("model:", "model: no model is named ''; known: applications, lublin"),
        (
            "model:lublin,job=5",
            "field job: is not a known key; did you mean 'jobs'? known: clock, estimates,",
        ),
        ("model:lublin,jobs=x", "model:lublin: field jobs: 'x' is not a whole number"),
        ("model:lublin,machine_size=4", "take at least 12 processors"),
        (
            "model:lublin,batch.serial=2",
            "lublin: field batch.serial: 2 is out of bounds; give 0 to 1",
        ),
        ("model:lublin,batch.seriel=2", "and 51 such as batch.a1"),
        ("model:lublin,seed", "model:lublin: 'seed' is not of the form key=value"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    for refused in (open_workload, check_source):
        with pytest.raises(InputError) as error:
            refused(text)

        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_open_workload_is_public() -> None:
    assert swfx.open_workload is open_workload


@pytest.mark.parametrize("text", ["model:lublin,jobs=5,users=zipf,users.exponent=1", "sample:"])
def test_what_can_be_opened_is_not_refused(text: str) -> None:
    check_source(text)


@pytest.mark.parametrize("prefix", ["", "slurm:", "slurm,timezone=UTC:"])
def test_a_file_must_exist_whatever_its_format(prefix: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    with pytest.raises(InputError, match="log: no such file"):
        check_source(f"{prefix}{path}")
    path.touch()

    check_source(f"{prefix}{path}")
