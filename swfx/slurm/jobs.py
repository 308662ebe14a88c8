"""Jobs of a workload from the records of an export."""

from __future__ import annotations

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.jobs import SECOND_EARLY
from swfx.accounting.listing import Listing
from swfx.accounting.names import numbered
from swfx.base.columns import Floats, Ints
from swfx.base.numbers import plural, span
from swfx.fields import MISSING
from swfx.reading.report import Rule
from swfx.slurm.dependencies import Predecessors
from swfx.slurm.job_ids import job_names
from swfx.slurm.reader import RecordReader
from swfx.slurm.runs import KEY, OWN, JobRuns, Records, Requeue, complete, job_runs
from swfx.slurm.steps import energy_of_steps, most_memory

__all__ = ["jobs_of"]

EARLIER_RUNS_MISSING = Rule(
    "earlier-runs-missing", "noted", "the job was requeued, and its earlier runs are not in the log"
)
SIZE_CHANGED = Rule(
    "size-changed",
    "noted",
    "the runs of the job had different sizes: the sum is of processor-seconds, on its last size",
)
NO_PREDECESSOR = Rule(
    "no-predecessor", "repaired", "the job that this one waited for is not in the log: left out"
)


def jobs_of(
    reader: RecordReader, requeue: Requeue, listing: Listing
) -> tuple[JobColumns, tuple[str, ...]]:
    """Make the jobs of a workload, and the header lines of their names.

    Parameters
    ----------
    reader : RecordReader
        Which has taken in all records; they are used up.
    requeue : {"last", "each", "sum"}
        What the line of a requeued job holds.
    listing : Listing
        For lines that stand for no job.
    """
    records = reader.records
    if reader.columns_differ and len(records):
        complete(records)
    runs = job_runs(records, requeue)
    last = runs.last
    memory = most_memory(reader.steps, records, listing)
    _add_energy(reader)
    jobs = _timed(records, runs, requeue)
    if len(last):
        most = np.maximum.reduceat(memory[runs.run], runs.begin)
        jobs.put("memory", np.where(most > 0, most, MISSING))
    listing.add_those_on(jobs["line"], reader.doubts)
    missing = (records["restarts"][last] >= runs.length) & (runs.before < 0)
    records.list_as(last[missing], EARLIER_RUNS_MISSING)
    reader.fields.names.count_anew(jobs)
    names = job_names(records, runs, jobs["job_id"])
    lines = numbered(jobs, listing, names)
    jobs.put("part_of", _first_parts(records, jobs, runs))
    _link(records, jobs, runs)
    if without := int(np.count_nonzero(jobs["default_limit"] > 0)):
        listing.note(
            f"{plural(without, 'job')} without a time limit: taken as {span(reader.limit)}"
            " (limit=TIME)"
        )
    return jobs, lines


def _add_energy(reader: RecordReader) -> None:
    """Let the energy of steps count for jobs that tell of none."""
    jobs, of_steps = reader.records.jobs, energy_of_steps(reader.energies, reader.records)
    own = jobs["tres/energy"]
    if of_steps.any():
        jobs.put("tres/energy", np.where((own <= 0) & (of_steps > 0), of_steps, own))


def _timed(records: Records, runs: JobRuns, requeue: Requeue) -> JobColumns:
    """Jobs with submission (Unix time), wait and run time (s)."""
    last = runs.last
    start, run = records["start"][last], records["ran"][last]
    submit = records["submit"][runs.first]
    suspended, eligible = records["suspended"], records["eligible"][runs.first]
    counted = runs.counted()
    if requeue == "sum" and len(last):
        ended = start + run
        run = _together(records, counted)
        start = ended - run
    jobs = records.jobs.take(last, keep=("line", "submit", *OWN))
    wait = np.where(start - submit == MISSING, SECOND_EARLY, start - submit)
    times = {"submit": submit, "wait": wait, "run": run, "eligible": eligible}
    for name, values in times.items():
        jobs.put(name, values)
    if requeue == "sum" and len(last):
        together = np.add.reduceat(np.maximum(suspended[counted.run], 0.0), counted.begin)
        jobs.put("suspended", np.where(together > 0, together, MISSING))
    return jobs


def _together(records: Records, runs: JobRuns) -> Floats:
    """Time (s) that the runs of each job took on the processors of its last one."""
    run, begin = runs.run, runs.begin
    processors, ran = records["processors"][run], records["ran"][run]
    low, high = np.minimum.reduceat(processors, begin), np.maximum.reduceat(processors, begin)
    changed = (low < high) & (low > 0)
    records.list_as(runs.last[changed], SIZE_CHANGED)
    work = np.add.reduceat(ran * processors, begin)
    size = records["processors"][runs.last]
    together: Floats = np.where(
        changed, work / np.where(changed, size, 1), np.add.reduceat(ran, begin)
    )
    return together


def _link(records: Records, jobs: JobColumns, runs: JobRuns) -> None:
    """Add the predecessor of each job, and the think time after the predecessor's end (s)."""
    preceding, think = _links_of_runs(records, jobs, runs)
    last = runs.last
    if records.awaited:
        keys = [records[name][last] for name in KEY]
        predecessors = Predecessors(keys, records["submit"][last], records.ended[last])
        waiting = np.isin(last, list(records.awaited)) & (runs.before < 0)
        for position in np.flatnonzero(waiting).tolist():
            awaited = records.awaited[int(last[position])]
            predecessor = predecessors.waited_for(position, awaited)
            if predecessor is None:
                records.list_as(last[position : position + 1], NO_PREDECESSOR)
            else:
                preceding[position], think[position] = jobs["job_id"][predecessor], 0.0
    jobs.put("preceding_job", preceding)
    jobs.put("think_time", think)


def _first_parts(records: Records, jobs: JobColumns, runs: JobRuns) -> Ints:
    """Return the number of the first part of each job that is a part of a heterogeneous one, or -1.

    Parts are submitted together; where they were requeued, first runs belong together, and so on.
    """
    cluster, base, task, part = (records[name][runs.last] for name in KEY)
    first_part = np.full(len(jobs), MISSING)
    parts = np.flatnonzero(part >= 0)
    if not len(parts):
        return first_part
    submit = records["submit"][runs.origin]
    together: dict[tuple[float, ...], int] = {}
    for place in parts[np.argsort(part[parts], kind="stable")].tolist():
        key = (cluster[place], base[place], task[place], submit[place], runs.earlier[place])
        first_part[place] = together.setdefault(key, int(jobs["job_id"][place]))
    return first_part


def _links_of_runs(records: Records, jobs: JobColumns, runs: JobRuns) -> tuple[Ints, Floats]:
    """Return the number of the job of the run before, and the time since its end (s)."""
    preceding, think = np.full(len(jobs), MISSING), np.full(len(jobs), float(MISSING))
    number = np.full(len(records), MISSING)
    number[runs.last] = jobs["job_id"]
    linked = np.flatnonzero(runs.before >= 0)
    before = runs.before[linked]
    preceding[linked] = number[before]
    submit = records["submit"][runs.last[linked]]
    think[linked] = np.maximum(submit - records.ended[before], 0.0)
    return preceding, think
