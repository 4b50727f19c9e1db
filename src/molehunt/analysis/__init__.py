"""A finished game looked at again: who could have believed what, which moves lost what, when one could have known.

    from molehunt.analysis.analyse import analyse  # of a Replay; by `molehunt analyse` on the command line
    from molehunt.analysis.findings import Analysis  # what it finds
    from molehunt.analysis.daily import puzzle_of  # the puzzle of a day

docs/analysis.md says how it is done.
"""
