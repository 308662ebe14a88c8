"""Names of earlier versions, and what to write in place of each."""

from __future__ import annotations

__all__ = ["REMOVED", "replacement"]

_TSAFRIR = "leave it out: max= alone fits the model to a site"
_JOBQUEUE = "start workers with dask-jobqueue, and give the scheduler's address to --dask"

REMOVED: dict[tuple[str, str], str] = {
    ("command", "bound"): "write: utilitysched decision bound SNAPSHOT",
    ("command", "curves"): "write: utilitysched describe WORKLOAD --curves FILE",
    ("command", "estimates"): "write: utilitysched describe WORKLOAD --accuracy",
    ("command", "explain-decision"): "write: utilitysched decision explain DIR",
    ("command", "figures"): "write: utilitysched report DIR --figures FOLDER",
    ("command", "market"): "measure what misreports gain with utilitysched audit",
    ("command", "merge"): "write: utilitysched convert LOG LOG -o FILE",
    ("command", "formats"): "write: utilitysched list formats",
    ("command", "mechanisms"): "write: utilitysched list mechanisms",
    ("command", "models"): "write: utilitysched list models",
    ("command", "schedulers"): "write: utilitysched list schedulers",
    ("command", "transformations"): "write: utilitysched list transformations",
    ("command of ledger", "post"): "write: utilitysched invoice DIR --ledger LEDGER",
    ("command", "snapshot"): "write: utilitysched decision snapshot DIR --at TIME -o FILE",
    ("option of convert", "--list"): "write: utilitysched list formats",
    (
        "key of a file that says how to bill",
        "what_if",
    ): "bill the month by the other mechanism: utilitysched bill LOG --mechanism NAME",
    (
        "transformation",
        "checkpoint-cost",
    ): "weigh the cost of writing: advise-checkpoint --cost TIME",
    ("transformation", "rebase"): "leave it out: times count from the log's own time 0",
    ("transformation", "shift"): "leave it out: only times between submissions matter",
    (
        "priority model",
        "by-size",
    ): "write by-request:limits=TIME/SIZE:QUEUE, TIME above all requests",
    ("priority model", "by-user"): "write random, which draws by jobs",
    ("log format", "loadleveler"): "export the history as a table, and read accounting-csv:FILE",
    ("log format", "wfcommons"): "write its tasks as a table, and read accounting-csv:FILE",
    ("option of explain", "--pareto"): "weigh the aims: simulate ga:weights=TERM:NUMBER",
    ("transformation", "sort"): "leave it out: jobs are read in any order",
    ("option of coscheduled", "aims"): "nothing is searched for; see policy=",
    ("option of coscheduled", "pick"): "nothing is searched for; see policy=",
    ("option of coscheduled", "population"): "nothing is searched for; see policy=",
    ("option of coscheduled", "generations"): "nothing is searched for; see policy=",
    ("option of coscheduled", "mutation"): "nothing is searched for; see policy=",
    ("option of coscheduled", "patience"): "nothing is searched for; see policy=",
    ("reserve of vcg", "learned"): "give a price, such as reserve=0.1",
    ("policy of coscheduled", "ga"): "write policy=value-filler, which reads utility functions",
    ("option of ga", "airline"): "write damping=airline",
    ("option of ga", "boost"): "write damping=boost",
    ("option of ga", "budget"): "generations=N limits the search, and can be repeated",
    ("option of ga", "climb"): "write climb, a scheduler of its own, or raise generations",
    ("option of ga", "fairness"): "write weights=fairness:NUMBER",
    ("option of ga", "fraction"): "duration=fraction reads at 0.3 of the request",
    ("option of ga", "idle"): "list schedulers have it, as in value-density:reserve=0.3,idle=0.8",
    ("option of ga", "jain"): "write weights=fairness:NUMBER, or see usage by week",
    ("option of ga", "large"): "write weights=large:NUMBER",
    ("option of ga", "lead"): "raise prior: it draws plans to the first seed's order",
    ("option of ga", "longest"): "write weights=longest:NUMBER",
    ("option of ga", "margin"): "lost=N makes preemptions dearer",
    ("option of ga", "minimum"): "preemptions=N limits preemptions",
    ("option of ga", "occupancy"): "planning=expected predicts it, too",
    ("option of ga", "pareto"): "weigh the aims, as in weights=wait:0.01",
    ("option of ga", "pick"): "weigh the aims, as in weights=wait:0.01",
    ("option of ga", "patience"): "searches end when no plan can be better",
    ("option of ga", "predictability"): "write weights=predictability:NUMBER",
    ("option of ga", "preempt_generations"): "the second search breeds two",
    ("option of ga", "reserve"): "list schedulers have it, as in value-density:reserve=0.3",
    ("option of ga", "rules"): "name orderings in seeds, as in seeds=[value-and-delay]",
    ("option of ga", "slowdown"): "write weights=slowdown:NUMBER",
    ("option of ga", "utility"): "write weights=utility:NUMBER",
    ("option of ga", "wait"): "write weights=wait:NUMBER",
    **{
        (
            "option of failures",
            option,
        ): "write nodes=N,per=P,mtbf=5y,repair=4h, or pass Outages in Python"
        for option in ("file", "machine", "power", "rack")
    },
    ("option of failures", "prefer"): "leave it out: nodes fail alike, jobs get the lowest ones",
    ("option of failures", "shape"): "leave it out: times are exponential",
    ("option of advise-checkpoint", "--failures"): "write: --mtbf TIME --per PROCESSORS",
    ("option of schedulers", "stop"): "write holes=true or restarts=true to take processors back",
    ("option of schedulers", "stops"): "write kills=N with holes=true or restarts=true",
    ("option of slurm", "count"): "count nodes once the log is read: --apply nodes:per=CPUS",
    ("option of slurm", "partition_limits"): "give limit=TIME for all jobs without a limit",
    ("option of convert", "--segments"): "write: slurm,requeue=each:FILE for a job of each run",
    ("option of tsafrir", "bins"): _TSAFRIR,
    ("option of tsafrir", "k"): _TSAFRIR,
    ("option of tsafrir", "a"): _TSAFRIR,
    **{
        (f"option of {command}", option): _JOBQUEUE
        for command in ("audit", "bill", "index", "mixed", "nonlinear", "run")
        for option in ("--jobqueue", "--jobqueue-option")
    },
    ("option of run", "--completions"): "keep accounts in slurmdbd: sacct lists runs to charge",
    ("option of serve", "--audit"): "open the page that utilitysched audit has written",
    ("option of serve", "--experiment"): "write a page: utilitysched experiment report FILE --page",
    ("option of audit", "--plot"): "open audit.html, which it writes: the gains are drawn there",
    (
        "key of an experiment file",
        "correction",
    ): "leave it out: p is corrected by Bonferroni",
    ("lie", "cartel"): "compare bills by users and by accounts, vcg:players=accounts",
    **{
        ("option of audit", option): "name the misreports to try with --lie"
        for option in ("--hunt", "--told-of", "--cells", "--cell-jobs", "--refinements", "--apply")
    },
    ("command", "tariff-study"): "bill by each mechanism, and compare the bills",
    ("option of bill", "--rules"): "use utilitysched invoice RUN --rules FILE",
    ("option of bill", "--ledger"): "use utilitysched invoice RUN --ledger LEDGER",
    ("option of bill", "--month"): "use utilitysched invoice RUN --ledger LEDGER --month YYYY-MM",
    ("option of bill", "--pdf"): "print the pages of utilitysched invoice RUN --html FOLDER",
    ("option of bill", "--savings"): "bill again with the other choice, and compare the bills",
    ("option of billing-run", "--pdf"): "print the pages that it writes",
    **{
        ("option of audit", option): "leave it out: misreports are tried beside the truth of others"
        for option in ("--respond", "--respond-jobs", "--liars", "--users", "--rounds", "--budget")
    },
    **{
        (f"option of {command}", "--procs"): "write --machine-size N, its new name"
        for command in (
            "advise-checkpoint",
            "audit",
            "augment",
            "bill",
            "ceiling",
            "check",
            "compare",
            "convert",
            "describe",
            "index",
            "invoice",
            "mixed",
            "nonlinear",
            "simulate",
        )
    },
    **{
        (kind, "procs"): "write machine_size, its new name"
        for kind in (
            "key of an experiment file",
            "key of a preset",
            "option of model:lublin",
            "option of model:applications",
        )
    },
}
"""Remedy by kind and name: ``("command", "market")``, ``("option of audit", "--hunt")``,
``("transformation", "widen")``, ``("option of ga", "patience")``, a value of an option
``("policy of coscheduled", "ga")``. A member of a family has the kind that the family's registry
gives it."""


def replacement(kind: str, name: str) -> str | None:
    """Return what to write in place of a removed name, None for a name that never was.

    Parameters
    ----------
    kind : str
        What the name named, as in `REMOVED`.
    name : str
        The name.
    """
    return REMOVED.get((kind, name))
