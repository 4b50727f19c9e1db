// The adviser's first page: the card set, who sits at the table, and what was dealt to me. Also to correct it later.

import { _, counted_in, listed } from "./language.js";
import { ADVISER_FORMAT, adviserCategories, likelySizes, readCardSet, renamed } from "./adviser_game.js";
import { drawFace } from "./clue_faces.js";
import { keepFocus, make, withTabStorage } from "./dom.js";

const SETUP_EXAMPLE = '{"title": "our cards", "suspects": ["Fox", "Owl"], "weapons": ["Pin", "Net"], "locations": ["Den", "Barn", "Pond"]}';
const SETUP_NAMES = ["", "", ""];
const SETUP_KEY = "molehunt.adviser.setup";

/** The form in `root`. `done(game)` is called with the game that was set up, `cancel()` where a game is only corrected. */
export class AdviserSetup {
  constructor(root, data, done, cancel, openFile) {
    this.root = root;
    this.data = data;
    this.done = done;
    this.cancel = cancel;
    this.openFile = openFile;
  }

  /** Begin with nothing, or with a game that is to be corrected. */
  start(game = null) {
    this.game = game;
    this.cards = game?.cards ?? this.data.editions[0].name;
    this.own = typeof this.cards !== "string";
    this.ownText = this.own ? JSON.stringify(this.cards, null, 1) : "";
    this.ownError = "";
    this.names = [...(game?.players ?? SETUP_NAMES)];
    this.me = game ? game.players.indexOf(game.me) : 0;
    this.hand = new Set(game?.hand ?? []);
    this.faceUp = new Set(game?.face_up ?? []);
    this.turns = game ? game.board?.turns ?? null : this.usualTurns(); // null: rooms are named freely
    this.sizes = game ? [...game.hand_sizes] : null; // null: as an even deal has it
    this.error = "";
    this.uneven = 0; // as many cards of my own as it was asked whether they are right
    this.waiting = false;
    if (!game) this.takeUp();
    this.draw();
  }

  // ---- what was begun ----

  /** Keep what is filled in for this tab, which a phone may load anew, and which the choice of a language does. */
  keepBegun() {
    if (this.game) return;
    const { cards, own, ownText, names, me, turns, sizes } = this;
    withTabStorage((storage) => storage.setItem(SETUP_KEY, JSON.stringify({ cards, own, ownText, names, me, turns, sizes, hand: [...this.hand], faceUp: [...this.faceUp] })));
  }

  /** Go on with what was begun in this tab, where there is something. */
  takeUp() {
    withTabStorage((storage) => {
      const { hand, faceUp, ...begun } = JSON.parse(storage.getItem(SETUP_KEY) ?? "{}");
      if (!begun.own && !this.data.editions.some(({ name }) => name === begun.cards)) return;
      Object.assign(this, begun, { hand: new Set(hand), faceUp: new Set(faceUp) });
    });
  }

  /** Turns for a suggestion where one plays on a board, as with the cards of an edition of the board game. */
  usualTurns() {
    return this.data.editions.find((edition) => edition.name === this.cards)?.board ? this.data.turns[0] : null;
  }

  categories() {
    return adviserCategories(this.cards, this.data.editions);
  }

  dealt() {
    return this.categories().reduce((sum, category) => sum + category.cards.length, 0) - 3 - this.faceUp.size;
  }

  /** How many cards I may have been dealt where nobody has two more than another: one number, or two. */
  evenDeal() {
    const each = this.dealt() / this.names.length;
    return [...new Set([Math.floor(each), Math.ceil(each)])];
  }

  shownSizes() {
    return this.sizes ?? likelySizes(this.dealt(), this.names.length, this.me, this.hand.size || Math.floor(this.dealt() / this.names.length));
  }

  /** The server has answered: an error in words, or "". */
  answered(error) {
    this.waiting = false;
    this.fail(error);
    if (!error) withTabStorage((storage) => storage.removeItem(SETUP_KEY));
  }

  fail(words) {
    this.error = words;
    this.draw();
    this.root.querySelector("#setup-error")?.scrollIntoView({ block: "nearest" });
  }

  draw() {
    this.keepBegun();
    keepFocus(this.root, () => this.root.replaceChildren(
      make("form", { class: "stack", novalidate: true, onsubmit: (event) => { event.preventDefault(); this.finish(); } },
        make("div", { class: "setup-columns" },
          make("div", { class: "stack" }, this.game ? null : this.cardSet(), this.players(), this.boardPart()),
          make("div", { class: "stack" }, this.handPart(), this.faceUpPart())),
        this.error ? make("p", { class: "error", id: "setup-error", role: "alert" }, this.error) : null,
        make("div", { class: "row setup-end" },
          make("button", { class: "button primary", id: "setup-start", "data-key": "start", disabled: this.waiting }, this.waiting ? _("Thinking …") : this.game ? _("Correct the game") : _("Start")),
          this.game ? make("button", { type: "button", class: "button", "data-key": "cancel", onclick: () => this.cancel() }, _("Back"))
            : make("button", { type: "button", class: "button", id: "setup-open", "data-key": "open", onclick: () => this.openFile() }, _("Open a saved game …"))))));
  }

  cardSet() {
    const named = (edition) => make("option", { value: edition.name }, edition.title[0].toUpperCase() + edition.title.slice(1));
    const group = (label, board) => make("optgroup", { label }, this.data.editions.filter((edition) => edition.board === board).map(named));
    const select = make("select", { id: "setup-cards", "data-key": "cards", onchange: () => {
      this.own = select.value === "own";
      this.hand.clear();
      this.faceUp.clear();
      this.sizes = null;
      if (this.own) this.readOwn(this.ownText);
      else this.cards = select.value;
      this.turns = this.usualTurns();
      this.draw();
    } }, group(_("Editions of the board game"), true), group(_("Other cards"), false), make("option", { value: "own" }, _("A list of my own")));
    select.value = this.own ? "own" : this.cards;
    return make("section", { class: "panel stack" }, make("h2", {}, _("The cards")),
      make("label", { class: "field", for: "setup-cards" }, make("span", {}, _("Card set")), select),
      this.own ? this.ownList() : null);
  }

  ownList() {
    const text = make("textarea", { id: "setup-own", rows: 6, spellcheck: "false", "data-key": "own", placeholder: SETUP_EXAMPLE, "aria-describedby": "setup-own-help", onchange: () => {
      this.readOwn(text.value);
      this.draw();
    } });
    text.value = this.ownText;
    const file = make("input", { type: "file", id: "setup-own-file", accept: ".json,application/json", "data-key": "own file", onchange: async () => {
      this.readOwn(await file.files[0].text());
      this.draw();
    } });
    return make("div", { class: "stack" },
      make("label", { class: "field", for: "setup-own" }, make("span", {}, _("Paste it as JSON")), text),
      make("label", { class: "field", for: "setup-own-file" }, make("span", {}, _("Or a file")), file),
      this.ownError ? make("p", { class: "error", id: "setup-own-help" }, this.ownError)
        : make("p", { class: "small muted", id: "setup-own-help" }, counted_in("Lists of names, or names with short codes; at most {n} card.", "Lists of names, or names with short codes; at most {n} cards.", this.data.max_cards)));
  }

  readOwn(text) {
    this.ownText = text;
    this.hand.clear();
    this.faceUp.clear();
    this.sizes = null;
    try {
      this.cards = readCardSet(text);
      this.ownError = "";
    } catch (error) {
      this.cards = { title: "", suspects: {}, weapons: {}, locations: {} };
      this.ownError = text.trim() ? error.message : "";
    }
  }

  players() {
    const [least, most] = this.data.players;
    const sizes = this.shownSizes();
    const change = (work) => () => {
      work();
      if (!this.game) this.sizes = null;
      this.draw();
    };
    const move = (place, step) => change(() => {
      const to = place + step;
      [this.names[place], this.names[to]] = [this.names[to], this.names[place]];
      if (this.me === place) this.me = to;
      else if (this.me === to) this.me = place;
    });
    const line = (name, place) => {
      const field = make("input", { id: `setup-name-${place}`, maxlength: this.data.max_name, autocomplete: "off", spellcheck: "false", "aria-label": _("Name of player {number}", { number: place + 1 }),
        placeholder: place === this.me ? _("you") : _("player {number}", { number: place + 1 }), "data-key": `name ${place}`, oninput: () => { this.names[place] = field.value; this.keepBegun(); } });
      field.value = name;
      const me = make("input", { type: "radio", name: "setup-me", "aria-label": _("Player {number}: me", { number: place + 1 }), "data-key": `me ${place}`, disabled: Boolean(this.game), onchange: change(() => { this.me = place; }) });
      me.checked = place === this.me;
      const size = make("input", { type: "number", min: 1, max: 30, inputmode: "numeric", class: "setup-size", "aria-label": _("Cards of player {number}", { number: place + 1 }), "data-key": `size ${place}`, onchange: () => {
        this.sizes = this.shownSizes();
        this.sizes[place] = Number(size.value);
        this.draw();
      } });
      size.value = this.dealt() > 0 ? sizes[place] : "";
      return make("li", { class: "setup-player" },
        make("span", { class: "setup-number", "aria-hidden": "true" }, String(place + 1)), field,
        make("label", { class: "setup-me" }, me, make("span", {}, _("me"))), make("label", { class: "setup-cards" }, size, make("span", { class: "small muted" }, _("cards"))),
        this.game ? null : make("span", { class: "setup-moves" },
          make("button", { type: "button", class: "button tiny", "aria-label": _("Move player {number} up", { number: place + 1 }), "data-key": `up ${place}`, disabled: place === 0, onclick: move(place, -1) }, "↑"),
          make("button", { type: "button", class: "button tiny", "aria-label": _("Take player {number} away", { number: place + 1 }), "data-key": `away ${place}`, disabled: this.names.length <= least,
            onclick: change(() => { this.names.splice(place, 1); this.me = this.me > place ? this.me - 1 : Math.min(this.me, this.names.length - 1); }) }, "✕")));
    };
    return make("section", { class: "panel stack" }, make("h2", {}, _("The players")),
      this.game ? null : make("p", { id: "setup-most" }, _("{least} to {most} players, also where the box of an edition is for more.", { least, most })),
      make("p", { class: "small muted" }, _("In the order in which you sit: who suggests asks the next one first. The number is how many cards each was dealt.")),
      make("ol", { class: "setup-players" }, this.names.map(line)),
      this.game || this.names.length >= most ? null
        : make("button", { type: "button", class: "button", id: "setup-add", "data-key": "add", onclick: change(() => this.names.push("")) }, _("One more player")));
  }

  boardPart() {
    const [usual, most] = this.data.turns;
    const board = make("input", { type: "checkbox", id: "setup-board", "data-key": "board", onchange: () => { this.turns = board.checked ? usual : null; this.draw(); } });
    board.checked = this.turns !== null;
    const turns = make("input", { type: "number", id: "setup-turns", min: 1, max: most, step: 0.5, inputmode: "decimal", class: "setup-size", "data-key": "turns", onchange: () => { this.turns = Number(turns.value); this.keepBegun(); } });
    turns.value = this.turns ?? usual;
    return make("section", { class: "panel stack" }, make("h2", {}, _("The board")),
      make("label", { class: "setup-check", for: "setup-board" }, board, make("span", {}, _("One must name the room in which one stands"))),
      this.turns === null ? make("p", { class: "small muted" }, _("Without a board everybody names any room, and suggests in every turn."))
        : make("label", { class: "field", for: "setup-turns" }, make("span", {}, _("About how many turns a player needs to reach a room and suggest")), turns));
  }

  faceUpPart() {
    const categories = this.categories();
    const pill = (card) => {
      const box = make("input", { type: "checkbox", "data-key": `face up ${card.card}`, onchange: () => {
        if (box.checked) this.faceUp.add(card.name);
        else this.faceUp.delete(card.name);
        this.hand.delete(card.name);
        this.sizes = null;
        this.draw();
      } });
      box.checked = this.faceUp.has(card.name);
      return make("label", { class: "pill", "data-pick": `face up ${card.card}` }, box, make("span", {}, card.said ?? card.name));
    };
    const details = make("details", { class: "panel setup-face-up", ontoggle: () => { this.faceUpOpen = details.open; } },
      make("summary", { "data-key": "face up" }, this.faceUp.size ? _("Cards left over, face up: {number}", { number: this.faceUp.size }) : _("Were cards left over, face up?")),
      make("div", { class: "pills" }, categories.flatMap((category) => category.cards.map(pill))));
    details.open = this.faceUpOpen ?? this.faceUp.size > 0;
    return categories.length ? details : null;
  }

  handPart() {
    const categories = this.categories();
    const sizes = this.shownSizes();
    const tile = (card, what) => {
      const box = make("input", { type: "checkbox", value: card.card, "data-key": `hand ${card.card}`, onchange: () => {
        this.error = ""; // which was of the hand as it was
        this.faceUp.delete(card.name);
        if (box.checked) this.hand.add(card.name);
        else this.hand.delete(card.name);
        this.draw();
      } });
      box.checked = this.hand.has(card.name);
      return make("label", { class: "clue-tile", "data-card": card.card }, box, make("span", { class: "clue-art" }, drawFace(card, what)),
        make("span", { class: "clue-tile-words" }, make("span", { class: "clue-name" }, card.said ?? card.name)));
    };
    const words = !this.hand.size ? _("Tap the cards that you were dealt.")
      : this.sizes && this.hand.size !== sizes[this.me] ? _("You have tapped {tapped}, and by the numbers you were dealt {dealt}.", { tapped: this.hand.size, dealt: sizes[this.me] }) : counted_in("You hold {n} card.", "You hold {n} cards.", this.hand.size);
    return make("section", { class: "panel clue setup-hand" }, make("h2", {}, _("Your hand")),
      make("p", { class: "small muted", id: "setup-hand-words" }, words),
      categories.length && this.dealt() > 0 ? make("div", { class: "clue-picker" }, categories.map((category) => make("fieldset", { class: "clue-group" }, make("legend", { class: "legend" }, category.title),
        make("div", { class: "clue-tiles" }, category.cards.map((card) => tile(card, category.what)))))) : make("p", { class: "muted" }, _("First give the cards.")));
  }

  finish() {
    const names = this.names.map((name, place) => name.trim().replace(/\s+/g, " ") || (place === this.me ? _("Me") : _("Player {number}", { number: place + 1 })));
    if (this.own && this.dealt() <= 0) return this.fail(this.ownError || _("Paste your card set, or choose another."));
    if (!this.hand.size) return this.fail(_("Tap the cards that you were dealt."));
    const order = this.categories().flatMap((category) => category.cards.map((card) => card.name));
    const hand = order.filter((name) => this.hand.has(name));
    const sizes = this.shownSizes();
    const short = sizes.findIndex((size) => !Number.isInteger(size) || size < 1);
    if (short >= 0) return this.fail(_("{name} must have at least one card.", { name: names[short] }));
    const sum = sizes.reduce((all, size) => all + size, 0);
    if (sum !== this.dealt()) return this.fail(_("{dealt} cards are dealt, and {sizes} are {sum}.", { dealt: this.dealt(), sizes: listed(sizes.map(String)), sum }));
    const each = this.evenDeal();
    if (!this.sizes && !each.includes(hand.length) && this.uneven !== hand.length) {
      this.uneven = hand.length;
      return this.fail(_("You have tapped {tapped}, and by an even deal you would have {dealt}. Where {tapped} is right, choose “{start}” once more.",
        { tapped: hand.length, dealt: each.join("/"), start: _("Start") }));
    }
    const game = this.game ? renamed(this.game, names) : { advice: ADVISER_FORMAT, game: "speed_clue", cards: this.cards, players: names, me: names[this.me], entries: [] };
    const faceUp = order.filter((name) => this.faceUp.has(name));
    this.waiting = true;
    this.fail("");
    return this.done({ ...game, hand, hand_sizes: sizes, face_up: faceUp, board: this.turns === null ? null : { turns: this.turns } });
  }
}
