"""Sakana Stack: six seafood suits, stacks that must be followed and beaten, and the Catch of the Day (2–5 players)."""

RULES_VERSION = 1
"""Goes into records; raised whenever the same moves could lead to another state."""
