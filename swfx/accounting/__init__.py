"""What the importers of accounting logs share: jobs, names, dates, quantities, tables, reports."""
