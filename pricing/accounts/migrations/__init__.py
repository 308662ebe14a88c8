"""Steps of the schema of ledgers, which `pricing.accounts.upgrades` takes."""
