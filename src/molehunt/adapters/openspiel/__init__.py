"""The door to OpenSpiel: our games in its library, our players as its bots, its algorithms as our players.

`import molehunt.adapters.openspiel.games` registers the games; nothing here imports OpenSpiel before it is asked for.
"""
