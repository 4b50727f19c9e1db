"""What every game and every player speaks: games, agents, outcomes, errors, random streams and records."""
