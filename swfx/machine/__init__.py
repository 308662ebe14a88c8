"""Machines as centres run them: pools of resources, limits, a calendar, shares and weights."""

from swfx.machine.machine import (
    GROUP_KINDS,
    PROCESSORS,
    Limit,
    Machine,
    Pool,
    PriorityWeights,
    Share,
    Window,
    account_parents,
    read_machine,
    trivial_machine,
    write_machine,
)
from swfx.machine.source import machine_files, machine_from

__all__ = [
    "GROUP_KINDS",
    "PROCESSORS",
    "Limit",
    "Machine",
    "Pool",
    "PriorityWeights",
    "Share",
    "Window",
    "account_parents",
    "machine_files",
    "machine_from",
    "read_machine",
    "trivial_machine",
    "write_machine",
]
