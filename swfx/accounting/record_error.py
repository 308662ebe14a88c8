"""Records that cannot be read."""

from __future__ import annotations

from swfx.base.errors import InputError
from swfx.reading.report import RULES, Rule

__all__ = [
    "BEYOND_LIMIT",
    "EARLIER_RUN",
    "NEVER_STARTED",
    "NOT_A_DATE",
    "NOT_A_DURATION",
    "NOT_A_NUMBER",
    "NOT_A_RECORD",
    "NOT_A_SIZE",
    "NO_SUBMISSION",
    "REPEATED",
    "STILL_RUNNING",
    "STILL_WAITING",
    "TOO_FEW_FIELDS",
    "TOO_MANY_FIELDS",
    "UNREADABLE",
    "RecordError",
]


def _malformed(name: str, meaning: str) -> Rule:
    return Rule(name, "dropped", meaning, malformed=True)


_KNOWN = {rule.name: rule for rule in RULES}
_SHOWN = 40  # characters of a cell that a message repeats

TOO_FEW_FIELDS = _KNOWN["too-few-fields"]
NOT_A_NUMBER = _KNOWN["not-a-number"]
BEYOND_LIMIT = _KNOWN["beyond-limit"]
TOO_MANY_FIELDS = _malformed("too-many-fields", "the line has more fields than its header")
NOT_A_DATE = _malformed("not-a-date", "a time is no date, or one that does not exist")
NOT_A_DURATION = _malformed("not-a-duration", "a length of time cannot be read")
NOT_A_RECORD = Rule("not-a-record", "dropped", "the line or entry is no record of a job")
NOT_A_SIZE = _malformed("not-a-size", "a size of memory cannot be read")


UNREADABLE = Rule(
    "unreadable-field", "repaired", "a field that is not essential cannot be read: left unknown"
)
NO_SUBMISSION = Rule("no-submission", "dropped", "the time of submission is unknown")
NEVER_STARTED = Rule("never-started", "dropped", "the job never started")
STILL_WAITING = Rule("still-waiting", "dropped", "the job was waiting when the log was written")
STILL_RUNNING = Rule("still-running", "dropped", "the job was running when the log was written")
EARLIER_RUN = Rule("earlier-run", "folded", "an earlier run of a job that was requeued")
REPEATED = Rule("repeated-record", "folded", "the same run of a job is in the log once more")


class RecordError(InputError):
    """A record that cannot be read; `rule` says why, in the report.

    Parameters
    ----------
    rule : Rule
        Entry of the report.
    text : str
        What could not be read.
    field : str, optional
        Column it stands in.
    """

    def __init__(self, rule: Rule, text: str, field: str | None = None) -> None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        super().__init__(f"{rule.meaning}: {shown!a}", field=field)
        self.rule = rule
