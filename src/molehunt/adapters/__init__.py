"""Other ecosystems' interfaces: programs and players from outside at our tables, ours at theirs.

    from molehunt.adapters.pettingzoo import env  # seat by seat; the extra rl
    from molehunt.adapters.gymnasium import SeatEnv  # one seat against players of this project; rl
    from molehunt.adapters.batched import BatchedGames  # many games at once, as arrays
    from molehunt.adapters.spaces import spaces_of  # what the number of an action or an observation means
    from molehunt.adapters.openspiel.games import load_game  # a game of OpenSpiel; rl

docs/environments.md and docs/openspiel.md show them.
"""
