"""Host lists stand for the names that Slurm makes of them."""

from __future__ import annotations

from random import Random

import pytest

from swfx.base.errors import InputError
from swfx.machine.hostlist import host_names
from tests.scale import many


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        ("gpu1", ["gpu1"]),
        ("n[1-4,07-09],gpu1", ["n1", "n2", "n3", "n4", "n07", "n08", "n09", "gpu1"]),
        ("n[008-011]", ["n008", "n009", "n010", "n011"]),
        ("r[1-2]n[0-1]x", ["r1n0x", "r1n1x", "r2n0x", "r2n1x"]),
        ("n1,n1,n[1-2]", ["n1", "n2"]),
        ("a-1.site", ["a-1.site"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert host_names(text) == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("n[1-4", "is no host list"),
        ("n1-4]", "is no host list"),
        ("n[[1]]", "is no host list"),
        ("n1,,n2", "is no host list"),
        ("n[4-1]", "is no range of numbers: '4-1'"),
        ("n[a-c]", "is no range of numbers: 'a-c'"),
        ("n[]", "is no range of numbers: ''"),
        ("n[1-99999999]", "is no range of numbers"),
        ("n[1-60000]x[1-60000]", "stands for 3600000000 nodes, more than 65536"),
    ],
)
def test_what_is_no_host_list(text: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        host_names(text)

    assert problem in str(error.value)


@pytest.mark.parametrize("seed", range(many(30)))
def test_names_written_as_a_host_list_are_read_back(seed: int) -> None:
    random = Random(seed)
    items, names = [], []
    for _ in range(random.randint(1, 6)):
        prefix, suffix = random.choice(["n", "gpu-a", "rack"]), random.choice(["", ".x", "s0"])
        width, first = random.randint(1, 4), random.randint(0, 120)
        numbers = range(first, first + random.randint(1, 12))
        texts = [str(number).zfill(width) for number in numbers]
        names += [f"{prefix}{text}{suffix}" for text in texts]
        pieces = texts if random.random() < 0.3 else [f"{texts[0]}-{texts[-1]}"]
        items.append(f"{prefix}[{','.join(pieces)}]{suffix}")

    assert host_names(",".join(items)) == list(dict.fromkeys(names))
