"""Prices before they are paid: quotes for one job, audits of what misreports would gain."""
