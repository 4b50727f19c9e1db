"""The adviser at a real table of Clue: what a person enters, what follows from it, and what to do, in words.

    from molehunt.advice.deal import Deal  # who sits there, and what was dealt
    from molehunt.advice.session import AdviceSession  # the entries, the probabilities and the advice

A person asks it by `molehunt advise speed-clue`, or on the page `/adviser` of the browser table (docs/table.md).
"""
