"""Misreports by name; see `utilitysched.market.audit.misreport`."""
