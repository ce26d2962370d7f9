"""The tables of the three card games."""
