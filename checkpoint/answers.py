"""Answers of users of DataStar who were asked whether their job takes checkpoints (LEE 6.5)."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ANSWERS", "DECLINED", "JOBS_SHARE", "NODE_HOURS_SHARE", "YES", "Answer"]


@dataclass(frozen=True)
class Answer:
    """One choice of the survey, with its frequency and meaning.

    Attributes
    ----------
    choice : int
        Number on the user's screen (LEE, figure 6.1).
    name : str
        Short name, as in the files of answers that are read here.
    meaning : str
        What it says.
    responses : int
        How often it was chosen, out of 1,365 (table 6.1).
    node_hours : float
        Node-hours that these jobs ran for, out of 65,953.72 (table 6.2).
    """

    choice: int
    name: str
    meaning: str
    responses: int
    node_hours: float


ANSWERS: tuple[Answer, ...] = (
    Answer(0, "yes", "performs checkpointing", 219, 37397.65),
    Answer(1, "debug", "no: debug or trial run", 540, 2173.71),
    Answer(2, "ends-well", "no: will probably end successfully", 426, 18668.29),
    Answer(3, "not-available", "no: is not available for this program", 29, 2086.38),
    Answer(4, "slowdown", "no: incurs a slowdown", 94, 255.9),
    Answer(5, "other", "other", 1, 35.89),
    Answer(6, "declined", "declines to participate", 56, 5335.9),
)
"""Tables 6.1 and 6.2 of LEE. Her text counts 1,356 responses, her tables add up to 1,365."""

YES, DECLINED = ANSWERS[0], ANSWERS[6]

JOBS_SHARE = 0.16
"""Share of jobs that take checkpoints, as LEE states it (section 6.5.1)."""

NODE_HOURS_SHARE = 0.57
"""Share of node-hours, by actual run time, of the jobs that take checkpoints (section 6.5.1)."""
