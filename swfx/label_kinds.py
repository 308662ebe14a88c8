"""Kinds of labels: the things that the whole numbers of jobs stand for."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LABEL_KINDS", "NUMBERED", "LabelKind"]


class LabelKind(NamedTuple):
    """A kind of label: the key of header lines that name its numbers, and its name in sentences."""

    key: str
    words: str


LABEL_KINDS: dict[str, LabelKind] = {
    "user": LabelKind("User", "user"),
    "group": LabelKind("Group", "group"),
    "executable": LabelKind("Executable", "executable"),
    "queue": LabelKind("Queue", "queue"),
    "partition": LabelKind("Partition", "partition"),
    "account": LabelKind("Account", "account"),
    "project": LabelKind("Project", "project"),
    "department": LabelKind("Department", "department"),
    "qos": LabelKind("QOS", "QOS"),
    "job_name": LabelKind("JobName", "job name"),
    "cluster": LabelKind("Cluster", "cluster"),
    "state": LabelKind("State", "state"),
    "comment": LabelKind("Comment", "comment"),
    "reference": LabelKind("Reference", "reference"),
}
"""All kinds; the first five have a field of SWF, the others an extra column unless the header says
that one of these fields holds them."""

NUMBERED = ("user", "group", "queue")
"""Kinds whose numbers stand in tables of jobs, as they always did; of others names alone."""
