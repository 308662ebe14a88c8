"""Machines as centres run them: pools of resources, limits, a calendar, shares and weights."""

from swfx.machine.machine import (
    Limit,
    Machine,
    Pool,
    PriorityWeights,
    Share,
    Window,
    read_machine,
    trivial_machine,
)

__all__ = [
    "Limit",
    "Machine",
    "Pool",
    "PriorityWeights",
    "Share",
    "Window",
    "read_machine",
    "trivial_machine",
]
