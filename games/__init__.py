"""What players may do: rules, bots, matches, records, the engine protocol."""
