"""Players of Speed Clue."""
