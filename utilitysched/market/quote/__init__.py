"""Quotes: when a job would complete at a moment of a queue, and what it would be charged.

`quote` adds a job to a moment, lets a scheduler play on with many samples of run times, and charges
the job in each: quantiles of its start and completion, charges by mechanism, what half the
turnaround takes, and what another time of submission would give.
"""

from typing import TYPE_CHECKING

from swfx.base.lazy import imported_on_use

if TYPE_CHECKING:
    from utilitysched.market.quote.offer import Hurry, Offer, Prospect, Quote, Spread
    from utilitysched.market.quote.quoter import Quoter, quote
    from utilitysched.market.quote.request import WORTHLESS, QuotedJob
    from utilitysched.market.quote.terms import MECHANISMS, QuoteTerms
else:  # they bring the engine, which the command line does not need to print its help
    __getattr__, __dir__ = imported_on_use(__name__)

__all__ = [
    "MECHANISMS",
    "WORTHLESS",
    "Hurry",
    "Offer",
    "Prospect",
    "Quote",
    "QuoteTerms",
    "QuotedJob",
    "Quoter",
    "Spread",
    "quote",
]
