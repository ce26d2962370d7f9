"""Sakapuss: everybody passes cats at once, who holds four alike slaps the pile, and the last to follow takes a card (3–5 players)."""

RULES_VERSION = 1
"""Goes into records; raised whenever the same moves could lead to another state."""
