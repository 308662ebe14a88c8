"""What Slurm's accounting says, as `sacct` prints it."""
