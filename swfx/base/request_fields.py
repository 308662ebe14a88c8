"""Fields that mean the same in every request that has them: ``apply: Steps = ()``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from swfx.base.document_values import made, whole
from swfx.base.errors import InputError
from swfx.base.typed import Typed

__all__ = [
    "Checkpoints",
    "Directory",
    "Estimates",
    "ExportFormat",
    "Failures",
    "Force",
    "MachineFile",
    "OutputFile",
    "Page",
    "Preemption",
    "Priorities",
    "PriorityClasses",
    "RunsFolder",
    "Seed",
    "SoftEstimates",
    "Steps",
    "Users",
    "UtilitySeed",
    "classes_of",
    "directory_of",
]

SPECIFICATIONS = "factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default"
"""Utility functions, for help texts."""

_WHOLE = "(?:[0-9]{1,18})"


def directory_of(text: str) -> Path:
    """Return the path of a directory; an empty text, as an unset variable leaves it, is none.

    Raises
    ------
    InputError
        The text is empty.
    """
    if not text:
        raise InputError("the path is empty", remedy="write . for the current directory")
    return Path(text)


def classes_of(text: str) -> dict[int, int]:
    """Return priority classes by queue number from ``queue=class,...``, each queue once.

    Raises
    ------
    InputError
        The text is of another form, or names a queue twice.

    Examples
    --------
    >>> classes_of("7=0,8=2")
    {7: 0, 8: 2}
    """
    classes: dict[int, int] = {}
    for part in text.split(","):
        pair = re.fullmatch(f" *(-?{_WHOLE}) *= *({_WHOLE}) *", part)
        if not pair:
            raise InputError(f"{part!r} is not queue=class with whole numbers, such as 7=0")
        queue, rank = map(int, pair.groups())
        if queue in classes:
            raise InputError(f"queue {queue} is named twice")
        classes[queue] = rank
    return classes


Directory = Annotated[Path | None, made(directory_of)]
"""Path of a directory."""

Steps = Annotated[
    Sequence[str],
    Typed(
        "--apply -a NAME",
        text="Transform the jobs, in order (utilitysched list transformations); repeatable.",
    ),
]
"""Transformations."""

Seed = Annotated[int, whole(), Typed("--seed N", text="Seed of everything random.")]
UtilitySeed = Annotated[
    int | None, whole(), Typed("--utility-seed N", text="Seed of the utility functions only.")
]
PriorityClasses = Annotated[
    Mapping[int, int] | None,
    made(classes_of),
    Typed(
        "--classes Q=C,...",
        shown="as 0 to 5, else 3",
        text="Priority class of queues, 0 most urgent.",
    ),
]
Preemption = Annotated[
    str | None,
    Typed(
        "--preemption RULES",
        text="Let jobs be preempted: default, or rules as overhead=60s,scratch=true.",
    ),
]
MachineFile = Annotated[
    Path | None,
    Typed("--machine FILE", text="Pools, resources, limits, calendar and shares: docs/machine.md."),
]
Failures = Annotated[
    str | None,
    Typed(
        "--failures NODES",
        text="Let nodes fail: nodes=N,per=P,mtbf=TIME,repair=TIME[,seed=N].",
    ),
]
Checkpoints = Annotated[
    str | None,
    Typed(
        "--checkpoints SPEC",
        text="Which jobs take checkpoints: all, survey:jobs=0.2,node_hours=0.6, "
        "reported:file=CSV or expanded:file=CSV.",
    ),
]
SoftEstimates = Annotated[
    str | None,
    Typed("--soft-estimates FILE", text="CSV of job, soft_estimate (s), confidence (0 to 5)."),
]
Users = Annotated[
    str | None,
    Typed("--users MODEL", text="Assign the jobs to users: zipf, or zipf:users=100,groups=10."),
]
Estimates = Annotated[
    str | None,
    Typed("--estimates MODEL", text="Requested times: tsafrir, exact, factor:f=2 or uniform:f=4."),
]
Priorities = Annotated[
    str | None,
    Typed(
        "--priorities MODEL",
        text="Queues: random, or by-request:limits=30min:0,2h/64:1.",
    ),
]
ExportFormat = Annotated[
    str | None,
    Typed(
        "--to FORMAT",
        shown="by the suffix of -o, else swfx",
        text="NAME or NAME:key=value,...; see utilitysched list formats.",
    ),
]
RunsFolder = Annotated[
    Directory,
    Typed("--out -o DIR", text="Write each scheduler's files to DIR/SCHEDULER/."),
]
Force = Annotated[
    bool | None, Typed("--force", text="Let --out replace the results of another workload.")
]
Page = Annotated[Path | None, Typed("--page FILE", text="Write a page in HTML, too.")]
OutputFile = Annotated[
    Path,
    Typed(
        "-o --out FILE",
        text="File to write, compressed if .gz, .xz or .zst; - is standard output.",
    ),
]
