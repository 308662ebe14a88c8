"""Other names."""

from __future__ import annotations

from dataclasses import dataclass

from swfx.base.options import as_int
from utilitysched.market.audit.misreport import Misreport, Report, option, register
from utilitysched.market.audit.reading import at_least


def _names(text: str) -> int:
    return at_least(as_int(text, "accounts", "names"), 2, "accounts", "names")


@register("accounts")
@dataclass(frozen=True)
class Accounts(Misreport):
    """Jobs are submitted under several names of their user, in turn.

    Attributes
    ----------
    names : int
        At least 2. Jobs that arrive in a row have different ones.
    """

    names: int = option(_names, 2)

    def tell(self, job: Report) -> tuple[Report, ...]:
        """Return the job under another name."""
        return (job._replace(account=1 + job.place % self.names),)
