"""How the schema of ledgers came about, step by step; `pricing.accounts.upgrades` takes them."""
