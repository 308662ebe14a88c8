"""One file per step; what it made stays as it was, whatever `pricing.accounts.schema` becomes."""
