"""Speed Clue: who, with what, where; no board, no dice."""
