from __future__ import annotations

import hashlib
import pickle

import numpy as np
import pytest

from swfx import InputError
from swfx.families.annotators import ANNOTATORS, annotate_all, annotators_from
from swfx.families.generators import LublinModel
from swfx.reading.sources import open_workload

EVERYTHING = "users=zipf,estimates=tsafrir,priorities=by-request"


def test_a_model_with_everything_is_its_parts_one_after_the_other() -> None:
    loaded = open_workload(f"model:lublin,jobs=500,machine_size=256,seed=7,{EVERYTHING}")

    workload, notes = LublinModel(machine_size=256).generate(500, seed=7)
    for family, name in (("users", "zipf"), ("estimates", "tsafrir"), ("priorities", "by-request")):
        workload, said = ANNOTATORS[family].make(name).annotate(workload, 7)
        notes += said
    assert loaded.workload == workload
    assert loaded.report.notes[: len(notes)] == notes


def test_the_order_of_the_options_does_not_matter() -> None:
    mixed = open_workload(
        "model:lublin,priorities=by-request,estimates=tsafrir,jobs=500,users=zipf,machine_size=256,seed=7"
    )

    assert (
        mixed.workload
        == open_workload(f"model:lublin,jobs=500,machine_size=256,seed=7,{EVERYTHING}").workload
    )


def test_jobs_are_those_of_the_model_alone() -> None:
    annotated = open_workload(f"model:lublin,jobs=500,seed=7,{EVERYTHING}").workload
    bare = open_workload("model:lublin,jobs=500,seed=7").workload

    for name in ("submit", "run", "processors", "status"):
        assert np.array_equal(getattr(annotated, name), getattr(bare, name))


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        ({"users": "zipf"}, ["zipf"]),
        ({"users.groups": "5", "users": "zipf", "users.users": "9"}, ["zipf:users=9,groups=5"]),
        ({"users": "zipf:users=9", "users.groups": "5"}, ["zipf:users=9,groups=5"]),
        ({"priorities": "random", "priorities.shares": "1:1,3:4"}, ["random:shares=1:1,3:4"]),
        ({"priorities": "random", "estimates": "exact"}, ["exact", "random"]),
        ({}, []),
    ],
)
def test_options_of_annotators(options: dict[str, str], labels: list[str]) -> None:
    assert [annotator.label for annotator in annotators_from(options, "model:x")] == labels


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "users.groups=5",
            "model:lublin: field users.groups: is given without users; add users=MODEL: zipf",
        ),
        ("users=zip", "unknown user model 'zip'; did you mean 'zipf'? known: zipf"),
        ("users=zipf,users.group=5", "zipf: field group: is not a known key; did you mean 'groups"),
        ("users=zipf,users.groups=5,users.groups=6", "model:lublin: field users.groups: is given"),
        ("jobs=50,estimates=tsafrir", "tsafrir: field jobs: 50 is out of bounds; give 191 to"),
        ("priorities=by-user", "priority model 'by-user' was removed; write random"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        open_workload(f"model:lublin,{text}")

    assert str(error.value).startswith(message)


def test_purposes_have_streams_of_their_own() -> None:
    both = open_workload("model:lublin,jobs=500,users=zipf,estimates=uniform,seed=3").workload
    one = open_workload("model:lublin,jobs=500,estimates=uniform,seed=3").workload

    assert np.array_equal(both.requested_time, one.requested_time)


def test_nothing_to_add() -> None:
    workload = LublinModel().generate(10, 1).workload

    assert annotate_all(workload, (), 1) == (workload, ())


@pytest.mark.parametrize(
    ("family", "name"), [(f, n) for f in ANNOTATORS for n in ANNOTATORS[f].names()]
)
def test_every_member(family: str, name: str) -> None:
    model = ANNOTATORS[family].make(name)
    jobs = open_workload("model:lublin,jobs=300,users=zipf,estimates=exact").workload

    first, again = (model.annotate(jobs, seed=5) for _ in range(2))

    assert first == again
    assert pickle.loads(pickle.dumps(model)) == model
    assert ANNOTATORS[family].make(model.label) == model
    assert ANNOTATORS[family].summary(name).endswith(".")
    for column in ("job_id", "submit", "wait", "processors", "status"):
        assert np.array_equal(getattr(first.workload, column), getattr(jobs, column))
    assert model.annotate(jobs[::-1], seed=5).workload.job_id[0] == 300


def test_draws_are_the_same_everywhere() -> None:
    """Digests from Python 3.11 and numpy 2: another one means that old seeds mean other jobs."""
    users = "users=zipf,users.users=20,users.groups=4"
    text = f"model:lublin,jobs=300,seed=11,{users},estimates=tsafrir,priorities=random"

    w = open_workload(text).workload

    drawn = np.stack([w.user, w.group, w.requested_time.astype(int), w.queue])
    assert hashlib.sha256(np.ascontiguousarray(drawn, "<i8")).hexdigest()[:16] == "95cb13411ca444c6"
