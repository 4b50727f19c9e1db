// The sheet of Clue: cards by players and the envelope. It fills itself with what follows, or the reader fills it in, as they do
// while a puzzle (`position.unsolved`) asks what follows.

import { _, later } from "./language.js";
import { clueArrowKeys } from "./clue_cards.js";
import { keepFocus, make, tell } from "./dom.js";

const SHEET_SIGNS = { yes: "✓", no: "✕", maybe: "?", "": "" };
const SHEET_WORDS = { yes: later("has it"), no: later("has it not"), maybe: later("may have it"), "": later("not known") };
const SHEET_NEXT = { "": "yes", yes: "no", no: "maybe", maybe: "" };

/** A sheet in `root`. `mine`: there may be a choice who fills it; `changed()` is called when a mark of the reader's has changed. */
export class ClueSheet {
  constructor(root, mine, changed) {
    this.root = root;
    this.mine = mine;
    this.changed = changed;
    this.drawn = "";
    this.key = `molehunt sheet ${globalThis.location?.pathname ?? ""}${globalThis.location?.search ?? ""}`;
    this.kept = { own: false, marks: {} };
    this.recall();
    globalThis.addEventListener?.("storage", ({ key }) => {
      if (key !== this.key) return;
      this.recall(); // it was written on in another tab
      if (this.drawn) this.changed();
    });
  }

  recall() {
    try {
      this.kept = { ...this.kept, ...JSON.parse(localStorage.getItem(this.key) ?? "{}") };
    } catch {
      // A sheet that cannot be kept is a sheet all the same.
    }
  }

  /** The marks that are seen now: a row a card, a column a seat, last the envelope. */
  marks(position) {
    if (position.hands) {
      return position.categories.flatMap((category) => category.cards).map(({ card }) => [
        ...position.hands.map((hand) => (hand.includes(card) ? "yes" : "no")),
        position.envelope ? (position.envelope.includes(card) ? "yes" : "no") : position.hands.some((hand) => hand.includes(card)) ? "no" : "yes",
      ]);
    }
    if (!this.ownMarks(position)) return position.sheet;
    return position.sheet.map((row, card) => row.map((_one, column) => (column === this.me
      ? position.hand.includes(card) ? "yes" : "no"
      : this.kept.marks[`${card},${column}`] ?? "")));
  }

  ownMarks(position) {
    return position.hand !== null && (position.unsolved || (this.mine && this.kept.own));
  }

  /** The column of the envelope, as it is seen now. */
  envelope(position) {
    return position.sheet || position.hands ? this.marks(position).map((row) => row.at(-1)) : [];
  }

  draw(position, names, me) {
    this.me = me;
    if (!position.sheet && !position.hands) {
      this.drawn = "";
      this.root.replaceChildren();
      return;
    }
    const marks = this.marks(position);
    const own = this.ownMarks(position);
    const state = JSON.stringify([marks, names, me, own, position.out]);
    if (state === this.drawn) return;
    this.drawn = state;
    keepFocus(this.root, () => this.root.replaceChildren(...this.parts(position, names, marks, own)));
    if (own) clueArrowKeys(this.root.querySelector("table"));
  }

  parts(position, names, marks, own) {
    const first = this.me ?? 0;
    const order = [...names.keys()].map((step) => (first + step) % names.length);
    const columns = [...order, names.length];
    const title = (column) => (column === names.length ? _("Envelope") : column === this.me ? _("You") : names[column]);
    const head = make("tr", {}, make("td"), columns.map((column) => make("th", { scope: "col", title: title(column), class: this.columnClass(column, names, position) },
      make("span", {}, title(column)))));
    const rows = position.categories.flatMap((category) => [
      make("tr", { class: "clue-sheet-group" }, make("th", { scope: "colgroup", colspan: columns.length + 1 }, category.title)),
      ...category.cards.map(({ card, said: name }) => make("tr", { class: marks[card].at(-1) === "yes" ? "found" : marks[card].includes("yes") || marks[card].at(-1) === "no" ? "away" : "" },
        make("th", { scope: "row" }, make("span", {}, name)),
        columns.map((column, place) => this.cell(card, column, place, marks[card][column], own, `${name}, ${title(column)}`, this.columnClass(column, names, position))))),
    ]);
    return [
      this.mine && position.hand !== null && !position.hands ? this.choice() : null,
      make("div", { class: "clue-sheet-box", ...(own ? {} : { tabindex: 0, role: "region", "aria-label": _("The sheet"), "data-key": "sheet" }) }, make("table", { class: `clue-table${own ? " own" : ""}${columns.length > 4 ? " many" : ""}` }, make("caption", { class: "unseen" }, _("Who has which card")),
        make("thead", {}, head), make("tbody", {}, rows))),
      make("p", { class: "small muted clue-legend" }, own ? _("Press a cell: ✓ has it, ✕ has it not, ? may have it, empty.") : _("✓ has it   ✕ has it not   empty: not known")),
    ].filter(Boolean);
  }

  columnClass(column, names, position) {
    return [column === this.me ? "me" : "", column === names.length ? "envelope" : "", position.out.includes(column) ? "out" : ""].filter(Boolean).join(" ");
  }

  cell(card, column, place, mark, own, where, class_) {
    if (own && column !== this.me) {
      const press = () => {
        const next = SHEET_NEXT[this.kept.marks[`${card},${column}`] ?? ""];
        if (next) this.kept.marks[`${card},${column}`] = next;
        else delete this.kept.marks[`${card},${column}`];
        this.keep();
        tell(`${where}: ${_(SHEET_WORDS[next])}`);
        this.changed();
      };
      return make("td", { class: `${class_} ${mark}`.trim() }, make("button", { type: "button", "data-cell": `${card},${column}`, "data-at": `${card},${place}`, "data-key": `cell ${card},${column}`, tabindex: -1,
        "aria-label": `${where}: ${_(SHEET_WORDS[mark])}`, onclick: press }, SHEET_SIGNS[mark]));
    }
    return make("td", { class: `${class_} ${mark}`.trim(), "data-cell": `${card},${column}` },
      make("span", { "aria-hidden": "true" }, SHEET_SIGNS[mark]), make("span", { class: "unseen" }, mark ? _(SHEET_WORDS[mark]) : ""));
  }

  choice() {
    const option = (own, words) => {
      const input = make("input", { type: "radio", name: "clue-sheet", value: own ? "own" : "auto", "data-key": `sheet ${own}`, onchange: () => {
        this.kept.own = own;
        this.keep();
        this.changed();
      } });
      input.checked = this.kept.own === own;
      return make("label", { class: "clue-option" }, input, make("span", {}, words));
    };
    return make("fieldset", { class: "clue-choice" }, make("legend", { class: "unseen" }, _("Who fills in the sheet")), option(false, _("It fills itself")), option(true, _("I fill it in")));
  }

  keep() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.kept));
    } catch {
      // As above.
    }
  }
}
