"""First draft of a machine file, from what a log knows of the machine."""

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from swfx import Workload
from swfx.base.toml_writing import toml_text
from swfx.clock import calendar_of
from swfx.labels import UNKNOWN
from swfx.machine import PROCESSORS, Machine, Pool
from utilitysched.analysis.metrics.machine import WEEK
from utilitysched.engine.recorded import occupation
from utilitysched.model.machine_table import amounts_needed, resources_known
from utilitysched.model.state import Integers

_OPTIONAL = frozenset({"memory"})
"""Resources that the draft only mentions: most logs say what few jobs asked for."""


def machine_draft(workload: Workload, source: str) -> str:
    """Return a machine file for people to complete, as TOML.

    Its pools are the partitions of the log, as large as they were at their fullest. Examples of
    limits, windows, shares and weights are comments.

    Parameters
    ----------
    workload : Workload
        Cleaned jobs.
    source : str
        Name of the log.
    """
    pools = _pools(workload)
    peaks = {name: _peaks(workload, jobs) for name, jobs in pools.items()}
    if len(pools) == 1 and workload.machine_size is not None:
        (alone,) = peaks.values()
        alone[PROCESSORS] = workload.machine_size
    drafted = tuple(
        Pool(name, _named(peak), _partitions(workload, name, jobs, alone=len(pools) == 1))
        for (name, jobs), peak in zip(pools.items(), peaks.values(), strict=True)
    )
    lines = [
        *_introduction(workload, source, Machine(drafted)),
        *toml_text(Machine(drafted).to_dict()).splitlines(),
        *_optional(peaks),
        *_examples(workload, max(pool.capacity[PROCESSORS] for pool in drafted)),
    ]
    return "".join(f"{line}\n" for line in lines)


def _pools(workload: Workload) -> dict[str, Integers]:
    """Return the jobs of each pool: of a partition, and of choices of several it comes first in."""
    names = workload.labels.of("partition").of_jobs()
    firsts = [name.partition(",")[0] for name in names]
    known = Counter(first for first in firsts if first != UNKNOWN)
    if len(known) < 2:
        return {next(iter(known), "all"): np.arange(len(workload))}
    (largest, _), *_ = known.most_common(1)
    pools: dict[str, list[int]] = {name: [] for name in sorted(known)}
    for job, first in enumerate(firsts):
        pools[largest if first == UNKNOWN else first].append(job)
    return {name: np.array(jobs, dtype=np.int64) for name, jobs in pools.items()}


def _partitions(workload: Workload, pool: str, jobs: Integers, *, alone: bool) -> tuple[str, ...]:
    """Return the partitions of a pool, none where these need not be written."""
    names = workload.labels.of("partition").of_jobs()
    present = tuple(sorted({names[job] for job in jobs.tolist()}))
    return () if alone or present == (pool,) else present


def _peaks(workload: Workload, jobs: Integers) -> dict[str, int]:
    """Return the most of each resource that jobs had at a time, or that one job needs."""
    wait = workload.wait[jobs]
    ran = wait >= 0
    start = (workload.submit[jobs] + wait)[ran]
    end = start + workload.effective_run[jobs][ran]
    peaks = {}
    for name in resources_known(workload):
        amounts = amounts_needed(workload, name)[jobs]
        full = occupation(start, end, amounts[ran], 0)
        if amounts.any() and ":" not in name:
            peaks[name] = max(full.most, int(amounts.max()))
    return peaks


def _named(peaks: dict[str, int]) -> dict[str, int]:
    return {name: amount for name, amount in peaks.items() if name not in _OPTIONAL}


def _introduction(workload: Workload, source: str, machine: Machine) -> Iterator[str]:
    yield f"# First draft of the machine of {source}."
    yield "# docs/machine.md explains the keys."
    if (workload.wait >= 0).any():
        yield "# Capacities are what was in use at the fullest: there is at least that."
    else:
        yield "# The log has no waits. Capacities are what the largest job needs."
    size = workload.machine_size
    if size not in (None, machine.processors):
        yield f"# The header of the log says {size:,} processors; here are {machine.processors:,}."
    if len(machine.pools) > 1:
        yield "# Put partitions that share nodes into one pool, and limit each of them."
    yield ""


def _optional(peaks: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for name in sorted(_OPTIONAL):
        amounts = [f"{pool} {each[name]}" for pool, each in peaks.items() if name in each]
        if amounts:
            yield ""
            yield f"# {name.capitalize()} (MB) is scheduled where capacities name it, as well."
            yield f"# At the fullest: {', '.join(amounts)}."
    yield ""


def _examples(workload: Workload, largest: int) -> Iterator[str]:
    """Yield examples in comments, with names of the log; `largest` is the size of a pool."""
    user, account, qos = (_largest(workload, kind) for kind in ("user", "account", "qos"))
    clock = calendar_of(workload.header)
    begin, end = (WEEK, WEEK + 28_800)
    times = [f"{begin:.0f}", f"{end:.0f}"]
    if clock is not None:
        times = [clock.date(time).replace(tzinfo=None).isoformat() for time in (begin, end)]
    yield "# Examples: take away the # in front."
    yield "#"
    yield "# [[limits]]  # each user: at most so much at a time"
    yield '# of = "user"'
    yield f"# most = {{processors = {largest}, jobs = 20}}"
    yield "#"
    yield "# [[limits]]"
    yield f'# of = "{"qos" if qos else "user"}"'
    yield f"# name = {_text(qos or user or 'ann')}"
    yield f"# most = {{processors = {largest}}}"
    yield "#"
    yield "# [[windows]]  # no pool: all of them"
    yield '# name = "maintenance"'
    yield f"# begin = {times[0]}"
    yield f"# end = {times[1]}"
    yield "#"
    yield "# [[shares]]  # those that are not named have 1"
    yield f"# account = {_text(account or 'physics')}"
    yield "# shares = 3"
    yield "#"
    yield "# [priority]  # of -s multifactor and -s fairshare"
    yield "# age = 1000"
    yield "# fairshare = 2000"
    yield '# half_life = "7d"'


def _largest(workload: Workload, kind: str) -> str | None:
    """Return the name of the label of a kind that most jobs have; None where they have none."""
    names = Counter(workload.labels.of(kind).of_jobs())
    del names[UNKNOWN]
    return names.most_common(1)[0][0] if names else None


def _text(name: str) -> str:
    return toml_text({"name": name}).removeprefix("name = ").rstrip("\n")
