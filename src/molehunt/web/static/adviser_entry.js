// The form in which it is said what happened: a suggestion with its answers, an accusation, a card that was seen; or what I am asked.

import { askedInVain, listed, nextPlayer } from "./adviser_game.js";
import { clueCardButton, cluePicker } from "./clue_cards.js";
import { keepFocus, make } from "./dom.js";

const ENTRY_KINDS = [["suggestion", "Suggestion"], ["asked", "I am asked"], ["accusation", "Accusation"], ["seen", "Card seen"]];
const ENTRY_UNSAID = undefined; // nothing was said yet, where null means nobody or unknown

/** The form in `root`.
 *
 * `save(entry, place)` enters it, place being {mode: "add" | "edit" | "insert", n}; it answers with an error in words or "".
 * `advise(asked)` asks which card to show and answers with the server's answer. */
export class AdviserEntry {
  constructor(root, save, advise) {
    this.root = root;
    this.save = save;
    this.advise = advise;
  }

  /** Begin a new entry in a game with these categories. */
  begin(game, categories) {
    this.game = game;
    this.categories = categories;
    this.deck = categories.flatMap((category) => category.cards.map((card) => ({ ...card, what: category.what })));
    this.place = { mode: "add", n: game.entries.length + 1 };
    this.kind = "suggestion";
    this.by = nextPlayer(game);
    this.cards = [null, null, null];
    this.clearAnswer();
    this.right = false;
    this.player = null;
    this.seenCard = null;
    this.has = true;
    this.draw();
  }

  clearAnswer() {
    this.shownBy = ENTRY_UNSAID;
    this.card = ENTRY_UNSAID;
    this.showing = null; // what the server says about which card to show
    this.error = "";
  }

  /** Load an entry to be edited, or begin one that goes before it. */
  open(mode, n) {
    const entry = this.game.entries[n - 1];
    this.begin(this.game, this.categories);
    this.place = { mode, n };
    if (mode === "edit") {
      const number = (name) => this.deck.find((card) => card.name === name)?.card ?? null;
      this.kind = entry.what;
      if (entry.what === "seen") {
        [this.player, this.seenCard, this.has] = [this.game.players.indexOf(entry.player), number(entry.card), entry.has];
      } else {
        this.by = this.game.players.indexOf(entry.by);
        this.cards = entry.cards.map(number);
        if (entry.what === "accusation") this.right = entry.right;
        else [this.shownBy, this.card] = [entry.shown_by === null ? null : this.game.players.indexOf(entry.shown_by), entry.card === null ? null : number(entry.card)];
      }
    }
    this.draw();
    this.root.closest("section").scrollIntoView({ block: "start" });
    this.root.querySelector(":checked")?.focus({ preventScroll: true });
  }

  /** Fill in a suggestion of mine, as it was advised. */
  use(cards) {
    this.begin(this.game, this.categories);
    this.by = this.me;
    this.cards = [...cards];
    this.draw();
    this.root.closest("section").scrollIntoView({ block: "start" });
  }

  get me() {
    return this.game.players.indexOf(this.game.me);
  }

  name(player) {
    return player === this.me ? "you" : this.game.players[player];
  }

  cardName(card) {
    return this.deck[card].name;
  }

  mine(card) {
    return this.game.hand.includes(this.cardName(card));
  }

  set(change) {
    change();
    this.error = "";
    this.draw();
  }

  // ---- drawing ----

  draw() {
    const parts = { suggestion: () => this.suggestionParts(), asked: () => this.askedParts(), accusation: () => this.accusationParts(), seen: () => this.seenParts() }[this.kind]();
    const title = { add: null, edit: `Correct entry ${this.place.n}`, insert: `What happened before entry ${this.place.n}` }[this.place.mode];
    keepFocus(this.root, () => this.root.replaceChildren(...[
      title ? make("p", { class: "notice entry-place" }, title) : null,
      this.choice("entry-kind", "What happened", ENTRY_KINDS.filter(([kind]) => kind !== "asked" || this.place.mode === "add"), this.kind, (kind) => { this.kind = kind; this.clearAnswer(); }, "entry-kinds"),
      ...parts,
      this.error ? make("p", { class: "error", id: "entry-error", role: "alert" }, this.error) : null,
      this.buttons(),
    ].filter(Boolean)));
  }

  /** One choice of several, as a row of pills; `options` are [value, words, disabled]. */
  choice(name, legend, options, value, choose, class_ = "") {
    return make("fieldset", { class: `entry-choice ${class_}` }, make("legend", { class: "legend" }, legend),
      make("div", { class: "pills" }, options.map(([option, words, disabled = false]) => {
        const input = make("input", { type: "radio", name, value: String(option), disabled, "data-key": `${name} ${option}`, onchange: () => this.set(() => choose(option)) });
        input.checked = option === value;
        return make("label", { class: "pill", "data-pick": `${name} ${option}` }, input, make("span", {}, words));
      })));
  }

  players(name, legend, value, choose, which = () => true) {
    const options = this.game.players.map((player, place) => [place, place === this.me ? `${player} (you)` : player]).filter(([place]) => which(place));
    return this.choice(name, legend, options, value, choose);
  }

  picker() {
    return cluePicker({
      categories: this.categories, chosen: this.cards, name: "entry",
      choose: (category, card) => this.set(() => { this.cards[category] = card; this.clearAnswer(); }),
      mark: (card) => (this.mine(card.card) ? { note: "yours" } : {}),
    });
  }

  suggestionParts() {
    const ready = this.cards.every((card) => card !== null);
    return [
      this.players("entry-by", "Who suggested?", this.by, (by) => { this.by = by; this.clearAnswer(); }),
      this.picker(),
      ready ? this.answerPart() : null,
      ready && this.shownBy !== ENTRY_UNSAID ? this.cardPart() : null,
    ].filter(Boolean);
  }

  answerPart() {
    const count = this.game.players.length;
    const order = Array.from({ length: count - 1 }, (_, step) => (this.by + step + 1) % count);
    const options = [...order.map((player) => [player, player === this.me ? "You" : this.game.players[player]]), [null, "Nobody could"]];
    const vain = this.shownBy === ENTRY_UNSAID || this.shownBy === null ? [] : askedInVain(this.by, this.shownBy, count);
    return make("div", {}, this.choice("entry-shown-by", "Who showed a card?", options, this.shownBy, (player) => {
      this.shownBy = player;
      const own = this.cards.filter((card) => this.mine(card));
      this.card = player === this.me && own.length === 1 ? own[0] : player === null || (player !== this.me && this.by !== this.me) ? null : ENTRY_UNSAID;
    }), vain.length ? make("p", { class: "small muted entry-vain" }, `So ${listed(vain.map((player) => this.name(player)))} had none of them.`) : null);
  }

  cardPart() {
    if (this.shownBy === null) return null;
    const own = this.shownBy === this.me;
    const legend = own ? "Which card did you show?" : this.by === this.me ? "Which card did you see?" : "Which card was it?";
    const cards = this.cards.map((card) => [card, this.cardName(card)]).filter(([card]) => !own || this.mine(card));
    const options = own ? cards : [...cards, [null, this.by === this.me ? "I do not know" : "Not seen"]];
    if (own && !cards.length) return make("p", { class: "notice bad" }, "You hold none of these cards.");
    return this.choice("entry-card", legend, options, this.card, (card) => { this.card = card; });
  }

  askedParts() {
    const ready = this.cards.every((card) => card !== null);
    return [
      this.players("entry-by", "Who asks?", this.by === this.me ? null : this.by, (by) => { this.by = by; this.clearAnswer(); }, (player) => player !== this.me),
      this.picker(),
      ready && this.by !== this.me && this.showing ? this.showingPart() : null,
    ].filter(Boolean);
  }

  showingPart() {
    if (this.showing.problem) return make("p", { class: "notice bad preline" }, this.showing.problem);
    return make("div", { class: "stack entry-showing" },
      make("p", { class: "notice good" }, this.showing.words),
      make("div", { class: "clue-cards clue-show" }, this.showing.rows.map((row, place) => clueCardButton(this.deck[row.card], row.told,
        { class: `clue-card ${this.deck[row.card].what}${place ? "" : " clue-shown"}`, "data-show": row.card, "aria-label": `I showed ${this.cardName(row.card)}; it tells ${row.told}`,
          onclick: () => { this.kind = "suggestion"; this.shownBy = this.me; this.card = row.card; this.submit(); } }))),
      make("p", { class: "small muted" }, "Tap the card that you showed, and it is entered."));
  }

  accusationParts() {
    return [
      this.players("entry-by", "Who accused?", this.by, (by) => { this.by = by; }),
      this.picker(),
      this.choice("entry-right", "Was it right?", [[false, "Wrong, and out"], [true, "Right, and won"]], this.right, (right) => { this.right = right; }),
    ];
  }

  seenParts() {
    const select = make("select", { id: "entry-seen-card", "data-key": "seen card", onchange: () => this.set(() => { this.seenCard = select.value === "" ? null : Number(select.value); }) },
      make("option", { value: "" }, "choose a card"),
      this.categories.map((category) => make("optgroup", { label: category.title }, category.cards.map((card) => make("option", { value: card.card }, card.name)))));
    select.value = this.seenCard === null ? "" : String(this.seenCard);
    return [
      make("p", { class: "small muted" }, "A card that became known in another way: it fell on the floor, or was turned up."),
      this.players("entry-player", "Whose hand?", this.player, (player) => { this.player = player; }, (player) => player !== this.me),
      make("label", { class: "field", for: "entry-seen-card" }, make("span", {}, "Which card?"), select),
      this.choice("entry-has", "What did you learn?", [[true, "Has it"], [false, "Has it not"]], this.has, (has) => { this.has = has; }),
    ];
  }

  buttons() {
    const cancel = this.place.mode === "add" ? null : make("button", { type: "button", class: "button", id: "entry-cancel", "data-key": "entry cancel", onclick: () => this.begin(this.game, this.categories) }, "Cancel");
    const missing = this.missing();
    const words = this.kind === "asked" ? "Which card should I show?" : { add: "Enter", edit: `Correct entry ${this.place.n}`, insert: "Insert" }[this.place.mode];
    return make("div", { class: "clue-bar entry-bar" },
      make("p", { class: "small muted", id: "entry-missing" }, missing ? `Still needed: ${missing}.` : this.kind === "asked" ? "" : this.summary()),
      make("div", { class: "row" }, cancel,
        make("button", { type: "button", class: "button primary", id: "entry-save", "data-key": "entry save", disabled: Boolean(missing) || this.busy, "aria-describedby": "entry-missing",
          onclick: () => (this.kind === "asked" ? this.ask() : this.submit()) }, words)));
  }

  // ---- what is said ----

  /** What must still be said, in words; empty where nothing. */
  missing() {
    if (this.kind === "seen") return listed([this.player === null ? "whose hand" : null, this.seenCard === null ? "the card" : null].filter(Boolean));
    const cards = this.categories.filter((_, place) => this.cards[place] === null).map((category) => `a ${category.what}`);
    if (cards.length) return listed(cards);
    if (this.kind === "asked") return this.by === this.me ? "who asks" : "";
    if (this.kind === "accusation") return "";
    if (this.shownBy === ENTRY_UNSAID) return "who showed a card";
    return this.shownBy !== null && this.card === ENTRY_UNSAID ? "which card" : "";
  }

  summary() {
    if (this.kind === "seen") return "";
    const who = this.name(this.by);
    return `${who[0].toUpperCase()}${who.slice(1)}: ${this.cards.map((card) => this.cardName(card)).join(", ")}`;
  }

  entry() {
    const { players } = this.game;
    if (this.kind === "seen") return { what: "seen", player: players[this.player], card: this.cardName(this.seenCard), has: this.has };
    const cards = this.cards.map((card) => this.cardName(card));
    if (this.kind === "accusation") return { what: "accusation", by: players[this.by], cards, right: this.right };
    return { what: "suggestion", by: players[this.by], cards, shown_by: this.shownBy === null ? null : players[this.shownBy],
      card: this.shownBy === null || this.card === null ? null : this.cardName(this.card) };
  }

  async submit() {
    this.busy = true;
    this.draw();
    const error = await this.save(this.entry(), this.place);
    this.busy = false;
    this.error = error;
    this.draw();
    // What was pressed is now disabled: go on with the next entry, or stay with what is wrong.
    if (document.activeElement === document.body) this.root.querySelector(error ? "#entry-save" : ":checked")?.focus({ preventScroll: true });
  }

  async ask() {
    this.busy = true;
    this.draw();
    const asked = { by: this.game.players[this.by], cards: this.cards.map((card) => this.cardName(card)) };
    const answer = await this.advise(asked);
    this.busy = false;
    this.error = answer.error ?? "";
    this.showing = answer.show ?? null;
    this.draw();
    this.root.querySelector(".entry-showing")?.scrollIntoView({ block: "nearest" });
  }
}
