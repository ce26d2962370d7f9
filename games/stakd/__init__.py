"""STAKD by its exact rules (RULES S1–S53): cells only, no physics."""

RULES_VERSION = 1
"""Goes into records; raised whenever the same moves could lead to another state."""
