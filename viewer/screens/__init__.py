"""The pages of the program: home, match set-up, table, replay, learn, rules, settings, about."""
