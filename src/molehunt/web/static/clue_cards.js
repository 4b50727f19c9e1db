// Cards of Clue as people see and choose them: a card in the hand, a card to choose, a small card in a line of text.

import { _, later } from "./language.js";
import { drawFace } from "./clue_faces.js";
import { make, setAll } from "./dom.js";

const CARDS_SOME = { suspect: later("a suspect"), weapon: later("a weapon"), location: later("a location") };

/** One of the cards of a category, as is said. */
export function someCard(what) {
  return _(CARDS_SOME[what] ?? what);
}

/** All cards of the categories by number, each with `what`, its category, and `said`, its name in the language of the page. */
export function clueDeck(categories) {
  return categories.flatMap((category) => category.cards.map((card) => ({ ...card, what: category.what })));
}

/** A card that only shows; `note` is a word or two below its name. */
export function clueCard(card, note = "", attributes = {}) {
  return make("div", { class: `clue-card ${card.what}`, "data-card": card.card, ...attributes }, ...clueCardParts(card, note));
}

/** Cards that only show, side by side; who hears the page hears where each ends. */
export function clueCards(class_, cards) {
  return make("div", { class: class_, role: "list" }, cards.map((card) => setAll(card, { role: "listitem" })));
}

/** A card as a button. */
export function clueCardButton(card, note, attributes) {
  return make("button", { type: "button", class: `clue-card ${card.what}`, "data-card": card.card, "data-key": `card ${card.card}`, ...attributes },
    ...clueCardParts(card, note));
}

function clueCardParts(card, note) {
  return [make("span", { class: "clue-art" }, drawFace(card, card.what)), make("span", { class: "clue-name" }, card.said),
    note ? make("span", { class: "clue-note" }, note) : null].filter(Boolean);
}

/** Small cards within a line; who hears the page hears where each ends. */
export function clueChips(cards) {
  return make("span", { class: "clue-chips" }, cards.map((card, place) => make("span", { class: `clue-chip ${card.what}` },
    drawFace(card, card.what), card.said, make("span", { class: "unseen" }, place + 1 < cards.length ? ", " : ". "))));
}

/** Three cards in little room: their faces, then their names. */
export function clueTrio(cards) {
  return make("span", { class: "clue-trio" }, make("span", { class: "clue-trio-faces" }, cards.map((card) => drawFace(card, card.what))),
    make("span", {}, cards.map((card) => card.said).join(", ")));
}

/** Three groups of cards, one choice in each.
 *
 * `chosen` holds a card number or null for each category; `choose(category, card)` is called for a new choice; `name` keeps the
 * groups of one page apart; `mark(card)` may give {note, class_, spoken} for a card, the last for those who do not see its class, `frame(category, place)` {class_, head} for a group. */
export function cluePicker({ categories, chosen, choose, name, mark = () => ({}), frame = () => ({}) }) {
  return make("div", { class: "clue-picker" }, categories.map((category, place) => make("fieldset", { class: `clue-group ${frame(category, place).class_ ?? ""}` },
    make("legend", { class: "legend" }, category.title), frame(category, place).head ?? null,
    make("div", { class: "clue-tiles" }, category.cards.map((card) => {
      const { note = "", class_ = "", spoken = "" } = mark(card);
      const input = make("input", { type: "radio", name: `${name}-${category.what}`, value: card.card, "data-key": `${name} ${card.card}`,
        onchange: () => choose(place, card.card) });
      input.checked = chosen[place] === card.card;
      return make("label", { class: `clue-tile ${class_}`, "data-card": card.card }, input,
        make("span", { class: "clue-art" }, drawFace(card, category.what)),
        make("span", { class: "clue-tile-words" }, make("span", { class: "clue-name" }, card.said), note ? make("span", { class: "clue-note" }, note) : null,
          spoken ? make("span", { class: "unseen" }, ` ${spoken}`) : null));
    })))));
}

/** Arrow keys move within a table of buttons, of which one can be reached by Tab. */
export function clueArrowKeys(table) {
  const buttons = () => [...table.querySelectorAll("button[data-at]")];
  const roam = (to) => {
    for (const button of buttons()) setAll(button, { tabindex: button === to ? 0 : -1 });
  };
  table.addEventListener("focusin", (event) => event.target.matches("button[data-at]") && roam(event.target));
  table.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step || !event.target.matches("button[data-at]")) return;
    let [row, column] = event.target.dataset.at.split(",").map(Number);
    // What cannot be pressed is stepped over.
    for (let tries = 0; tries < 40; tries += 1) {
      [row, column] = [row + step[0], column + step[1]];
      const next = table.querySelector(`button[data-at="${row},${column}"]`);
      if (next) {
        event.preventDefault();
        next.focus();
        return;
      }
    }
  });
  const all = buttons();
  if (all.length && !all.some((button) => button.tabIndex === 0)) roam(all[0]);
  else if (all.length) roam(all.find((button) => button === document.activeElement) ?? all[0]);
}
