"""The public Speed Clue contest of 2014: programs play over TCP. See `protocol` for what is said."""
