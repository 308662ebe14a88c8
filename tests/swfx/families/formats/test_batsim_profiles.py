from __future__ import annotations

import math

import pytest

from swfx.families.formats.batsim_profiles import Profiles


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
