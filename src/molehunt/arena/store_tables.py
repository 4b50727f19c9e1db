"""The tables and views of a store, for whoever asks it in SQL; docs/tournaments.md describes them."""

from __future__ import annotations

CHECKS = "CREATE TABLE IF NOT EXISTS checks (unit UBIGINT PRIMARY KEY, hash VARCHAR)"
"""What the games of a unit came to, as a hash."""
FAULTS = "CREATE TABLE IF NOT EXISTS faults (unit UBIGINT, deal UBIGINT, seat UTINYINT, reason VARCHAR)"
"""Which games players have lost by fault, and why."""
MENDED = "CREATE TABLE mended (files VARCHAR[], players VARCHAR[], games_kept UBIGINT)"
"""Where the tournament has gone on with mended players: which files had changed, their players, and how many games stayed."""
SCHEMA = (
    """CREATE TABLE tournament (format INTEGER, name VARCHAR, seed UBIGINT, games_planned UBIGINT, identity VARCHAR,
        plan VARCHAR)""",
    """CREATE TABLE events (event INTEGER PRIMARY KEY, name VARCHAR, game VARCHAR, deals_planned UBIGINT, roles VARCHAR[],
        endings VARCHAR[])""",
    "CREATE TABLE lineups (event INTEGER, lineup INTEGER, players VARCHAR)",
    "CREATE TABLE chairs (event INTEGER, lineup INTEGER, seating INTEGER, seat INTEGER, chair INTEGER, player VARCHAR)",
    """CREATE TABLE units (unit UBIGINT PRIMARY KEY, event INTEGER, lineup INTEGER, seating INTEGER, first_deal UBIGINT,
        deals UBIGINT, moves UBIGINT, seconds DOUBLE, records_from UBIGINT, records_bytes UBIGINT, records_check UBIGINT)""",
    CHECKS,
    FAULTS,
    # Bit s of `wins` is seat s; four bits of `roles` are the number of a seat's role.
    "CREATE TABLE games (unit UBIGINT, deal UBIGINT, wins USMALLINT, roles UBIGINT, ending UTINYINT)",
    "CREATE TABLE payments (unit UBIGINT, deal UBIGINT, seat UTINYINT, payoff FLOAT)",
)

VIEWS = (
    """CREATE VIEW played AS
        SELECT e.name AS event, u.lineup, u.seating, g.deal, e.endings[g.ending + 1] AS ending, g.wins AS wins_by_seat,
            g.roles AS roles_by_seat, u.event AS event_number, u.unit
        FROM games g JOIN units u USING (unit) JOIN events e ON e.event = u.event""",
    """CREATE VIEW seats AS
        SELECT p.event, p.lineup, p.seating, p.deal, c.seat, c.player,
            CASE WHEN e.roles = ['any'] THEN NULL ELSE e.roles[1 + ((p.roles_by_seat >> (4 * c.seat)) & 15)::INTEGER] END AS role,
            ((p.wins_by_seat >> c.seat) & 1) = 1 AS won,
            coalesce(m.payoff, ((p.wins_by_seat >> c.seat) & 1)::FLOAT) AS payoff, p.ending
        FROM played p
        JOIN chairs c ON c.event = p.event_number AND c.lineup = p.lineup AND c.seating = p.seating
        JOIN events e ON e.event = p.event_number
        LEFT JOIN payments m ON m.unit = p.unit AND m.deal = p.deal AND m.seat = c.seat""",
    """CREATE VIEW forfeits AS
        SELECT p.event, p.lineup, p.seating, p.deal, c.seat, c.player, f.reason
        FROM faults f
        JOIN played p ON p.unit = f.unit AND p.deal = f.deal
        JOIN chairs c ON c.event = p.event_number AND c.lineup = p.lineup AND c.seating = p.seating AND c.seat = f.seat""",
    """CREATE VIEW rates AS
        SELECT event, player, role, count(*) AS seats, sum(won::INTEGER) AS wins, avg(won::INTEGER) AS rate, avg(payoff) AS payoff
        FROM seats GROUP BY ALL ORDER BY event, role, rate DESC""",
    """CREATE VIEW progress AS
        SELECT e.name AS event, count(u.unit) AS units, coalesce(sum(u.deals), 0) AS games, coalesce(sum(u.moves), 0) AS moves,
            coalesce(sum(u.seconds), 0) AS seconds
        FROM events e LEFT JOIN units u ON u.event = e.event GROUP BY e.event, e.name ORDER BY e.event""",
)
