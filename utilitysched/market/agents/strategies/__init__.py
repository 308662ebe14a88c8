"""Strategies, one module each; see `utilitysched.market.agents.strategy`."""
