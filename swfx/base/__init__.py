"""Parts that know nothing of workloads: errors, options, registries, files, columns."""
