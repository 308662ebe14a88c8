"""Actions: what Slurm is told to do with a job."""

from typing import Literal, NamedTuple

Verb = Literal["hold", "describe", "release", "checkpoint", "requeue"]


class Action(NamedTuple):
    """Something that is to be done with a job.

    Attributes
    ----------
    verb : {"hold", "describe", "release", "checkpoint", "requeue"}
        Hold it as an administrator; set its AdminComment; let it start, now; signal its script to
        write a checkpoint; end its run and hold it.
    key : str
        What users call the job: 17, or 15_3 for a task of an array.
    value : str
        The AdminComment, or the priority of a release; empty: as Slurm would have it.
    """

    verb: Verb
    key: str
    value: str = ""
