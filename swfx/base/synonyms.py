"""Other words of the field for names of ours."""

from __future__ import annotations

__all__ = ["SYNONYMS", "meant"]

_FORMATS = {
    "pbs": "moab torque openpbs pbspro pbs-pro pbs-professional cobalt qstat tracejob",
    "slurm": "sacct slurmdbd squeue scontrol jobcomp slurm-json",
    "sge": "gridengine grid-engine sun-grid-engine uge oge ogs soge univa qacct",
    "htcondor": "condor condor-history history",
    "lsf": "spectrum-lsf openlava bacct bjobs bhist lsb.acct",
    "accounting-csv": "csv tsv json excel xlsx accounting",
    "f-data": "fugaku",
    "jobs-csv": "evalys batsim-csv",
    "slurm-events": "slurm-simulator events",
}

_SCHEDULERS = {
    "spf": "sjf sjn spt shortest shortest-first shortest-job-first",
    "lpf": "ljf lpt longest longest-first longest-job-first",
    "lqf": "largest largest-first widest",
    "sqf": "smallest smallest-first narrowest",
    "easy": "backfill backfilling aggressive easy-backfill easy-backfilling sched/backfill",
    "conservative": "cbf conservative-backfill conservative-backfilling",
    "fcfs": "fifo builtin sched/builtin first-come-first-served",
    "lcfs": "lifo",
    "wfp3": "wfp",
    "fairshare": "fair-share fair-tree",
    "multifactor": "priority/multifactor",
    "multifactor priority-fifo": "priority",
    "priority-preempt": "preempt preemption preemptive",
    "coscheduled": "coscheduling co-scheduling oversubscribe sharing",
    "ga": "genetic evolution evolutionary",
    "climb": "hill-climbing",
    "offline": "oracle optimal optimum clairvoyant hindsight",
    "recorded": "log real actual historical",
    "apparent-tardiness-cost": "atc",
}

_MECHANISMS = {
    "second-price": "vickrey second gsp generalised-second-price generalized-second-price",
    "first-price second-price vcg": "auction auctions bidding",
    "first-price": "pay-as-bid sealed-bid",
    "vcg": "clarke groves pivot pivotal vickrey-clarke-groves",
    "single-price": "flat fixed posted posted-price uniform",
    "multi-queue": "queue queues qos tariff",
}

_OPTIONS = {
    "requested_time": "walltime timelimit time-limit limit",
    "processors": "cores cpus ncpus procs slots",
    "requested_processors": "req-cpus requested-cores",
    "account": "project",
    "group": "account project",
    "status": "state",
    "executable": "job-name name",
    "timezone": "tz zone",
    "separator": "sep delimiter delim",
}

SYNONYMS = {
    "log format": _FORMATS,
    "scheduler": _SCHEDULERS,
    "price mechanism": _MECHANISMS,
    "option of accounting-csv": _OPTIONS,
}
"""Names by family, and the words that people say for them."""


def meant(word: str, known: set[str]) -> tuple[str, ...]:
    """Return the known names that a word of the field stands for.

    Examples
    --------
    >>> meant("SJF", {"spf", "saf"}), meant("time_limit", {"requested_time"}), meant("sjf", {"pbs"})
    (('spf',), ('requested_time',), ())
    """
    plain = word.strip().casefold().replace("_", "-")
    for table in SYNONYMS.values():
        for names, words in table.items():
            if plain in words.split() and known.issuperset(names.split()):
                return tuple(names.split())
    return ()
