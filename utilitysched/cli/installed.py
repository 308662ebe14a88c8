"""Distributions with commands that need not be installed."""

from swfx.base.missing import plugin_remedy

DISTRIBUTIONS = {
    "utilitysched-centre": "invoice billing-run ledger",
    "utilitysched-slurm": "slurm",
    "utilitysched-web": "serve token",
}
"""Commands of the distributions that are made beside this one; each needs those above it."""


def missing_distribution(command: str) -> str | None:
    """Return how to install the distribution with a command; None if unknown."""
    names = list(DISTRIBUTIONS)
    for number, commands in enumerate(DISTRIBUTIONS.values(), 1):
        if command in commands.split():
            return plugin_remedy(names[:number])
    return None
