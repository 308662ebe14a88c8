"""From charges to money: rules, invoices, billing runs and ledgers."""
