"""Machines as centres run them: pools of resources, limits, a calendar, shares and weights."""

from swfx.machine.machine import (
    Limit,
    Machine,
    Pool,
    PriorityWeights,
    Share,
    Window,
    read_machine,
)
from swfx.machine.slurm_conf import read_slurm_conf
from swfx.machine.source import machine_from

__all__ = [
    "Limit",
    "Machine",
    "Pool",
    "PriorityWeights",
    "Share",
    "Window",
    "machine_from",
    "read_machine",
    "read_slurm_conf",
]
