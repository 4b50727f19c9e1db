"""What can be inferred exactly from what was seen: counts, probabilities and fair samples, with no game inside.

    from molehunt.beliefs.deals import Deals  # who holds which cards
    from molehunt.beliefs.kripke import KripkeModel, choose_worlds  # who believes what about whom
    from molehunt.beliefs.formulas import parse  # the notation of formulas

docs/deals.md shows how cards are counted.
"""
