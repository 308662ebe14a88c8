"""Places where tasks are run: this process, processes of this machine, a Dask cluster."""
