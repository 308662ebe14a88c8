"""Coverage of quotes: how often jobs are done within the band of times that a quote names.

The quantiles of a quote are over what is drawn, and life has more: users change what they run, and
others submit jobs. So levels are taken from what became of earlier jobs, as split conformal
prediction does (Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005, ch. 4):
between the quantiles at these levels later jobs are done as often as wanted, if they are like the
earlier ones.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utilitysched.market.quote import WORTHLESS, QuotedJob
from utilitysched.model.state import Floats
from utilitysched.runs.snapshot import Snapshot
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun

SHARE = 0.8
"""Of the jobs that a band is to hold."""


class PastSubmission(NamedTuple):
    """A job of a run as it could have been quoted, and what became of it.

    Attributes
    ----------
    snapshot : Snapshot
        The moment of its submission, without it.
    job : QuotedJob
        The job, with one utility function.
    end : float
        When it was done (s).
    """

    snapshot: Snapshot
    job: QuotedJob
    end: float


def past_submission(run: StoredRun, row: int) -> PastSubmission:
    """Return the job in a row of a run at the moment of its submission.

    Neither the moment nor the job says anything that was not known then.
    """
    workload = run.workload
    user = int(workload.user[row])
    moment = snapshot_of(run, float(workload.submit[row]), [user])
    number = int(workload.job_id[row])
    priority = next(job.priority for job in moment.queued if job.id == number)
    curve = workload.utility[row] or WORTHLESS
    job = QuotedJob(
        int(workload.size[row]),
        float(workload.request[row]),
        user,
        int(workload.queue[row]),
        priority,
        {"": curve},
    )
    return PastSubmission(moment.without([number]), job, float(run.end[row]))


class OutcomePlace(NamedTuple):
    """Where an outcome is among the samples of a quote.

    Attributes
    ----------
    below, upto : float
        Shares of the samples that are earlier, and that are not later.
    """

    below: float
    upto: float

    @classmethod
    def of(cls, samples: Floats | Sequence[float], outcome: float) -> "OutcomePlace":
        """Return the place of an outcome."""
        drawn = np.asarray(samples)
        return cls(float((drawn < outcome).mean()), float((drawn <= outcome).mean()))


class BandLevels(NamedTuple):
    """Shares of the samples at which a band begins and ends."""

    low: float = (1 - SHARE) / 2
    high: float = (1 + SHARE) / 2

    def hold(self, place: OutcomePlace) -> bool:
        """Return whether the band between these quantiles holds an outcome."""
        return 0 < place.upto >= self.low and place.below < self.high

    def held(self, places: Sequence[OutcomePlace]) -> float:
        """Return the share of the outcomes that it holds."""
        return sum(map(self.hold, places)) / len(places)


PLAIN = BandLevels()
"""Of a band that would hold its share if all that may happen were drawn."""


def calibrated(places: Sequence[OutcomePlace], share: float = SHARE) -> BandLevels:
    """Return levels between which a share of all outcomes is, by what became of n jobs.

    Outcomes beyond all samples are in no band; where many are, it holds less.

    Parameters
    ----------
    places : sequence of OutcomePlace
        n jobs, none of which the band will be tried on.
    share : float
        0 to 1.

    Examples
    --------
    >>> calibrated([OutcomePlace(k / 9, (k + 1) / 9) for k in range(9)])
    BandLevels(low=0.1111111111111111, high=0.888888888888889)
    """
    aside = math.floor((1 - share) / 2 * (len(places) + 1) + 1e-9)
    if not aside:
        return BandLevels(0.0, 1.0)
    low = sorted(place.upto for place in places)[aside - 1]
    high = sorted(place.below for place in places)[-aside]
    return BandLevels(low, float(np.nextafter(high, 1.0)))
