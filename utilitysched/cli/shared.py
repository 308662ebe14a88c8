"""Options that mean the same in every command that has them."""

from typing import Annotated

from swfx.base.typed import Typed
from utilitysched.cli.options import (
    argument,
    classes_of,
    directory_of,
    from_one,
    from_zero,
    option,
    slice_of,
)

WORKLOAD_HELP = (
    "SWF log (or .gz, .xz, .zst), - (standard input), FORMAT:FILE (utilitysched list formats) as "
    "slurm:sacct.txt, sample:, archive:KTH-SP2 once fetched, or model:lublin,jobs=5000."
)
SPEC_HELP = "factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default"

WORKLOAD = argument("WORKLOAD", WORKLOAD_HELP)
JOBS = option(
    "--jobs A:B", "Job lines A to B only, from 0, B excluded, before cleaning.", parser=slice_of
)
PROCS = option("--procs N", "Processors of the machine.", parser=from_one, shown="the log's header")
LOG_PROCS = option(
    "--procs N",
    "Processors of a log's machine.",
    parser=from_one,
    shown="the log's header; else the most in use at a time",
)
LOG_UTILITIES = option(
    "--utilities SPEC",
    "Utility functions of a log's jobs: curves:file=FILE.",
    shown="the log's own",
)
PLAYED_UTILITIES = option(
    "--utilities SPEC",
    f"Draw new ones: {SPEC_HELP}, or none.",
    shown="the workload's, else drawn",
)
REPLAY_PROCESSES = option(
    "--processes N",
    "Processes for the replays of vcg.",
    parser=from_one,
    shown="one per processor",
)
STRICT = option(
    "--strict/--lenient", "Refuse what cleaning drops or repairs / drop malformed lines, too."
)
APPLY = option(
    "--apply -a NAME",
    "Transform the jobs, in order (utilitysched list transformations); repeatable.",
)
CHECKPOINTS = option(
    "--checkpoints SPEC",
    "Which jobs take checkpoints: all, survey:jobs=0.2,node_hours=0.6, reported:file=CSV or "
    "expanded:file=CSV.",
)
SOFT_ESTIMATES = option(
    "--soft-estimates FILE", "CSV of job, soft_estimate (s), confidence (0 to 5)."
)
TO = option(
    "--to FORMAT",
    "NAME or NAME:key=value,...; see utilitysched list formats.",
    shown="by the suffix of -o, else swfx",
)
USERS = option("--users MODEL", "Assign the jobs to users: zipf, or zipf:users=100,groups=10.")
ESTIMATES = option(
    "--estimates MODEL", "Requested times: tsafrir, exact, factor:f=2 or uniform:f=4."
)
PRIORITIES = option("--priorities MODEL", "Queues: random, or by-request:limits=30min:0,2h/64:1.")
SEED = option("--seed N", "Seed of everything random.", 0, parser=from_zero)
UTILITY_SEED = option("--utility-seed N", "Seed of the utility functions only.", parser=from_zero)
SCHEDULER_SEED = option("--scheduler-seed N", "Seed of the schedulers only.", parser=from_zero)
CLASSES = option(
    "--classes Q=C,...",
    "Priority class of queues, 0 most urgent.",
    parser=classes_of,
    shown="as 0 to 5, else 3",
)
CLUSTER = "On a cluster"

DASK = option(
    "--dask ADDRESS",
    "Run on the Dask cluster at ADDRESS; local:N: N processes here.",
    group=CLUSTER,
)
Json = Annotated[bool, Typed("--json", text="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, Typed("--quiet -q", text="Print nothing but errors on standard error.")]

JSON = option("--json", "Print one JSON object and nothing else.", False)
QUIET = option("--quiet -q", "Print nothing but errors on standard error.", False)
OUT = option("--out -o DIR", "Write each scheduler's files to DIR/SCHEDULER/.", parser=directory_of)
AT_HELP = "When: seconds on the log's clock, 12h or 2d after its beginning, or a date."
PAGE = option("--page FILE", "Write a page in HTML, too.")
OUT_FILE = option(
    "-o --out FILE", "File to write, compressed if .gz, .xz or .zst; - is standard output.", ...
)

PREEMPTION = option(
    "--preemption RULES",
    "Let jobs be preempted: default, or rules as overhead=60s,scratch=true.",
)

FAILURES = option(
    "--failures NODES",
    "Let nodes fail: nodes=N,per=P,mtbf=TIME,repair=TIME[,seed=N].",
)
