"""The market beside a real Slurm: what it reads there, decides on it, and notes.

The room stands behind `market`: it hands the moments of a real queue to the schedulers that the
simulator runs, draws curves as quotes do, and leaves run directories that bills are made from.
Studies and pages know nothing of it. Commands of Slurm are run in `commands` alone.
"""
