"""Cards on a table: their faces, how they lie in a hand, how they fly, and the felt under them."""
