"""Steps of the schema of ledgers, which `utilitysched_centre.accounts.upgrades` takes."""
