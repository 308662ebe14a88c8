from __future__ import annotations

import threading
from pathlib import Path

import pytest

from swfx import InputError
from tests.utilitysched.small import plain_workload
from utilitysched.runs import claim, directory_name
from utilitysched.runs.target import held_digest, sole_use


def test_directories_are_made_with_their_parents(tmp_path: Path) -> None:
    target = claim(tmp_path / "a" / "b", "d1", ["easy", "saf:placement=none"])

    assert target.directory.is_dir()
    assert target.runs == {
        "easy": tmp_path / "a/b/easy",
        "saf:placement=none": tmp_path / "a/b/saf-placement_none",
    }
    assert list(target.directory.iterdir()) == []
    assert target.replaced() == []


def test_the_same_workload_may_come_again(tmp_path: Path) -> None:
    jobs = plain_workload()
    claim(tmp_path, jobs.digest(), ["easy"]).write_workload(jobs, {"kept": 60})

    assert claim(tmp_path, jobs.digest(), ["easy"]).runs == {"easy": tmp_path / "easy"}


def test_another_workload_needs_force(tmp_path: Path) -> None:
    jobs = plain_workload()
    claim(tmp_path, jobs.digest(), ["easy"]).write_workload(jobs, {})

    with pytest.raises(
        InputError, match="another workload; choose another directory, or `force=True`"
    ):
        claim(tmp_path, "other", ["easy"], force=False)
    with pytest.raises(InputError, match=r"another workload; choose another directory$"):
        claim(tmp_path, "other", ["easy"])
    assert claim(tmp_path, "other", ["easy"], force=True).directory == tmp_path


@pytest.mark.parametrize("report", [None, "", "[]", '{"kept": 3}'])
def test_a_workload_of_unknown_origin_needs_force(report: str | None, tmp_path: Path) -> None:
    jobs = plain_workload()
    claim(tmp_path, jobs.digest(), ["easy"]).write_workload(jobs, {})
    (tmp_path / "load_report.json").unlink()
    if report is not None:
        (tmp_path / "load_report.json").write_text(report)

    with pytest.raises(InputError, match="another workload"):
        claim(tmp_path, jobs.digest(), ["easy"])


def test_two_labels_of_one_directory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two schedulers would write to"):
        claim(tmp_path, "d1", ["a:b=1", "a-b=1"])


def test_a_run_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "easy").write_text("in the way")

    with pytest.raises(InputError, match="easy: cannot be written: file exists"):
        claim(tmp_path, "d1", ["easy"])


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("easy", "easy"),
        ("ga:population=20,generations=100", "ga-population_20-generations_100"),
        ("saf:threshold=2x,backfill=spf", "saf-threshold_2x-backfill_spf"),
        ("mixed:wait=0.5", "mixed-wait_0.5"),
        ("other:path=/a b", "other-path__a_b"),
        ("../up", "_up"),
        ("..", "_"),
    ],
)
def test_labels_become_file_names_that_need_no_quotes(label: str, name: str) -> None:
    assert directory_name(label) == name


def test_of_two_that_come_at_once_the_second_finds_what_the_first_has_written(
    tmp_path: Path,
) -> None:
    jobs, found = plain_workload(), list[str | None]()

    def second() -> None:
        with sole_use(tmp_path):
            found.append(held_digest(tmp_path))

    with sole_use(tmp_path):
        other = threading.Thread(target=second)
        other.start()
        other.join(timeout=0.2)
        assert found == []
        claim(tmp_path, jobs.digest(), ["easy"]).write_workload(jobs, {})
    other.join()

    assert found == [jobs.digest()]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "load_report.json",
        "workload.swfx.gz",
    ]
