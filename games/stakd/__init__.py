"""STAKD by its exact rules (RULES S1–S53): cells only, no physics."""
