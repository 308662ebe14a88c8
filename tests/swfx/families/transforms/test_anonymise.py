from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import Header, InputError, Workload
from swfx.families.transforms import apply_all
from swfx.families.transforms.anonymise import read_salt
from swfx.writer import to_bytes
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
            " header lines removed: 1 User, 1 Group"
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
    assert done.notes[-1].endswith("header lines removed: 1 UtilityModel, 1 Transformation")


NAMED = Workload.from_columns(
    submit=[0, 1, 2, 3],
    user=[1, 2, 1, 3],
    group=[5, 5, 6, -1],
    executable=[2, 1, 2, 2],
    queue=[1, 1, 1, 1],
    project=[1, -1, 1, 1],
    header=Header((
        " Computer: Frontier of Alice", " free text on alice", " MaxProcs: 8", " Note: alice's log",
        " GroupMeans: account", " ExecutableMeans: job_name", " User: 1 alice", " User: 2 bob",
        " Account: 5 physics", " JobName: 1 relax", ' JobName: 2 "alice 1"', " Project: 1 p1",
        " Queue: 1 night", " Transformation: filter:user=1",
    )),
)  # fmt: skip


def salted(log: Workload, secret: str, folder: Path) -> Workload:
    (folder / "salt").write_text(f"{secret}\n")
    return apply_all(log, [f"anonymise:salt={folder / 'salt'}"]).workload


def names(log: Workload, kind: str) -> list[str]:
    return log.labels.required(kind).of_jobs()


def test_names_become_pseudonyms_that_a_salt_fixes(tmp_path: Path) -> None:
    done = salted(NAMED, "sixteen letters!", tmp_path)
    for kind in ("user", "account", "job_name", "project"):
        pairs = set(zip(names(NAMED, kind), names(done, kind), strict=True))
        assert len(pairs) == len(set(names(NAMED, kind))) == len(set(names(done, kind)))
        assert all(re.fullmatch(rf"{kind}-[a-z2-7]{{12}}|unknown", new) for _, new in pairs)
    assert names(done, "queue") == ["night"] * 4
    assert salted(NAMED, "sixteen letters!", tmp_path) == done
    assert names(salted(NAMED, "sixteen others!!", tmp_path), "user") != names(done, "user")


def test_somebody_is_the_same_in_every_log(tmp_path: Path) -> None:
    other = Workload.from_columns(submit=[0], user=[9], header=Header((" User: 9 alice",)))
    here, there = (salted(log, "sixteen letters!", tmp_path) for log in (NAMED, other))
    assert names(there, "user") == names(here, "user")[:1]


def test_nothing_that_is_written_tells_who_it_was(tmp_path: Path) -> None:
    text = to_bytes(salted(NAMED, "sixteen letters!", tmp_path)).decode().casefold()
    for word in (
        "alice",
        "bob",
        "physics",
        "relax",
        "p1",
        "frontier",
        "filter",
        "sixteen",
        "/salt",
    ):
        assert word not in text
    assert "; maxprocs: 8\n" in text
    assert "; transformation: anonymise:salt=...\n" in text


def test_without_a_salt_no_label_keeps_its_name() -> None:
    done = apply_all(NAMED, ["anonymise"])
    header = done.workload.header
    assert not any(header.all(key) for key in ("User", "Account", "JobName", "Project"))
    assert done.workload.column("project").tolist() == [1, -1, 1, 1]
    assert "3 users, 2 accounts, 1 projects, 2 job names;" in done.notes[0]


def test_a_salt_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SALT", "sixteen letters!")
    assert read_salt("env:SALT") == b"sixteen letters!"


@pytest.mark.parametrize(
    ("text", "problem"), [("env:NONE", "holds 0 bytes"), ("no/such/file", "cannot be read")]
)
def test_a_salt_that_is_none_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_salt(text)
