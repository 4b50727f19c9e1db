"""Who holds the coin? A small game of hidden roles, as an outside package brings it."""
