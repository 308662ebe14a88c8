"""What to expect of a job, once it is submitted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pricing.registry import PriceMechanism
from swfx import UtilityFunction
from utilitysched.market.quote.charging import charges_of
from utilitysched.market.quote.futures import Foresight, Futures
from utilitysched.market.quote.luck import Luck
from utilitysched.market.quote.scene import Scene
from utilitysched.model.state import Floats

MEDIAN = 0.5


class Spread(NamedTuple):
    """A figure over all samples.

    Attributes
    ----------
    mean, median : float
        Their mean, and the value that half of them do not exceed.
    quantiles : tuple of float
        Values of samples: the least that the given shares of them do not exceed.
    """

    mean: float
    median: float
    quantiles: tuple[float, ...]

    @classmethod
    def of(cls, samples: Floats, shares: Sequence[float]) -> "Spread":
        """Return mean and quantiles."""
        found = np.quantile(samples, shares, method="inverted_cdf")
        # a mean of equal numbers is rounded; it must not leave their range
        mean = float(samples.mean().clip(samples.min(), samples.max()))
        return cls(mean, median(samples), tuple(found.tolist()))


@dataclass(frozen=True)
class Prospect:
    """What to expect.

    Attributes
    ----------
    submit : float
        When the job is submitted (s).
    wait, turnaround : Spread
        From then to its start, and to its completion (s).
    completion : Spread
        When it completes (s), on the log's clock.
    worth : Spread
        Its utility function at its completion (SU).
    charges : mapping of str to Spread
        What it pays (SU), by the mechanism's label.
    """

    submit: float
    wait: Spread
    turnaround: Spread
    completion: Spread
    worth: Spread
    charges: Mapping[str, Spread]


@dataclass(frozen=True, eq=False)
class Oracle:
    """Answers questions about one moment.

    Attributes
    ----------
    foresight : Foresight
        Tells what the scheduler will do.
    luck : Luck
        What is drawn.
    mechanisms : tuple of PriceMechanism
        Who charges.
    quantiles : tuple of float
        Shares of the samples, 0 to 1.
    seed : int
        Of further searches.
    """

    foresight: Foresight
    luck: Luck
    mechanisms: tuple[PriceMechanism, ...]
    quantiles: tuple[float, ...]
    seed: int

    def futures(self, scene: Scene, *, roughly: bool = False) -> Futures:
        """Play a scene."""
        runs = scene.runs(self.luck.shares(scene))
        return self.foresight.futures(scene, runs, roughly=roughly)

    def prospect(self, futures: Futures, curve: UtilityFunction) -> Prospect:
        """Sum up what was played for a job with this utility function, and charge for it."""
        return Prospect(
            futures.scene.submit,
            self._spread(futures.wait),
            self._spread(futures.turnaround),
            self._spread(futures.completion),
            self._spread(curve(futures.turnaround)),
            {
                mechanism.label: self._spread(charges_of(mechanism, futures, self.seed))
                for mechanism in self.mechanisms
            },
        )

    def _spread(self, samples: Floats) -> Spread:
        return Spread.of(samples, self.quantiles)


def median(samples: Floats) -> float:
    """Return the value that half of the samples do not exceed."""
    return float(np.quantile(samples, MEDIAN, method="inverted_cdf"))
