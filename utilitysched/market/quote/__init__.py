"""Quotes: when a job would complete at a moment of a queue, and what it would be charged.

`quote` tells it for one job and several utility functions: quantiles over what is not known of run
times, charges by mechanism, what half the turnaround takes, and what another time would give.
"""

from utilitysched.market.quote.inquiry import Inquiry
from utilitysched.market.quote.prospect import Prospect, Spread
from utilitysched.market.quote.quote import MECHANISMS, Hurry, Offer, Quote, QuoteTerms, quote

__all__ = [
    "MECHANISMS",
    "Hurry",
    "Inquiry",
    "Offer",
    "Prospect",
    "Quote",
    "QuoteTerms",
    "Spread",
    "quote",
]
