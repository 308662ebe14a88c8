"""Workflows of WfCommons: tasks that wait for others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from graphlib import CycleError, TopologicalSorter
from typing import Any
from zoneinfo import ZoneInfo

from swfx.accounting.dates import instant
from swfx.accounting.fields import Declaration, Label, LogField, amount
from swfx.accounting.imported import Record, built
from swfx.accounting.jobs import times_of
from swfx.accounting.listing import Listing
from swfx.accounting.outputs import documents
from swfx.accounting.quantities import number
from swfx.accounting.record_error import NEVER_STARTED, RecordError
from swfx.accounting.text import LogText
from swfx.base.errors import InputError
from swfx.families.formats.registry import IMPORTERS, Imported, LineImporter
from swfx.fields import MISSING

__all__ = ["WfCommons"]

_REMEDY = "give an instance of a workflow in WfFormat"

Task = Mapping[str, Any]


@IMPORTERS.register("wfcommons")
@dataclass(frozen=True)
class WfCommons(LineImporter):
    """Workflow of WfCommons (WfFormat 1.3 to 1.6): tasks are jobs, and follow their last parent.

    A task counts as submitted when its last parent has ended, one without parents when the workflow
    began. A task whose start is not told starts then; one without number of cores has one.

    References
    ----------
    WfFormat 1.6, github.com/wfcommons/WfFormat; Coleman et al., WfCommons, FGCS 128 (2022).
    """

    @classmethod
    def recognises(cls, lines: Sequence[str]) -> bool:
        """Whether the first lines have the keys of a workflow."""
        text = "".join(lines)
        return '"workflow"' in text and '"schemaVersion"' in text

    def read_text(self, text: LogText) -> Imported:
        """Jobs of a workflow."""
        listing = Listing(text.name)
        document = next(documents("\n".join(text), text.name, _REMEDY))
        try:
            workflow = document["workflow"]
            tasks = _tasks(workflow)
            starts = map(_start, (workflow.get("execution", workflow), *tasks))
            begin = min((start for start in starts if start is not None), default=None)
            records = [*_jobs(tasks, begin or 0.0)]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            message = "is no workflow" if not isinstance(error, CycleError) else "has a cycle"
            raise InputError(f"{message}: {error}", source=text.name, remedy=_REMEDY) from None
        listing.note("line numbers are positions of tasks")
        several = sum(len(task["parents"]) > 1 for task in tasks)
        if several:
            listing.note(f"tasks of several parents, which follow the last that ended: {several}")
        text.lines = listing.records = len(records)
        zone = None if begin is None else ZoneInfo("UTC")
        return built(_DECLARATION, records, text, listing, zone)


def _tasks(workflow: Mapping[str, Any]) -> list[Task]:
    """Return the tasks of a workflow, which stand in two lists since WfFormat 1.5."""
    if "specification" not in workflow:
        return [*(workflow["tasks"] if "tasks" in workflow else workflow["jobs"])]
    ran = {task["id"]: task for task in workflow.get("execution", {}).get("tasks", ())}
    return [{**task, **ran.get(task["id"], {})} for task in workflow["specification"]["tasks"]]


def _jobs(tasks: Sequence[Task], begin: float) -> Iterator[Record]:
    """Yield the values of each task, with the number of the parent that ended last."""
    place = {task[key]: i for key in ("name", "id") for i, task in enumerate(tasks) if key in task}
    parents = {i: [place[name] for name in task["parents"]] for i, task in enumerate(tasks)}
    times: dict[int, tuple[float, float, float]] = {}
    last: dict[int, int] = {}
    for i in TopologicalSorter(parents).static_order():
        last[i] = max(parents[i], key=lambda parent: times[parent][2], default=-1)
        submit = times[last[i]][2] if parents[i] else begin
        start = _start(tasks[i])
        start = submit if start is None else start
        times[i] = submit, start, start + max(_run(tasks[i]), 0.0)
    for i, task in enumerate(tasks):
        values = dict(zip(("submit", "start", "end"), times[i], strict=True))
        known = {key: str(task[key]) for key in _READ if key in task}
        links = {"number": i + 1, "preceding": last[i] + 1 or None}
        never = RecordError(NEVER_STARTED, "")
        yield i + 1, {**known, **values, **links} if _run(task) >= 0 else never


def _start(task: Task) -> float | None:
    """Return the start (Unix time, s) of a task or of a workflow; None where it is not told."""
    return instant(task.get("executedAt", ""), UTC)


def _run(task: Task) -> float:
    """Time (s) that a task took, -1 where it is not told."""
    return number(str(task.get("runtimeInSeconds", task.get("runtime", MISSING))))


def _cores(*texts: str) -> float:
    return math.ceil(number(next(filter(None, texts), "1"), "coreCount"))


def _kilobytes(text: str, name: str) -> float:
    return number(text, name) / 1024


_CORES = LogField(("coreCount", "cores"), _cores)
_DECLARATION = Declaration(
    origin="a workflow of WfCommons",
    times=(("submit", "start", "end"), times_of),
    fields={
        "job_id": LogField(("number",), float),
        "processors": _CORES,
        "requested_processors": _CORES,
        "memory": amount("memoryInBytes", of="size", read=_kilobytes),
        "preceding_job": LogField(("preceding",), lambda number: number),
        "think_time": LogField(("preceding",), lambda number: number and 0.0),
    },
    labels={"job_name": Label(("name",))},
    means={"executable": "job_name"},
)
_READ = frozenset(_DECLARATION.columns)
