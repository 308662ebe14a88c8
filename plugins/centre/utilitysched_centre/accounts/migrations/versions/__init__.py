"""One file per step; what it made stays as it was, whatever `accounts.schema` becomes."""
