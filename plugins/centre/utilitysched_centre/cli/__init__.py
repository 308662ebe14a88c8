"""Commands of the centre."""
