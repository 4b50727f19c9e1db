// A game as the adviser's file holds it, and what a page must know of it without asking: cards, players, changes.

import { _, later } from "./language.js";

export const ADVISER_FORMAT = 1;
const ADVISER_CATEGORIES = [["suspects", "suspect", later("Suspects")], ["weapons", "weapon", later("Weapons")], ["locations", "location", later("Locations")]];

/** The categories of a card set: a built-in one by its name, or a whole one as its own file holds it. */
export function adviserCategories(cards, editions) {
  if (typeof cards === "string") return editions.find((edition) => edition.name === cards)?.categories ?? [];
  let number = 0;
  return ADVISER_CATEGORIES.map(([title, what, heading]) => ({
    title: _(heading), what,
    cards: Object.entries(cards[title] ?? {}).map(([name, code]) => ({ card: number++, code: String(code), name })),
  }));
}

/** A card set from text that somebody pasted. Lists of names will do, too: codes are made for them. An Error says what is wrong. */
export function readCardSet(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(_("This is not JSON: {why}", { why: error.message }));
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw new Error(_("A card set is an object with title, suspects, weapons and locations."));
  const codes = new Set();
  const made = { title: typeof data.title === "string" ? data.title : _("my cards") };
  for (const [title] of ADVISER_CATEGORIES) {
    const cards = data[title];
    if (Array.isArray(cards)) {
      if (!cards.every((name) => typeof name === "string" && name)) throw new Error(_("{title} must be a list of names.", { title }));
      made[title] = Object.fromEntries(cards.map((name) => [name, makeCode(name, codes)]));
    } else if (typeof cards === "object" && cards !== null && Object.values(cards).every((code) => typeof code === "string")) {
      made[title] = cards;
    } else {
      throw new Error(_("{title} must be a list of names, or map names to short codes.", { title }));
    }
    if (Object.keys(made[title]).length < 2) throw new Error(_("There must be at least 2 {title}.", { title }));
  }
  return made;
}

function makeCode(name, taken) {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, "")];
  const first = letters[0] ?? "X";
  const choices = [...letters.slice(1).map((letter) => first.toUpperCase() + letter.toLowerCase()), ...Array.from({ length: 99 }, (_one, number) => `${first}${number + 1}`)];
  const code = choices.find((choice) => !taken.has(choice.toLowerCase()));
  taken.add(code.toLowerCase());
  return code;
}

/** Whether two games say the same, in whatever order; what is left out is nothing. */
export function sameGame(one, other) {
  const said = (value) => value !== null && !(Array.isArray(value) && !value.length);
  const inOrder = (_key, value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).filter(([, part]) => said(part)).sort()) : value);
  return JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
}

/** Hand sizes where `first` was dealt the first card. */
export function evenDeal(cards, players, first = 0) {
  return Array.from({ length: players }, (_one, player) => Math.floor((cards + players - 1 - ((player - first + players) % players)) / players));
}

/** Hand sizes where I have `mine` cards: an even deal where there is one, else as even as can be. */
export function likelySizes(cards, players, me, mine) {
  for (let first = 0; first < players; first += 1) {
    const sizes = evenDeal(cards, players, first);
    if (sizes[me] === mine) return sizes;
  }
  const others = evenDeal(cards - mine, players - 1);
  return [...others.slice(0, me), mine, ...others.slice(me)];
}

/** The numbers of the players who have left the table by the end of some entries. */
export function whoLeft(game, entries = game.entries) {
  return new Set(entries.filter((entry) => entry.what === "left").map((entry) => game.players.indexOf(entry.player)));
}

/** The players from the one after `by` to the one before `stop` (null: all others). */
export function askedInVain(by, stop, players) {
  const count = stop === null ? players - 1 : (stop - by - 1 + players) % players;
  return Array.from({ length: count }, (_one, step) => (by + step + 1) % players);
}

/** The game with other names of players; entries follow. */
export function renamed(game, names) {
  const name = (old) => (old === null ? null : names[game.players.indexOf(old)] ?? old);
  return {
    ...game, players: names, me: name(game.me),
    entries: game.entries.map((entry) => (entry.what === "suggestion" ? { ...entry, by: name(entry.by), shown_by: name(entry.shown_by) }
      : entry.what === "accusation" ? { ...entry, by: name(entry.by) } : { ...entry, player: name(entry.player) })),
  };
}

/** Whether the last that happened was a suggestion of mine, so that I may still accuse. */
export function mayAccuse(game) {
  const last = turnsOf(game).at(-1);
  return last?.what === "suggestion" && last.by === game.me;
}

/** The entries that tell of a turn. */
function turnsOf(game) {
  return game.entries.filter((entry) => entry.what === "suggestion" || entry.what === "accusation");
}

/** Who suggests next: the player after the last who had a turn, those who are out or have left being passed over. */
export function nextPlayer(game) {
  const count = game.players.length;
  const out = new Set(game.entries.filter((entry) => entry.what === "accusation" && !entry.right).map((entry) => game.players.indexOf(entry.by)));
  for (const player of whoLeft(game)) out.add(player);
  const last = turnsOf(game).at(-1);
  let next = last ? (game.players.indexOf(last.by) + 1) % count : 0;
  for (let step = 0; out.has(next) && step < count; step += 1) next = (next + 1) % count;
  return next;
}

