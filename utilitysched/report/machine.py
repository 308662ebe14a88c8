"""Machines as documents of results: pools, limits, calendar, priority, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from swfx.base.numbers import plural, span, whole
from swfx.machine import PROCESSORS, Limit, Machine, Pool, machine_files
from utilitysched.analysis.documents import Description, Panel, ResultTable, column, panel
from utilitysched.model.machine import FACTORS

MOST_ROWS = 20
"""Limits, windows or accounts that are listed; the machine file has all."""

_ONE = {PROCESSORS: "processor", "jobs": "job"}


def machine_description(machine: Machine, source: str) -> Description:
    """Return a machine as a document.

    Parameters
    ----------
    machine : Machine
        The machine.
    source : str
        Its machine file or slurm.conf.
    """
    panels: list[Panel | None] = [
        _pools(machine),
        _limits(machine.limits),
        _windows(machine),
        _priority(machine),
        _shares(machine),
        _left_out(machine.not_simulated),
    ]
    size = plural(machine.processors, "processor")
    title = f"{source}: {plural(len(machine.pools), 'pool')} of {size}"
    return Description(title, [each for each in panels if each], _read(machine_files(source)))


def _read(files: Mapping[str, Path | None]) -> list[str]:
    """Return which files a machine was read from, and which listings there are not."""
    names = [path.name for path in files.values() if path]
    absent = [kind for kind, path in files.items() if path is None]
    lead = [f"Read from {_listed(names)}."]
    return [*lead, f"Beside it lies no listing of {_listed(absent)}."] if absent else lead


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _pools(machine: Machine) -> ResultTable:
    """Return capacities, a column for each resource."""
    resources = [name for name in machine.resources if name in _capacities(machine.pools)]
    columns = [column("pool", "text", "pool"), column("partitions", "text", "partitions")]
    columns += [column(_with_unit(name), "count", name) for name in resources]
    rows = [
        [
            pool.name,
            ", ".join(pool.partitions or (pool.name,)),
            *(pool.capacity.get(name) for name in resources),
        ]
        for pool in machine.pools
    ]
    unnamed = any(None in row for row in rows)
    notes = [
        "-: not named, so never short." * unnamed,
        f"Requests are rounded up to nodes of {machine.nodes} processors." * (machine.nodes > 0),
    ]
    table = panel("pools", "Pools", "", columns, rows)
    return replace(table, notes=[note for note in notes if note])


def _capacities(pools: Iterable[Pool]) -> set[str]:
    return {name for pool in pools for name in pool.capacity}


def _with_unit(resource: str) -> str:
    return f"{resource} (MB)" if resource == "memory" else resource


def _limits(limits: Sequence[Limit]) -> Panel | None:
    columns = [
        column("jobs of", "text", "of"),
        column("within", "text", "within"),
        column("at most", "text", "most"),
    ]
    rows = [
        (
            "all" if limit.of == "all" else f"{limit.of} {limit.name or '(each)'}",
            _groups(limit.within),
            _amounts(limit.most),
        )
        for limit in limits[:MOST_ROWS]
    ]
    return panel("limits", "Limits", _more(limits), columns, rows) if rows else None


def _windows(machine: Machine) -> Panel | None:
    columns = [
        column("window", "text", "window"),
        column("pool", "text", "pool"),
        column("begins after", "text", "begin"),
        column("for", "text", "length"),
        column("takes", "text", "taken"),
        column("but for jobs of", "text", "for_jobs_of"),
    ]
    rows = [
        (
            window.name,
            window.pool or "all",
            span(window.begin),
            span(window.end - window.begin),
            _amounts(window.taken) or "all",
            _groups(window.for_jobs_of),
        )
        for window in machine.windows[:MOST_ROWS]
    ]
    more = _more(machine.windows)
    return panel("windows", "Windows", more, columns, rows) if rows else None


def _priority(machine: Machine) -> ResultTable:
    """Return weights and constants of multifactor priority."""
    weights = machine.priority
    columns = [column("factor", "text", "factor"), column("weight", "number", "weight")]
    rows = [(name, getattr(weights, name)) for name in FACTORS if getattr(weights, name)]
    age, decay = span(weights.max_age), span(weights.half_life)
    often = f"every {span(weights.recalc)}" if weights.recalc else "at every pass"
    constants = f"Age counts until {age}, usage halves in {decay}; computed {often}."
    notes = [
        constants if rows else "All weights are 0: jobs come in the order of their submission.",
        "Small jobs have the larger factor of size." * weights.favor_small,
        _priorities("Partitions", weights.partitions),
        _priorities("QOS", weights.qos_factors),
    ]
    table = panel("priority", "Multifactor priority", "", columns, rows)
    return replace(table, notes=[note for note in notes if note])


def _priorities(of: str, priorities: Mapping[str, float]) -> str:
    texts = [f"{name} {value:g}" for name, value in priorities.items()]
    return f"{of}: {', '.join(texts)}." if texts else ""


def _shares(machine: Machine) -> Panel | None:
    """Return the shares of accounts, and how many users of each have some."""
    accounts = [each for each in machine.shares if not each.user]
    users: dict[str, list[int]] = {}
    for each in machine.shares:
        if each.user:
            users.setdefault(each.account, []).append(each.shares)
    columns = [
        column("account", "text", "account"),
        column("below", "text", "parent"),
        column("shares", "count", "shares"),
        column("users", "count", "users"),
        column("their shares", "count", "users_shares"),
    ]
    rows = [
        (
            each.account,
            each.parent,
            each.shares,
            len(users.get(each.account, [])),
            sum(users.get(each.account, [])),
        )
        for each in accounts[:MOST_ROWS]
    ]
    return panel("shares", "Shares", _more(accounts), columns, rows) if rows else None


def _left_out(statements: Sequence[str]) -> Panel | None:
    rows = [(statement,) for statement in statements]
    columns = [column("lines and what they say", "text", "statement")]
    return panel("not_simulated", "Not simulated", "", columns, rows) if rows else None


def _amounts(amounts: Mapping[str, int]) -> str:
    texts = []
    for name, amount in amounts.items():
        unit = " MB" if name == "memory" else ""
        thing = _ONE.get(name, name) if amount == 1 else name
        texts.append(f"{whole(amount)}{unit} {thing}")
    return ", ".join(texts)


def _groups(groups: Mapping[str, str]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in groups.items())


def _more(listed: Sequence[object]) -> str:
    more = len(listed) - MOST_ROWS
    return f"And {whole(more)} more: --machine FILE writes all." if more > 0 else ""
