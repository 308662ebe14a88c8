"""A centre's month in a made-up listing of sacct, and its bill by hand."""
