"""Players against each other: matches, tournaments, tuning, and how sure the numbers are.

    from molehunt.arena.match import run, seat_match  # a match; by `molehunt arena` on the command line
    from molehunt.arena.tournament.definition import read_tournament  # a tournament, from its file
    from molehunt.arena.tournament.play import play_tournament
    from molehunt.arena.workers import open_workers  # threads, or a cluster
    from molehunt.arena.statistics import difference, wilson  # intervals of rates
    from molehunt.arena.minds import minds_at  # what the players of a record believed

docs/tour.md has a match from Python, docs/tournaments.md a tournament.
"""
