"""Terms of quotes, as the command line has them, too."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from swfx.base.document_values import number, seconds, whole
from swfx.base.request_fields import Seed
from swfx.base.typed import Typed

MECHANISMS = ("single-price", "multi-queue", "first-price", "second-price", "vcg")
"""Price mechanisms, unless others are asked for."""


@dataclass(frozen=True)
class QuoteTerms:
    """Terms of a quote.

    Attributes
    ----------
    scheduler : str
        Scheduler of the quote.
    mechanisms : sequence of str
        Price mechanism: NAME or NAME:key=value,...; repeatable.
    samples : int
        Samples of all run times.
    quantiles : sequence of float
        Quantile to show, 0 to 1; repeatable.
    seed : int
        Seed of all draws.
    later : float or None
        Alternative time of submission (s on the log's clock).
    replan : bool
        Let ga search again at every event of every sample instead of following its present plan;
        takes minutes.
    limit : float
        Longest time that the quote may take, without compilation (s).
    rounded : bool
        Give charges in bands, and try bids that are doubled, as users may see quotes
        (`pricing.disclosure`).
    budget : float
        Highest value of a bid that is tried in place of the job's own (SU).
    """

    scheduler: Annotated[str, Typed("--scheduler -s NAME", shown="that of the snapshot")] = ""
    mechanisms: Annotated[Sequence[str], Typed("--mechanism NAME", shown=", ".join(MECHANISMS))] = (
        MECHANISMS
    )
    samples: Annotated[int, whole(1), Typed("--samples N")] = 30
    quantiles: Annotated[
        Sequence[Annotated[float, number()]], Typed("--quantile Q", shown="0.1, 0.5, 0.9")
    ] = (0.1, 0.5, 0.9)
    seed: Seed = 0
    later: float | None = None
    replan: Annotated[bool, Typed("--replan")] = False
    limit: Annotated[float, seconds(gt=0), Typed("--limit TIME", shown="2min")] = 120.0
    rounded: bool = False
    budget: float = math.inf
