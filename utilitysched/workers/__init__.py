"""Executors of tasks: this process, processes of this machine, Dask clusters."""
