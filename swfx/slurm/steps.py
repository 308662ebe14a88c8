"""Steps of jobs: what they used counts for their jobs."""

from __future__ import annotations

import numpy as np

from swfx.accounting.job_columns import JobColumns
from swfx.accounting.listing import Listing
from swfx.base.columns import Floats, Ints
from swfx.reading.report import Rule
from swfx.slurm.runs import KEY, Records

__all__ = ["EXTERN", "STEP", "STEP_ALONE", "energy_of_steps", "most_memory"]

EXTERN = "extern"
"""Step that is there as long as its job, on all of its nodes, where a site has it."""

STEP = Rule("step", "folded", "a step of a job: its memory counts for the job")
STEP_ALONE = Rule("step-alone", "dropped", "a step of a job that is not in the log")


def most_memory(steps: JobColumns, records: Records, listing: Listing) -> Floats:
    """Return the most memory (KB) of each record and its steps, (n,); the steps are listed.

    A step belongs to the record of its job above it, or to the first if there is none above.

    Parameters
    ----------
    steps : JobColumns
        Line, key and memory (`amount`, KB) of each step.
    records : Records
        n records.
    listing : Listing
        For the lines of the steps.
    """
    most: Floats = np.maximum(records["memory"], 0.0)
    if len(steps):
        line, record = steps["line"], _records_of(steps, records)
        listing.add_all(line[record < 0], STEP_ALONE)
        listing.add_all(line[record >= 0], STEP)
        known = record >= 0
        np.maximum.at(most, record[known], steps["amount"][known])
    return most


def energy_of_steps(steps: JobColumns, records: Records) -> Floats:
    """Return the energy (J) of each record by its steps, as slurmctld adds it up, (n,); 0 unknown.

    Parameters
    ----------
    steps : JobColumns
        Line, key, energy (`amount`, J) of each step, and whether it is the one called extern.
    records : Records
        n records.
    """
    extern, others = np.zeros((2, len(records)))
    if len(steps):
        record, is_extern = _records_of(steps, records), steps["extern"] == 1
        for total, are_these in ((extern, is_extern), (others, ~is_extern)):
            counts = are_these & (record >= 0)
            np.add.at(total, record[counts], steps["amount"][counts])
    return np.where(extern > 0, extern, others)


def _records_of(steps: JobColumns, records: Records) -> Ints:
    """Return the position of the record of each step, -1 for none."""
    n = len(records)
    both = ((records[name], steps[name]) for name in KEY)
    keys = [np.concatenate(pair) for pair in both]
    lines = np.concatenate([records["line"], steps["line"]])
    order = np.lexsort((lines, *keys[::-1]))
    new_job = np.ones(len(order), np.bool_)
    new_job[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    place = np.arange(len(order))
    is_record = order < n
    begin = np.maximum.accumulate(np.where(new_job, place, 0))
    end = np.append(place[new_job][1:], len(order))[np.cumsum(new_job) - 1]
    above = np.maximum.accumulate(np.where(is_record, place, -1))
    below = np.minimum.accumulate(np.where(is_record, place, len(order))[::-1])[::-1]
    nearest = np.where(above >= begin, above, np.where(below < end, below, -1))
    of = np.empty(len(order), np.int64)
    of[order] = np.where(nearest < 0, -1, order[nearest])
    return np.asarray(of[n:], np.int64)
