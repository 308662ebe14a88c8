"""Lies, one module each; see `utilitysched.market.audit.lie`."""
