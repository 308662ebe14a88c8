"""Common parts of the importers of accounting logs: jobs, names, dates, quantities, tables."""
