"""Errors of a simulation."""


class InfeasibleDecision(ValueError):  # noqa: N818 - the decision is what is infeasible
    """A scheduler decided something that cannot be done; the message says which and when."""
