"""Piece sets that come with the program, one TOML file each."""
