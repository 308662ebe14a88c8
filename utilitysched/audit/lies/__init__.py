"""Lies, one module each; see `utilitysched.audit.lie`."""
