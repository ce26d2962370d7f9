"""Sakana Stack: six seafood suits, stacks that must be followed and beaten, and the Catch of the Day (2–5 players)."""
