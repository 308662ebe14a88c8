"""The section ``[audit]`` of an experiment file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

from pricing.horizon import horizon_seconds
from swfx import InputError
from swfx.base.toml_values import Node
from utilitysched.experiments.audited import Audited
from utilitysched.experiments.price_section import mechanism_label
from utilitysched.experiments.sections import once
from utilitysched.market.audit import MECHANISMS, Design
from utilitysched.market.audit.lie import LIES
from utilitysched.market.audit.queues import read_thresholds
from utilitysched.market.audit.world import check


def read_audit(node: Node, schedulers: Iterable[str]) -> Audited:
    """Read which audit is wanted.

    Parameters
    ----------
    node : Node
        The section.
    schedulers : iterable of str
        Labels of those who are lied to.

    Raises
    ------
    InputError
        Whatever is wrong in it.
    """
    parts = node.table([field.name for field in fields(Audited)])
    given = {name: _READ[name](part) for name, part in parts.items()}
    mechanisms = given.pop("mechanisms", MECHANISMS)
    design = Design(**given)
    for scheduler in schedulers:
        try:
            check(scheduler, mechanisms)
        except InputError as error:
            node.refuse(f"{scheduler}: {error}")
    told = tuple(lie.label for lie in design.told)
    return Audited(mechanisms, design.jobs, design.draws, told, design.horizon, design.queues)


_READ: dict[str, Callable[[Node], Any]] = {
    "mechanisms": lambda node: once(node, mechanism_label),
    "jobs": lambda node: node.whole(1),
    "draws": lambda node: node.whole(1),
    "lies": lambda node: once(node, lambda each: each.made(LIES.make)[1].label),
    "horizon": lambda node: node.made(horizon_seconds)[0],
    "queues": lambda node: node.made(read_thresholds)[0],
}
"""By key."""
