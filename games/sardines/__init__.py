"""Sunny Day Sardines by its rules (RULES D1–D22): gather fish, complete orders."""

RULES_VERSION = 1
"""Goes into records; raised whenever the same moves could lead to another state."""
