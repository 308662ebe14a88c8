"""Results of experiments in tables, files, plots and one page."""
