"""Events of the Slurm simulator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from swfx.accounting.fields import Declaration, Label, LogField, amount
from swfx.accounting.imported import built, records_of, written
from swfx.accounting.listing import Listing
from swfx.accounting.quantities import duration, memory, number, per_processor, whole
from swfx.accounting.record_error import TOO_FEW_FIELDS, RecordError
from swfx.accounting.text import LogText
from swfx.base.configured import whole as whole_option
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.reading.report import Rule

__all__ = ["SlurmEvents"]

OTHER_EVENT = Rule("other-event", "dropped", "the event is no submission of a job")
WHOLE_NODES = Rule(
    "whole-nodes", "noted", "the job asks for whole nodes, of unknown size: its tasks are counted"
)

SHARED_BY = frozenset({"", "user", "mcs"})
"""Values of `--exclusive` with which other jobs of the user, or of a label, share the nodes."""

_LONG = {
    "-A": "--account", "-J": "--job-name", "-N": "--nodes", "-c": "--cpus-per-task",
    "-n": "--ntasks", "-p": "--partition", "-q": "--qos", "-t": "--time",
}  # fmt: skip
_EVENT = re.compile(r"\s*-dt\s+(\S+)\s+-e\s+(\w+)\s*(?:\|(.*))?")
_OPTION = re.compile(r"(?<!\S)(-[-a-zA-Z]+)(?:=(\S*)|\s+(?!-[-a-zA-Z])(\S+))?")
_GPUS = re.compile(r"(?:^|,)gpu(?::[^,:]*[^,:0-9][^,:]*)?(?::([0-9]{1,9}))?(?=,|$)", re.ASCII)
_NUMBER = re.compile(r"\d+$", re.ASCII)
_TASKS = ("--nodes", "--ntasks", "--ntasks-per-node", "--cpus-per-task")


@IMPORTERS.register("slurm-events")
@dataclass(frozen=True)
class SlurmEvents(LineImporter):
    """Events file of the Slurm simulator (University at Buffalo): one submission a line.

    Such a file says how long jobs would run, not when they ran: there are no waits.

    Parameters
    ----------
    cores_per_node : int
        CPUs of a node, for jobs that ask for whole nodes; 0: unknown.

    References
    ----------
    N. A. Simakov et al., "A Slurm Simulator", PMBS 2017; its micro cluster tutorial describes the
    events.
    """

    cores_per_node: int = whole_option(0, (0, 1_000_000))

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether one of the first two lines is an event."""
        return any(map(_EVENT.match, lines[:2]))

    def read_text(self, text: LogText) -> Imported:
        """Jobs of an events file."""
        listing = Listing(text.name)
        lines = ((n, line) for n, line in written(text) if not line.lstrip().startswith("#"))
        return built(self._declaration(), records_of(lines, listing, _values), text, listing)

    def _declaration(self) -> Declaration:
        cores = self.cores_per_node
        processors = LogField(("--exclusive", *_TASKS), partial(_processors, cores), needed=True)
        return Declaration(
            origin="events of the Slurm simulator",
            times=(("when", "-sim-walltime", "--time"), _times),
            fields={
                "processors": processors,
                "requested_processors": processors,
                "requested_time": amount("--time", read=_limit),
                "requested_memory": LogField(
                    ("--mem-per-cpu", "--mem", "--nodes"), _memory, ("processors",)
                ),
                "tres/gres/gpu": LogField(("--gres", "--nodes"), _gpus),
            },
            labels={
                "user": Label(("--uid",)),
                "account": Label(("--account",)),
                "qos": Label(("--qos",)),
                "partition": Label(("--partition",)),
            },
            means={"group": "account", "queue": "qos"},
            job=Label(("--job-name",), _job_name),
            noted={
                WHOLE_NODES: LogField(
                    ("--exclusive",), lambda shared: not cores and shared not in SHARED_BY
                )
            },
        )


def _values(event: str) -> dict[str, str]:
    """Return the time of a submission, and the options of ``sbatch`` by their long names."""
    match = _EVENT.fullmatch(event)
    if match is None or (options := match[3]) is None:
        raise RecordError(TOO_FEW_FIELDS, event)
    if match[2] != "submit_batch_job":
        raise RecordError(OTHER_EVENT, match[2])
    values = {"when": match[1]}
    for option, joined, following in _OPTION.findall(options):
        name = _LONG.get(option, option)
        values[name] = joined or ("alone" if name == "--exclusive" else following)
    return values


def _times(when: str, run: str, limit: str) -> tuple[float, None, float | None]:
    """Return submission and run time (s); a job of negative run time runs to its limit."""
    ran = number(run, "-sim-walltime")
    return number(when, "-dt"), None, _limit(limit, "--time") if ran < 0 else ran


def _limit(text: str, field: str) -> float | None:
    return duration(text, field, alone=60.0)


def _job_name(name: str) -> str:
    match = _NUMBER.search(name)
    return match[0] if match else name


def _processors(cores: int, shared: str, *texts: str) -> int:
    """Return the CPUs of a job; of a range of nodes such as 2-4 the least number counts."""
    counts = zip(texts, _TASKS, strict=True)
    nodes, tasks, per_node, each = (
        whole(text.partition("-")[0], name) if text else None for text, name in counts
    )
    nodes = nodes if nodes is not None else 1
    if tasks is None:
        tasks = nodes * (1 if per_node is None else per_node)
    processors = tasks * (1 if each is None else each)
    return processors if shared in SHARED_BY else max(processors, nodes * cores)


def _memory(per_cpu: str, per_node: str, nodes: str, processors: float) -> float | None:
    """Return the memory of each processor (KB)."""
    if size := memory(per_cpu, "--mem-per-cpu", unit="M"):
        return size.kilobytes or None
    size = memory(per_node, "--mem", unit="M")
    count = whole(nodes.partition("-")[0] or "1", "--nodes")
    return per_processor(size.kilobytes * count, processors) or None if size else None


def _gpus(gres: str, nodes: str) -> float | None:
    """Return the GPUs of a job on all its nodes; ``gpu`` and ``gpu:v100`` are one a node."""
    match = _GPUS.search(gres)
    count = whole(nodes.partition("-")[0] or "1", "--nodes")
    return None if match is None or count is None else float(match[1] or 1) * count
