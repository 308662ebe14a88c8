"""Job steps as LoadLeveler lists them: `key: value` lines below headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = ["LoadLevelerStep", "steps_of"]

_JOB = re.compile(r"={5,} Job [^ ]+ ={5,}")
_STEP = re.compile(r"[-=]{5,} (?:Job )?Step [^ ]+ [-=]{5,}")
_ENTRY = re.compile(r"\s*([A-Za-z][^:]*?)\s*:(?:\s+(.*))?")
_COUNT = re.compile(r"[0-9]{1,6}")
_IN_BRACKETS = re.compile(r"\([^()]*\)")

MASTER = "Master Task"
SECTIONS = ("Node", MASTER, "Task")


@dataclass
class LoadLevelerStep:
    """A job step: where it stands, its values by key, and the hosts and tasks of all its nodes.

    Of a key that is there several times the first value counts; those of its job are there, too.
    """

    line: int
    values: dict[str, str]
    hosts: int = 0
    tasks: int = 0

    def enter(self, section: str, key: str, value: str) -> None:
        """Take in a line of a section."""
        if key in {"Allocated Host", "Allocated Hosts"}:
            hosts = _IN_BRACKETS.sub("", value).split(",")
            self.hosts += sum(bool(host.strip()) for host in hosts)
        elif key == "Num Task Inst" and section != MASTER and _COUNT.fullmatch(value):
            self.tasks += int(value)
        else:
            self.values.setdefault(key, value)


def steps_of(lines: Iterable[str]) -> Iterator[LoadLevelerStep]:
    """Find the job steps of a listing, in its order.

    A step begins with a line such as ``------ Step host.17.0 ------``, a job with
    ``====== Job host.17 ======``. A line that begins with a plus goes on listing hosts.
    """
    of_job: dict[str, str] = {}
    step: LoadLevelerStep | None = None
    section = ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        begins_step = _STEP.fullmatch(text)
        if begins_step or _JOB.fullmatch(text):
            if step:
                yield step
            of_job = of_job if begins_step else {}
            step = LoadLevelerStep(number, dict(of_job)) if begins_step else None
            section = ""
        elif text in SECTIONS:
            section = text
        elif text.startswith("+ ") and step:
            step.enter(section, "Allocated Hosts", text[2:])
        elif entry := _ENTRY.fullmatch(line):
            key, value = entry[1], (entry[2] or "").strip()
            if step:
                step.enter(section, key, value)
            else:
                of_job[key] = value
    if step:
        yield step
