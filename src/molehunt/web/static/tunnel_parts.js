// What a board of tunnels is put together from and what knows no state: badges of a seat, open hands, words.

import { _, later } from "./language.js";
import { countOfCards, drawSymbol, make } from "./dom.js";
import { placeSaid } from "./turning.js";

/** What is to be done with a chosen card, by the kind of its moves. */
export const CARD_PROMPTS = {
  lay: later("choose a lit cell"),
  look: later("choose a goal to look at"),
  clear: later("choose a card to take away"),
  stop: later("stop a player"),
  help: later("help a player"),
  none: later("cannot be played now"),
};
const PARTS_IDLE = {
  fix: later("nothing to mend now"), deblock: later("nothing to mend now"), bonus: later("you have no malus"), map: later("every goal lies open"),
  rockfall: later("nothing to take away"), destroy: later("nothing to take away"), path: later("fits nowhere now"),
  other: later("nobody left to play it on"),
};

const PARTS_PATH = /^[PD]_|^\d/; // a path card
const PARTS_HARM = ["break", "block", "malus"];

/** What the server names by these words, as the reader is told it by `_`. */
export const PARTS_NAMES = [later("miner"), later("saboteur"), later("gold"), later("stone"), later("nugget"), later("blank"), later("pickaxe"), later("lantern"), later("cart"), later("block")];

/** Words with their first letter in upper case. */
export function capitalOf(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a card is a tunnel, which its picture tells and which lies as the mine lies. */
export function isPath(card) {
  return PARTS_PATH.test(card.card);
}

/** What stands below a card of the hand. */
export function captionOf(card) {
  return isPath(card) ? "" : card.name ?? card.card;
}

/** Whether a move hurts the player at whom it is aimed. */
export function harms(move) {
  return PARTS_HARM.includes(move.card.split(":")[0]);
}

/** Why a card can only be discarded; `own` is what is known of the seat that holds it. */
export function idleWords(card, own) {
  if (!isPath(card)) return _(PARTS_IDLE[card.card.split(":")[0]] ?? PARTS_IDLE.other);
  if (own.malus) return _("not while you have a malus");
  if (own.broken.includes("block")) return _("not while you are blocked");
  return own.broken.length ? _("not while your {tool} is broken", { tool: _(own.broken[0]) }) : _(PARTS_IDLE.path);
}

/** The icon of a move on a player: the tool that is broken or mended, or the sign of a block. */
export function iconOf(move) {
  const tools = move.card.split(":")[1];
  const tool = move.tool ?? tools?.split("+")[0] ?? "block";
  return harms(move) ? `i-${tool}-broken` : `i-${tool}`;
}

/** What is known of a seat: words for those who hear the page, badges for those who see it. */
export function seatParts(position, seat, names = []) {
  const known = position.seats[seat];
  const role = position.roles?.[seat];
  const broken = position.tools.filter((tool) => known.broken.includes(tool));
  return [
    make("span", { class: "unseen" }, known.words),
    make("span", { class: "counts", "aria-hidden": "true" },
      role ? make("span", { class: `tag role ${role}` }, _(role)) : null,
      broken.map((tool) => drawSymbol(`i-${tool}-broken`, "broken")),
      Array.from({ length: known.malus ?? 0 }, () => drawSymbol("i-block-broken", "broken")),
      make("span", { class: "holds" },
        known.gold === -1 || known.gold === undefined ? null
          : make("span", { class: "tag count" }, drawSymbol("i-nugget"), known.gold === null ? "?" : String(known.gold)),
        known.cards === undefined ? null : make("span", { class: "tag count" }, drawSymbol("i-card"), String(known.cards)))),
    make("span", { class: "badges", "aria-hidden": "true" }, known.looked.map((place) => partsLooked(placeSaid(place), known.claims?.[place])), partsSaid(known, names)),
  ];
}

/** Whom a seat accuses, and for which tools it asks. */
function partsSaid(known, names) {
  return [
    known.accuses === null || known.accuses === undefined ? null
      : make("span", { class: "tag said", title: _("Says that {name} is a saboteur", { name: names[known.accuses] ?? "" }) }, make("span", { class: "badge-place" }, names[known.accuses] ?? "", "!")),
    ...(known.asks ?? []).map((tool) => make("span", { class: "tag said", title: _("Asks for a repair") }, drawSymbol(`i-${tool}`), "?")),
  ];
}

function partsLooked(place, said) {
  const symbol = said === "gold" ? "i-nugget" : said ? "i-stone" : "i-eye";
  return make("span", { class: said ? `tag claim ${said}` : "tag" }, drawSymbol(symbol),
    make("span", { class: "badge-place" }, place, said ? make("span", { class: "badge-said" }, `: ${_(said)}`) : null));
}

/** All hands that lie open, or the reader's own: [[name, cards], ...]. */
export function handsOf(frame) {
  const { hand, hands } = frame.position;
  const names = frame.seats.map((seat) => seat.name);
  return hands ? hands.map((cards, seat) => [names[seat], cards]) : hand ? [[names[frame.you] ?? _("Hand"), hand]] : [];
}

/** Show all hands that lie open, or the reader's own, in `root`; false where nobody has a card to show. */
export function showHands(root, frame) {
  const position = frame.position;
  const hands = handsOf(frame);
  root.className = position.hands ? "hands" : "hand-shown";
  root.replaceChildren(...hands.map(([name, cards]) => make("div",
    { class: "shown", role: "group", "aria-label": _("Hand of {name}: {cards}", { name, cards: countOfCards(cards.length) }) },
    make("span", { class: "shown-name" }, name),
    cards.length ? null : make("span", { class: "muted small" }, _("no cards")),
    cards.map((card) => make("span", { class: `card${isPath(card) ? " path" : ""}`, role: "img", "aria-label": card.words, title: card.words, "data-card": card.card },
      drawSymbol(card.symbol))))));
  return hands.some(([, cards]) => cards.length);
}
