"""What can go wrong in a simulation."""


class InfeasibleDecision(ValueError):
    """A scheduler decided something that cannot be done; the message says which and when."""
