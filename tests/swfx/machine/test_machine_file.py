"""Machine files: what is written reads back equal, and each mistake is refused in one line."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from swfx import InputError
from swfx.base.document import DocumentError, check_document
from swfx.clock import Clock
from swfx.machine import (
    Limit,
    Machine,
    Pool,
    PriorityWeights,
    Share,
    Window,
    read_machine,
    write_machine,
)

POOL = "[[pools]]\nname = 'batch'\ncapacity = {processors = 8, gpu = 2}\n"
CENTRE = Machine(
    (
        Pool("batch", {"processors": 64, "memory": 256_000}),
        Pool("gpu", {"processors": 8, "gpu:a100": 4}, ("gpu", "gpu-long*")),
    ),
    nodes=4,
    limits=(
        Limit("user", {"processors": 32, "jobs": 8}),
        Limit("account", {"gpu:a100": 2}, "physics", {"qos": "long"}),
    ),
    windows=(
        Window("maintenance", 86_400, 90_000.5, requeue=True),
        Window("course", 0, 60, "gpu", {"gpu:a100": 2}, 0, {"account": 'Größe "1"\x7f\n'}),
    ),
    shares=(Share(3, "physics"), Share(1, "physics", "ann"), Share(2, "optics", parent="physics")),
    priority=PriorityWeights(age=1000, half_life=1e16, partitions={"gpu": 2.5}),
    not_simulated=("SelectType=select/cons_tres", "TopologyPlugin=" + 90 * "x"),
)


def read(text: str, folder: Path, clock: Clock | None = None) -> Machine:
    file = folder / "machine.toml"
    file.write_text(text, "utf-8")
    return read_machine(file, clock)


def refusal(text: str, folder: Path) -> str:
    """Return the refusal of a file, without its path."""
    with pytest.raises(InputError) as refused:
        read(text, folder)
    return str(refused.value).removeprefix(f"{folder}/machine.toml:")


def test_a_machine_that_is_written_reads_back_equal(tmp_path: Path) -> None:
    file = tmp_path / "machine.toml"
    write_machine(CENTRE, file)

    assert read_machine(file) == CENTRE
    assert file.read_text("utf-8").startswith("nodes = 4\nnot_simulated = [\n")


def test_its_dictionary_leaves_out_defaults_and_makes_it_again() -> None:
    document = CENTRE.to_dict()

    assert check_document(Machine, document) == CENTRE
    assert Machine((Pool("batch", {"processors": 4}),)).to_dict() == {
        "pools": [{"name": "batch", "capacity": {"processors": 4}}]
    }


def test_numbers_of_numpy_are_written_as_numbers(tmp_path: Path) -> None:
    machine = Machine((Pool("batch", {"processors": np.int64(4)}),))  # type: ignore[dict-item]
    write_machine(machine, str(tmp_path / "machine.toml"))

    assert read_machine(tmp_path / "machine.toml") == machine


def test_it_knows_its_processors_and_resources() -> None:
    limit = Limit("all", {"jobs": 3, "matlab": 5})
    machine = Machine((*CENTRE.pools,), limits=(limit,))

    assert machine.processors == 72
    assert machine.resources == ("processors", "memory", "gpu:a100", "matlab")


def test_times_of_windows_are_seconds_spans_or_dates(tmp_path: Path) -> None:
    text = f"""{POOL}
[[windows]]
name = "maintenance"
begin = 1970-01-03T09:00:00
end = "1970-01-03T10:30"
known = "1d"
"""
    window = read(text, tmp_path, Clock(86_400, UTC)).windows[0]

    assert (window.begin, window.end, window.known) == (118_800, 124_200, 86_400)
    assert refusal(text, tmp_path) == (
        "7: field windows[0].begin: the header does not say when the log"
        " began; give seconds since the start of the log in place of dates"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nodes = 4\n", "1: pools is missing; add pools"),
        ("pools = []\n", "1: field pools: the machine has no pool; add a table [[pools]]"),
        (
            "[[pools]]\nname = 'a'\ncapacity = {gpu = 2}\n",
            "3: field pools[0].capacity: pool a has no processors; add processors = N",
        ),
        (
            "[[pools]]\nname = 'a'\ncapacity = {processors = -2}\n",
            "3: field pools[0].capacity.processors: -2 is out of range; give 0 or more",
        ),
        (
            "[[pools]]\nname = 'a'\ncapacity = {processors = 2, jobs = 1}\n",
            "3: field pools[0].capacity.jobs: jobs is no resource; limits say how many jobs",
        ),
        (
            POOL + POOL,
            "5: field pools[1].name: two pools are called 'batch'; rename one",
        ),
        (
            POOL + "[[pools]]\nname = 'b'\ncapacity = {processors = 2}\npartitions = ['batch']\n",
            (
                "7: field pools[1].partitions: partition batch is in the pools batch and b; "
                "put both into one pool, and limit what a partition has of it"
            ),
        ),
        (
            POOL + "[[limits]]\nof = 'usr'\nmost = {jobs = 2}\n",
            (
                "5: field limits[0].of: 'usr' is no kind of group; did you mean 'user'? known:"
                " account, cluster, group, partition, project, qos, queue, user, ... and 6 more"
            ),
        ),
        (
            POOL + "[[limits]]\nof = 'all'\nname = 'x'\nmost = {jobs = 2}\n",
            "6: field limits[0].name: all jobs have no name; leave the name out",
        ),
        (
            POOL + "[[limits]]\nof = 'user'\nmost = {}\n",
            "6: field limits[0].most: limits nothing; name a resource, jobs or submitted",
        ),
        (
            POOL + "[[limits]]\nof = 'user'\nmost = {processor = 4}\n",
            (
                "6: field limits[0].most.processor: is not known; did you mean 'processors'? "
                "known: gpu, jobs, processors, submitted"
            ),
        ),
        (
            POOL + "[[windows]]\nname = 'm'\nbegin = 5\nend = 5\n",
            "7: field windows[0].end: window m ends before it begins; give a time after 5",
        ),
        (
            POOL + "[[windows]]\nname = 'm'\nbegin = 5\nend = 9\nknown = 6\n",
            "8: field windows[0].known: window m is known after it has begun; give 5 or earlier",
        ),
        (
            POOL + "[[windows]]\nname = 'm'\nbegin = 5\nend = 9\npool = 'bach'\n",
            "8: field windows[0].pool: there is no pool 'bach'; did you mean 'batch'? known: batch",
        ),
        (
            POOL + "[[windows]]\nname = 'm'\nbegin = 5\nend = 9\ntaken = {gpu = 3}\n",
            "8: field windows[0].taken.gpu: 3 of the 2 gpu of pool batch; give 2 at most",
        ),
        (
            POOL + "[[windows]]\nname = 'm'\nbegin = 5\nend = 9\ntaken = {gpus = 1}\n",
            (
                "8: field windows[0].taken.gpus: pool batch has no gpus; did you mean 'gpu'? "
                "known: gpu, processors"
            ),
        ),
        (
            POOL + "[[windows]]\nname = 'm'\nbegin = 5\nend = 9\nfor_jobs_of = {state = 'x'}\n",
            (
                "8: field windows[0].for_jobs_of.state: is no kind of group; known: account,"
                " cluster, executable, job_name, partition, qos, queue, user, ... and 5 more"
            ),
        ),
        (
            POOL + "[[shares]]\nshares = 2\n",
            "4: field shares[0]: shares of nobody; name an account, a user, or both",
        ),
        (
            POOL + "[[shares]]\nshares = 2\nuser = 'ann'\nparent = 'physics'\n",
            (
                "7: field shares[0].parent: user ann is in an account, not below one; "
                "write account in place of parent"
            ),
        ),
        (
            POOL + 2 * "[[shares]]\nshares = 2\nuser = 'ann'\naccount = 'physics'\n",
            "8: field shares[1]: shares of ann of physics are given twice; keep one of them",
        ),
        (
            POOL
            + "[[shares]]\nshares = 2\naccount = 'a'\nparent = 'b'\n"
            + "[[shares]]\nshares = 2\naccount = 'b'\nparent = 'a'\n",
            (
                "7: field shares[0].parent: accounts in a circle: a below b below a; "
                "leave out a parent"
            ),
        ),
        (
            POOL + "[priority]\nhalf_life = 0\n",
            "5: field priority.half_life: 0 is out of range; give a number above 0",
        ),
    ],
)
def test_a_mistake_is_refused_in_one_line(text: str, problem: str, tmp_path: Path) -> None:
    assert refusal(text, tmp_path) == problem


@pytest.mark.parametrize("amount", [-1, 2.5, "4"])
def test_amounts_are_whole_numbers_in_python_too(amount: Any) -> None:
    for made in (
        lambda: Pool("all", {"processors": 8, "gpu": amount}),
        lambda: Limit("all", {"gpu": amount}),
        lambda: Window("course", 0, 60, taken={"gpu": amount}),
    ):
        with pytest.raises(DocumentError, match=f"gpu: {amount!r} is no amount of gpu; give a"):
            made()


def test_usage_has_a_half_life() -> None:
    with pytest.raises(DocumentError, match="half_life: 0 is no time; give a number above 0"):
        PriorityWeights(half_life=0)


def test_windows_of_several_pools_name_the_one_they_take_amounts_of() -> None:
    window = Window("course", 0, 60, taken={"processors": 2})

    with pytest.raises(DocumentError, match="takes amounts of no pool; name the pool"):
        Machine(CENTRE.pools, windows=(window,))


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_machine(CENTRE, tmp_path)
