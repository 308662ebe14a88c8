"""Ledgers, months and invoices, in the terminal and as pages."""
