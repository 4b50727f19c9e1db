"""Searches that know no game.

from molehunt.search.ismcts import search  # information set Monte Carlo tree search: docs/ismcts.md
from molehunt.search.ismcts_terms import Settings
from molehunt.search.expectimax import Model, Search  # own moves, the other's, and chance
from molehunt.search.growing import grow  # the whole tree of a small game: docs/exploitability.md
from molehunt.search.regrets import Solver  # CFR+ on it
from molehunt.search.tree_values import best_response, exploitability
"""
