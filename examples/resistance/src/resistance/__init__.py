"""The Resistance: hidden spies, proposed teams, secret votes, missions. A game that molehunt plays as an installed package."""
