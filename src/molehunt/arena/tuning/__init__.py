"""The search for a player's best parameters: the space, the race, the search."""
