"""Distributions with commands that need not be installed."""

DISTRIBUTIONS = {
    "utilitysched-centre": "invoice billing-run ledger",
    "utilitysched-slurm": "slurm",
    "utilitysched-web": "serve token",
}
"""Commands of the distributions that are made beside this one."""


def missing_distribution(command: str) -> str | None:
    """Return the installation command of the distribution with a command; None if unknown."""
    for distribution, commands in DISTRIBUTIONS.items():
        if command in commands.split():
            return f"pip install {distribution}"
    return None
