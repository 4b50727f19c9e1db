"""The public Speed Clue contest of 2014: programs play over TCP, one line a message. See `protocol` for the lines."""
