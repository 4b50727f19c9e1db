// The games that the reader has played, as this browser has kept them: nobody else is told.

import { _, later } from "./language.js";
import { keepFor, recall } from "./dom.js";

const OWN_GAMES_KEY = "molehunt.games";
const OWN_GAMES_MOST = 400;
const OWN_GAMES_AS = { miner: later("as a miner"), saboteur: later("as a saboteur") };

function ownAll() {
  try {
    const found = JSON.parse(recall(OWN_GAMES_KEY) || "[]");
    return Array.isArray(found) ? found.filter((game) => typeof game?.path === "string" && Array.isArray(game.rounds) && Array.isArray(game.against)) : [];
  } catch {
    return [];
  }
}

/** The games that are over, the last one first: {path, title, at, won, rounds: [{role, won}], against, practice, replay}. */
export function ownGames() {
  return ownAll().filter((game) => game.at);
}

/** Keep what a frame tells of a game at which the reader sits: its rounds as they end, and how it ended. */
export function keepGame(path, frame) {
  const ended = frame.position?.ended;
  const over = frame.over && frame.position && frame.to_move === null; // and not stopped where it could not go on
  if (frame.you === null || (!over && !ended)) return;
  const all = ownAll();
  const game = all.find((other) => other.path === path) ?? { path, rounds: [] };
  if (game.at) return;
  if (ended) game.rounds[ended.number - 1] = { role: ended.roles[frame.you], won: `${ended.roles[frame.you]}s` === ended.team };
  game.rounds = Array.from(game.rounds, (round) => round ?? null); // one that was not seen
  Object.assign(game, { title: frame.label.split(" · ")[0], against: frame.seats.filter((_one, seat) => seat !== frame.you).map(ownRival),
    with: frame.seats.filter((_one, seat) => seat !== frame.you).map((seat) => seat.name).join(", ") });
  if (over) Object.assign(game, { at: Date.now(), won: frame.over.winners.includes(frame.you), practice: frame.practice, replay: frame.over.replay });
  keepFor(OWN_GAMES_KEY, JSON.stringify([game, ...all.filter((other) => other !== game)].slice(0, OWN_GAMES_MOST)));
}

// Who sat on another seat: an artificial player under its title, as names are lent to it for a game.
function ownRival(seat) {
  if (seat.kind !== "agent") return _("{name} (a person)", { name: seat.name });
  return seat.called || seat.agent || _("artificial player");
}

/** Forget all games. */
export function forgetGames() {
  keepFor(OWN_GAMES_KEY, "[]");
}

/** How often the reader has won, by game, by role in a round, and against whom: [{heading, rows: [{name, played, won}]}]. */
export function statisticsOf(games) {
  const rounds = games.flatMap((game) => game.rounds.filter(Boolean).map((round) => ({ name: _(OWN_GAMES_AS[round.role] ?? round.role), won: round.won })));
  const against = games.flatMap((game) => [...new Set(game.against)].map((name) => ({ name: `${name}, ${game.title}`, won: game.won })));
  return [[_("Games"), games.map((game) => ({ name: game.title, won: game.won }))], [_("Rounds of Saboteur"), rounds], [_("Against"), against]]
    .map(([heading, all]) => ({ heading, rows: ownCounts(all) })).filter(({ rows }) => rows.length);
}

function ownCounts(all) {
  const counts = new Map();
  for (const { name, won } of all) {
    const count = counts.get(name) ?? { name, played: 0, won: 0 };
    counts.set(name, { name, played: count.played + 1, won: count.won + Number(won) });
  }
  return [...counts.values()].sort((one, other) => other.played - one.played);
}
