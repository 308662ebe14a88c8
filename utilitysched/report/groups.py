"""Tables of waits by group of jobs, and of the use of each resource of a machine."""

from collections.abc import Iterator, Mapping

from swfx import Workload
from swfx.base.numbers import percent, whole
from swfx.label_kinds import LABEL_KINDS
from utilitysched.analysis.documents import Column, ResultTable, column
from utilitysched.analysis.metrics import GroupWaits, resource_use, wait_kinds, waits_by
from utilitysched.analysis.metrics.groups import WEEKS
from utilitysched.model.schedule import Schedule, recorded_machine
from utilitysched.report.terminal import print_tables

MOST = 10
"""Labels that have a row of their own: those with most processor-hours."""

WAITS_NOTE = "Half of the jobs of a group, and nine in ten, waited at most this long."
USE_NOTE = "Share in use, from the first submission to the last end; memory in MB."

Runs = Mapping[str, tuple[Workload, Schedule]]
"""Jobs and when they ran, by label of the run."""


def print_groups(runs: Runs, trim: float = 0.0) -> None:
    """Print the use of each resource, and waits by label."""
    use = use_table(runs)
    labelled = [table for table in wait_tables(runs, trim) if table.key != f"waits-{WEEKS}"]
    for tables in filter(None, ([use] if use else [], labelled)):
        print()
        print_tables(tables)


def wait_tables(runs: Runs, trim: float = 0.0) -> Iterator[ResultTable]:
    """Yield tables of waits by partition, account, QOS, queue and week: those of several groups.

    Parameters
    ----------
    runs : mapping of str to tuple
        Runs of the same jobs; numbers of jobs and shares of work are those of the first.
    trim : float
        Share of the jobs at either end that are left out.
    """
    first, _ = next(iter(runs.values()))
    for kind in wait_kinds(first):
        waits = {label: waits_by(*run, kind, trim=trim, most=MOST) for label, run in runs.items()}
        if max(map(len, waits.values())) > 1:
            yield _wait_table(kind, waits)


def _wait_table(kind: str, waits: Mapping[str, list[GroupWaits]]) -> ResultTable:
    words = kind if kind == WEEKS else LABEL_KINDS[kind].words
    measures = {"mean": "wait_mean", "50%": "wait_p50", "90%": "wait_p90"}
    columns = [
        column(words, "text", "name"),
        column("jobs", "count", "jobs"),
        column("% of proc-hours", "percent", "share_of_work"),
        *(Column(label, write=whole, group=name) for name in measures for label in waits),
    ]
    by_name = [{group.name: group for group in groups} for groups in waits.values()]
    first = {name: group for groups in reversed(by_name) for name, group in groups.items()}
    rows = [
        (
            *group[:3],
            *(
                getattr(groups.get(name), measure, None)
                for measure in measures.values()
                for groups in by_name
            ),
        )
        for name, group in first.items()
    ]
    title = f"Waits by {words} (s)"
    return ResultTable(columns, rows, title, [WAITS_NOTE], key=f"waits-{kind}")


def use_table(runs: Runs) -> ResultTable | None:
    """Return the table of the use of each resource of each pool; None where there is only one.

    Parameters
    ----------
    runs : mapping of str to tuple
        Runs of the same jobs on the same machine.
    """
    uses = []
    for workload, schedule in runs.values():
        machine = recorded_machine(schedule.provenance)
        if machine is None:
            return None
        uses.append(resource_use(workload, schedule, machine))
    if len(uses[0]) == 1:
        return None
    columns = [
        column("pool", "text", "pool"),
        column("resource", "text", "resource"),
        column("amount", "count", "capacity"),
        *(Column(label, write=percent, group="used (%)") for label in runs),
    ]
    rows = [
        (each.pool, each.resource, each.capacity, *(use[place].used for use in uses))
        for place, each in enumerate(uses[0])
    ]
    return ResultTable(columns, rows, "Use of each resource", [USE_NOTE], key="use")
