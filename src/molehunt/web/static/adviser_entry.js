// The form in which it is said what happened: a suggestion with its answers, an accusation, a card that was seen; or what I am asked.

import { _, counted_in, later, listed } from "./language.js";
import { askedInVain, nextPlayer, whoLeft } from "./adviser_game.js";
import { clueCardButton, clueDeck, cluePicker, someCard } from "./clue_cards.js";
import { keepFocus, make, tell, withTabStorage } from "./dom.js";

const ENTRY_KINDS = [["suggestion", _("Suggestion")], ["asked", _("I am asked")], ["accusation", _("Accusation")], ["seen", _("Card seen")], ["stands", _("Room of a player")], ["left", _("A player leaves")]];
const ENTRY_ENVELOPE = "envelope"; // whose card it is, where it is no player's
const ENTRY_HAS = [["yes", _("Has it")], ["no", _("Has it not")], ["one of", _("Has one of several")]];
const ENTRY_LOCATION = 2;
const ENTRY_ANY = { suspect: later("some suspect"), weapon: later("some weapon"), location: later("some location") };
const ENTRY_USUAL = 2; // kinds that stand first: what happens at every turn
const ENTRY_KEY = "molehunt.adviser.entry";
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
    this.pointing = false; // whether the last choice was made by a finger or a mouse
    root.addEventListener("pointerdown", () => { this.pointing = true; });
    root.addEventListener("keydown", () => { this.pointing = false; });
  }

  /** Begin a new entry in a game with these categories. */
  begin(game, categories) {
    this.game = game;
    this.categories = categories;
    this.deck = clueDeck(categories);
    this.place = { mode: "add", n: game.entries.length + 1 };
    this.kind = "suggestion";
    this.by = nextPlayer(game);
    this.cards = [null, null, null];
    this.clearAnswer();
    this.right = false;
    this.unheard = [false, false, false];
    this.opened = null; // the group of cards that was opened where one is open at a time; null: the first without a choice
    this.allKinds = false;
    this.player = null;
    this.seenCards = [null];
    this.has = "yes";
    this.room = ENTRY_UNSAID;
    this.laidOpen = new Set(); // the cards that who leaves lays open
    if (!this.begun) this.takeUp();
    this.begun = true;
    this.draw();
  }

  // ---- what was begun ----

  /** Keep what is said so far for this tab, which a phone may load anew, and which the choice of a language does. */
  keepBegun() {
    const { place, kind, by, cards, shownBy, card, right, unheard, opened, allKinds, player, seenCards, has, room } = this;
    const said = { place, kind, by, cards, shownBy, card, right, unheard, opened, allKinds, player, seenCards, has, room, laidOpen: [...this.laidOpen] };
    withTabStorage((storage) => storage.setItem(ENTRY_KEY, JSON.stringify({ game: this.game, said })));
  }

  /** Go on with what was begun in this tab, where the game is still the one in which it was said. */
  takeUp() {
    withTabStorage((storage) => {
      const { game, said } = JSON.parse(storage.getItem(ENTRY_KEY) ?? "{}");
      if (said && JSON.stringify(game) === JSON.stringify(this.game)) Object.assign(this, said, { laidOpen: new Set(said.laidOpen) });
    });
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
      if (entry.what === "seen" || entry.what === "one of") {
        this.kind = "seen";
        this.player = entry.player === ENTRY_ENVELOPE ? this.game.players.length : this.game.players.indexOf(entry.player);
        this.seenCards = (entry.cards ?? [entry.card]).map(number);
        this.has = entry.what === "one of" ? "one of" : entry.has ? "yes" : "no";
      } else if (entry.what === "left") {
        [this.player, this.laidOpen] = [this.game.players.indexOf(entry.player), new Set(entry.cards.map(number))];
      } else if (entry.what === "stands") {
        [this.player, this.room] = [this.game.players.indexOf(entry.player), entry.room === null ? null : number(entry.room)];
      } else {
        this.unheard = entry.cards.map((card) => card === null);
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
    return player === this.me ? _("you") : this.game.players[player];
  }

  cardName(card) {
    return this.deck[card].name;
  }

  cardSaid(card) {
    return this.deck[card].said;
  }

  /** The cards that may have been named: those heard, and of what was not heard all of its kind. */
  mayBe() {
    return this.categories.flatMap((category, place) => (this.unheard[place] ? category.cards.map((card) => card.card) : [this.cards[place]]));
  }

  get ready() {
    return this.cards.every((card, place) => card !== null || this.unheard[place]);
  }

  mine(card) {
    return this.game.hand.includes(this.cardName(card));
  }

  set(change) {
    const parts = () => [...this.root.querySelectorAll(".entry-choice input[type=radio]")].map((input) => input.name);
    const [kind, before, was] = [this.kind, parts(), this.missing()];
    change();
    this.error = "";
    this.draw();
    const missing = this.missing();
    if (missing && !was) tell(_("Still needed: {what}.", { what: missing })); // of an answer that falls away with what it answered
    // A question that comes up below what is in sight, as who showed a card, is asked in sight.
    if (this.pointing && document.activeElement === document.body) this.root.querySelector(".clue-group.open input, .clue-group.open + .entry-choice input")?.focus({ preventScroll: true });
    const name = parts().at(-1);
    if (kind === this.kind && name && !before.includes(name)) this.root.querySelector(`[name="${name}"]`).closest("fieldset").scrollIntoView({ block: "nearest" });
  }

  // ---- drawing ----

  draw() {
    this.keepBegun();
    const parts = { suggestion: () => this.suggestionParts(), asked: () => this.askedParts(), accusation: () => this.accusationParts(), seen: () => this.seenParts(), stands: () => this.standsParts(), left: () => this.leftParts() }[this.kind]();
    const title = { add: null, edit: _("Correct entry {number}", { number: this.place.n }), insert: _("What happened before entry {number}", { number: this.place.n }) }[this.place.mode];
    keepFocus(this.root, () => this.root.replaceChildren(...[
      title ? make("p", { class: "notice entry-place" }, title) : null,
      this.kinds(),
      ...parts,
      this.error ? make("p", { class: "error", id: "entry-error", role: "alert" }, this.error) : null,
      this.buttons(),
    ].filter(Boolean)));
  }

  /** What happened; on a small screen what is rare stands behind a button. */
  kinds() {
    const offered = ENTRY_KINDS.filter(([kind]) => kind !== "asked" || this.place.mode === "add");
    const all = this.allKinds || this.place.mode !== "add" || ENTRY_KINDS.findIndex(([kind]) => kind === this.kind) >= ENTRY_USUAL;
    const choice = this.choice("entry-kind", _("What happened"), offered, this.kind, (kind) => { this.kind = kind; this.opened = null; this.clearAnswer(); }, all ? "entry-kinds all" : "entry-kinds");
    if (!all) {
      choice.querySelector(".pills").append(make("button", { type: "button", class: "pill entry-more", id: "entry-more", onclick: () => {
        this.set(() => { this.allKinds = true; });
        this.root.querySelectorAll(".entry-kinds input")[ENTRY_USUAL].focus({ preventScroll: true });
      } }, _("Other …")));
    }
    return choice;
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

  /** Who had left the table before what is entered here. */
  get gone() {
    return whoLeft(this.game, this.game.entries.slice(0, this.place.n - 1));
  }

  players(name, legend, value, choose, also = () => true) {
    const { gone } = this;
    const which = (place) => also(place) && !gone.has(place);
    const options = this.game.players.map((player, place) => [place, place === this.me ? _("{name} (you)", { name: player }) : player]).filter(([place]) => which(place));
    return this.choice(name, legend, options, value, choose);
  }

  // The cards by group. On a small screen one group is open at a time, and of the others stands what was chosen.
  picker(hears = false) {
    const open = this.opened ?? this.categories.findIndex((_one, place) => this.cards[place] === null && !this.unheard[place]);
    return cluePicker({
      categories: this.categories, chosen: this.cards, name: "entry",
      choose: (category, card) => this.set(() => { this.cards[category] = card; this.unheard[category] = false; this.opened = this.pointing ? null : category; this.clearAnswer(); }),
      mark: (card) => (this.mine(card.card) ? { note: _("yours") } : {}),
      frame: (category, place) => ({ class_: place === open ? "open" : "", head: [this.groupButton(category, place, place === open), hears ? this.unheardPill(place) : null] }),
    });
  }

  groupButton(category, place, open) {
    const card = this.cards[place];
    const said = card !== null ? this.cardSaid(card) : this.unheard[place] ? _("not heard") : "…";
    return make("button", { type: "button", class: "entry-group", "data-key": `group ${place}`, "data-group": place, "aria-expanded": String(open), onclick: () => {
      this.set(() => { this.opened = place; });
      const tiles = this.root.querySelectorAll(".clue-group")[place];
      (tiles.querySelector(":checked") ?? tiles.querySelector("label input")).focus({ preventScroll: true });
    } }, make("span", { class: "legend" }, category.title), make("strong", {}, said), make("span", { "aria-hidden": "true" }, "▾"));
  }

  suggestionParts() {
    const { ready } = this;
    return [
      this.players("entry-by", _("Who suggested?"), this.by, (by) => { this.by = by; if (by === this.me) this.unheard.fill(false); this.clearAnswer(); }),
      this.picker(this.by !== this.me),
      ready ? this.answerPart() : null,
      ready && this.shownBy !== ENTRY_UNSAID ? this.cardPart() : null,
    ].filter(Boolean);
  }

  unheardPill(place) {
    const input = make("input", { type: "checkbox", "data-key": `unheard ${place}`, onchange: () => this.set(() => {
      this.unheard[place] = input.checked;
      if (input.checked) this.cards[place] = null;
      this.opened = null;
      this.clearAnswer();
    }) });
    input.checked = this.unheard[place];
    return make("label", { class: "pill entry-unheard", "data-pick": `unheard ${place}` }, input, make("span", {}, _("not heard")));
  }

  answerPart() {
    const count = this.game.players.length;
    const order = Array.from({ length: count - 1 }, (_one, step) => (this.by + step + 1) % count).filter((player) => !this.gone.has(player));
    const options = [...order.map((player) => [player, player === this.me ? _("You") : this.game.players[player]]), [null, _("Nobody could")]];
    const vain = this.shownBy === ENTRY_UNSAID || this.shownBy === null ? [] : askedInVain(this.by, this.shownBy, count).filter((player) => !this.gone.has(player));
    return make("div", {}, this.choice("entry-shown-by", _("Who showed a card?"), options, this.shownBy, (player) => {
      this.shownBy = player;
      const own = this.mayBe().filter((card) => this.mine(card));
      this.card = player === this.me && own.length === 1 ? own[0] : player === null || (player !== this.me && this.by !== this.me) ? null : ENTRY_UNSAID;
    }), vain.length ? make("p", { class: "small muted entry-vain" }, _("Could show none: {names}.", { names: listed(vain.map((player) => this.name(player))) })) : null);
  }

  cardPart() {
    if (this.shownBy === null) return null;
    const own = this.shownBy === this.me;
    const legend = own ? _("Which card did you show?") : this.by === this.me ? _("Which card did you see?") : _("Which card was it?");
    const cards = this.mayBe().map((card) => [card, this.cardSaid(card)]).filter(([card]) => !own || this.mine(card));
    const options = own ? cards : [...cards, [null, this.by === this.me ? _("I do not know") : _("Not seen")]];
    if (own && !cards.length) return make("p", { class: "notice bad" }, _("You hold none of these cards."));
    return this.choice("entry-card", legend, options, this.card, (card) => { this.card = card; });
  }

  askedParts() {
    const ready = this.cards.every((card) => card !== null);
    return [
      this.players("entry-by", _("Who asks?"), this.by === this.me ? null : this.by, (by) => { this.by = by; this.clearAnswer(); }, (player) => player !== this.me),
      this.picker(),
      ready && this.by !== this.me && this.showing ? this.showingPart() : null,
    ].filter(Boolean);
  }

  showingPart() {
    if (this.showing.problem) return make("p", { class: "notice bad preline" }, this.showing.problem);
    return make("div", { class: "stack entry-showing" },
      make("p", { class: "notice good" }, this.showing.words),
      make("div", { class: "clue-cards clue-show" }, this.showing.rows.map((row, place) => clueCardButton(this.deck[row.card], row.told,
        { class: `clue-card ${this.deck[row.card].what}${place ? "" : " clue-shown"}`, "data-show": row.card, "aria-label": _("I showed {card}; it tells {told}", { card: this.cardSaid(row.card), told: row.told }),
          onclick: () => { this.kind = "suggestion"; this.shownBy = this.me; this.card = row.card; this.submit(); } }))),
      make("p", { class: "small muted" }, _("Tap the card that you showed, and it is entered.")));
  }

  accusationParts() {
    return [
      this.players("entry-by", _("Who accused?"), this.by, (by) => { this.by = by; }),
      this.picker(),
      this.choice("entry-right", _("Was it right?"), [[false, _("Wrong, and out")], [true, _("Right, and won")]], this.right, (right) => { this.right = right; }),
    ];
  }

  seenParts() {
    const most = this.game.players.length;
    const places = [...this.game.players.map((player, place) => [place, player]), [most, _("The envelope")]].filter(([place]) => place !== this.me && (place < most || this.has !== "one of"));
    const choose = (has) => {
      this.has = has;
      this.seenCards = has === "one of" ? [this.seenCards[0], this.seenCards[1] ?? null] : [this.seenCards[0]];
      if (has === "one of" && this.player === most) this.player = null;
    };
    return [
      make("p", { class: "small muted" }, _("What became known in another way: a card fell on the floor, was turned up, or somebody gave something away.")),
      this.choice("entry-player", _("Whose hand?"), places, this.player, (player) => { this.player = player; }),
      this.choice("entry-has", _("What did you learn?"), ENTRY_HAS, this.has, choose),
      ...this.seenCards.map((_one, place) => this.seenSelect(place)),
      this.has === "one of" && this.seenCards.length < 6 ? make("button", { type: "button", class: "button tiny", "data-key": "seen more", onclick: () => this.set(() => this.seenCards.push(null)) }, _("Or one more card")) : null,
    ].filter(Boolean);
  }

  seenSelect(place) {
    const id = `entry-seen-card${place ? `-${place}` : ""}`;
    const select = make("select", { id, "data-key": `seen card ${place}`, onchange: () => this.set(() => { this.seenCards[place] = select.value === "" ? null : Number(select.value); }) },
      make("option", { value: "" }, _("choose a card")),
      this.categories.map((category) => make("optgroup", { label: category.title }, category.cards.map((card) => make("option", { value: card.card }, card.said ?? card.name)))));
    select.value = this.seenCards[place] === null ? "" : String(this.seenCards[place]);
    return make("label", { class: "field", for: id }, make("span", {}, place ? _("Or which card?") : _("Which card?")), select);
  }

  standsParts() {
    const rooms = [...this.categories[ENTRY_LOCATION].cards.map((card) => [card.card, card.said ?? card.name]), [null, _("In no room")]];
    return [
      make("p", { class: "small muted" }, _("Enter in which room a player stands, before they suggest there: who must name that room tells nothing by it. In a game on a board this is taken for granted; then it only helps to notice a wrong entry.")),
      this.players("entry-player", _("Which player?"), this.player, (player) => { this.player = player; }),
      this.choice("entry-room", _("In which room do they stand?"), rooms, this.room, (room) => { this.room = room; }),
    ];
  }

  leftParts() {
    const size = this.game.hand_sizes[this.player];
    const pill = (card) => {
      const box = make("input", { type: "checkbox", "data-key": `left ${card.card}`, onchange: () => this.set(() => { if (!this.laidOpen.delete(card.card)) this.laidOpen.add(card.card); }) });
      box.checked = this.laidOpen.has(card.card);
      return make("label", { class: "pill", "data-pick": `left ${card.card}` }, box, make("span", {}, card.said ?? card.name));
    };
    return [
      make("p", { class: "small muted" }, _("Who leaves in the middle of the game lays all their cards open, and nobody asks them any more.")),
      this.players("entry-player", _("Which player?"), this.player, (player) => { this.player = player; }, (player) => player !== this.me),
      make("fieldset", { class: "entry-choice" }, make("legend", { class: "legend" }, size ? counted_in("The {n} card that they laid open", "The {n} cards that they laid open", size) : _("The cards that they laid open")),
        make("div", { class: "pills" }, this.categories.flatMap((category) => category.cards).filter((card) => !this.mine(card.card)).map(pill))),
    ];
  }

  // The button is gone then: one goes on with the next entry.
  cancel() {
    this.begin(this.game, this.categories);
    this.root.querySelector(":checked")?.focus({ preventScroll: true });
  }

  buttons() {
    const cancel = this.place.mode === "add" ? null : make("button", { type: "button", class: "button", id: "entry-cancel", "data-key": "entry cancel", onclick: () => this.cancel() }, _("Cancel"));
    const missing = this.missing();
    const words = this.kind === "asked" ? _("Which card should I show?") : { add: _("Enter"), edit: _("Correct entry {number}", { number: this.place.n }), insert: _("Insert") }[this.place.mode];
    return make("div", { class: "clue-bar entry-bar" },
      make("p", { class: "small muted", id: "entry-missing" }, missing ? _("Still needed: {what}.", { what: missing }) : this.kind === "asked" ? "" : this.summary()),
      make("div", { class: "row" }, cancel,
        make("button", { type: "button", class: "button primary", id: "entry-save", "data-key": "entry save", disabled: Boolean(missing) || this.busy, "aria-describedby": "entry-missing",
          onclick: () => (this.kind === "asked" ? this.ask() : this.submit()) }, words)));
  }

  // ---- what is said ----

  /** What must still be said, in words; empty where nothing. */
  missing() {
    if (this.kind === "seen") return listed([this.player === null ? _("whose hand") : null, this.seenCards.includes(null) ? _("the card") : null].filter(Boolean));
    if (this.kind === "stands") return listed([this.player === null ? _("who") : null, this.room === ENTRY_UNSAID ? _("the room") : null].filter(Boolean));
    if (this.kind === "left") {
      const more = this.game.hand_sizes[this.player] - this.laidOpen.size;
      return listed([this.player === null ? _("who") : null, more > 0 ? counted_in("{n} more card", "{n} more cards", more) : more < 0 ? counted_in("{n} card less", "{n} cards less", -more) : null].filter(Boolean));
    }
    const heard = (place) => this.cards[place] !== null || (this.kind === "suggestion" && this.unheard[place]);
    const cards = this.categories.filter((_one, place) => !heard(place)).map((category) => someCard(category.what));
    if (cards.length) return listed(cards);
    if (this.kind === "asked") return this.by === this.me ? _("who asks") : "";
    if (this.kind === "accusation") return "";
    if (this.shownBy === ENTRY_UNSAID) return _("who showed a card");
    return this.shownBy !== null && this.card === ENTRY_UNSAID ? _("which card") : "";
  }

  summary() {
    if (["seen", "stands", "left"].includes(this.kind)) return "";
    const who = this.name(this.by);
    return `${who[0].toUpperCase()}${who.slice(1)}: ${this.cards.map((card, place) => (card === null ? _(ENTRY_ANY[this.categories[place].what]) : this.cardSaid(card))).join(", ")}`;
  }

  entry() {
    const { players } = this.game;
    const whose = players[this.player] ?? ENTRY_ENVELOPE;
    if (this.kind === "seen" && this.has === "one of") return { what: "one of", player: whose, cards: this.seenCards.map((card) => this.cardName(card)) };
    if (this.kind === "seen") return { what: "seen", player: whose, card: this.cardName(this.seenCards[0]), has: this.has === "yes" };
    if (this.kind === "left") return { what: "left", player: whose, cards: this.deck.filter(({ card }) => this.laidOpen.has(card)).map(({ name }) => name) };
    if (this.kind === "stands") return { what: "stands", player: whose, room: this.room === null ? null : this.cardName(this.room) };
    const cards = this.cards.map((card) => (card === null ? null : this.cardName(card)));
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
    this.root.querySelector("#entry-error")?.scrollIntoView({ block: "nearest" });
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
    this.root.querySelector("#entry-error, .entry-showing")?.scrollIntoView({ block: "nearest" });
  }
}
