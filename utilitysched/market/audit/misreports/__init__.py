"""Lies, one module each; see `utilitysched.market.audit.misreport`."""
