"""Learners: games written down for them, training runs, and how much a player can be exploited.

    from molehunt.learning.definition import read_training  # the file of a run; by `molehunt train` on the command line
    from molehunt.learning.run import Run
    from molehunt.learning.exploit import exploit  # a learner against one player; by `molehunt exploit`

To train needs the extra `learn` (PyTorch); docs/learning.md begins with a run of some minutes.
"""
