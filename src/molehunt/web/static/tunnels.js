// The board of Saboteur and of the duel: the mine, the hand, what the chosen card can do, and what is known of each seat.

import { _, counted_in } from "./language.js";
import { makeDraggable } from "./drag.js";
import { drawSymbol, keepFocus, make, setAll, setText, tell } from "./dom.js";
import { Mine, cellKey } from "./mine.js";
import { changesOf, seatAt, showMotion } from "./motion.js";
import { RoundScene, dealRole } from "./scenes.js";
import { guardTaps } from "./taps.js";
import { CARD_PROMPTS, capitalOf, captionOf, harms, iconOf, idleWords, isPath, seatParts, showHands } from "./tunnel_parts.js";
import { overturnedWords, placeSaid } from "./turning.js";

/** A position in `root`. `play(notation)` sends a move; with `play === null` it is a drawing that only shows. */
export class Board {
  constructor(root, play) {
    this.root = root;
    this.play = play;
    this.changed = null; // called when the seats are to be drawn again
    this.picked = null; // the place of the chosen card in the hand
    this.turned = false;
    this.asked = null; // a seat for which there is more than one move
    this.doubted = null; // a move that hurts the reader, who is asked once more
    this.saying = false; // whether the reader chooses what to say before a card
    this.pointed = null; // a move that a hint points at
    this.sent = false; // whether a move is on its way to the server
    this.played = null; // the place in the hand of the card of that move
    this.position = null;
    root.classList.add("tunnels");
    root.classList.toggle("still", !play);
    this.mine = new Mine(root, (key) => this.chooseCell(key), () => this.focusHand());
    this.table = make("div", { class: "hand-area" });
    root.append(this.table);
    this.scene = new RoundScene(root);
    this.prompt = make("p", { class: "prompt", id: "prompt" });
    this.actions = make("div", { class: "actions", id: "actions" });
    this.hand = make("div", { class: "hand" });
    if (play) {
      setAll(this.hand, { role: "toolbar", "aria-label": _("Your hand") });
      this.hand.onkeydown = (event) => this.stepHand(event);
      this.shown = make("div");
      this.table.append(make("div", { class: "hand-says" }, this.mine.map.root, this.prompt), this.hand, this.actions, this.shown);
      document.addEventListener("keydown", (event) => this.shortcut(event));
      guardTaps(root, "[data-play], [data-discard], .cell.lit");
    } else {
      this.shown = this.hand;
      this.table.append(this.hand);
      root.append(this.mine.map.root);
    }
  }

  /** Show a table frame; a frame without a position leaves all as it is. */
  update(frame) {
    if (!frame.position) return;
    const before = this.chosen();
    const left = this.frame;
    const read = this.scene.panel.contains(document.activeElement);
    this.frame = frame;
    this.position = frame.position;
    this.scene.show(frame, frame.held, frame.goOn);
    if (left?.moves > frame.moves) this.mine.goBack();
    if (frame.held || frame.over) dealRole(this.root, null);
    const round = `${this.position.round} ${frame.held ? "held" : ""}`;
    if (round !== this.round && !frame.held) {
      if (this.round !== undefined || frame.moves < frame.seats.length) this.deal();
      if (this.round !== undefined) this.mine.begin();
      this.round = round;
    }
    const moved = left?.moves !== frame.moves;
    // A card may be chosen while others move, or one's own move is on its way; once it is played, its like that comes to its place is not.
    const ahead = this.sent && before !== null && this.picked !== this.played;
    if (ahead && moved) this.picked = this.position.hand?.findIndex((held) => held.card === before) ?? -1;
    if (!before || (left.mine && moved && !ahead) || this.position.hand?.[this.picked]?.card !== before) this.unpick();
    // What is said at the table meanwhile is no answer to a move.
    this.sent = this.sent && !moved && !frame.over && !frame.held;
    if (this.picked !== null && frame.mine && moved) this.pick(this.picked); // which way up it fits is known now
    if (this.pointed && !this.find(this.pointed)) this.pointed = null;
    this.asked = null;
    this.draw();
    if (read && document.activeElement === document.body) this.focusHand(); // the end of a round is gone, and its button
    this.showMove(left);
  }

  // How the last move was made, where the reader saw the position before it.
  showMove(left) {
    const [frame, from] = [this.frame, this.left];
    this.left = undefined;
    this.happened = [];
    if (left?.moves !== frame.moves - 1 || left.held || !left.position) return;
    const seats = frame.held ? left.position.seats : frame.position.seats; // of the next round already
    const changes = changesOf(left.position, { board: frame.position.board, seats });
    if (this.round !== undefined && left.position.round !== frame.position.round && !frame.held) return;
    this.happened = Object.keys(changes).filter((kind) => changes[kind].length);
    const goals = new Map(frame.position.goals.map((goal) => [goal.place, cellKey(goal.x, goal.y)]));
    const ends = frame.held || frame.over; // then other things stand where the card would come from
    requestAnimationFrame(() => showMotion(changes, ends ? null : from === undefined ? seatAt(left.to_move)?.getBoundingClientRect() : from, this.mine, goals));
  }

  // The card that is played leaves the hand; a card that was dragged is there already.
  leaveHand(dragged) {
    this.left = dragged ? null : this.hand.children[this.picked]?.getBoundingClientRect();
  }

  // The cards are dealt: the reader is told their role.
  deal() {
    if (this.play && this.position.role && !this.frame.over) dealRole(this.root, this.position.role);
  }

  /** The move was refused: it may be chosen again. */
  refused() {
    this.sent = false;
    if (this.position) this.draw();
  }

  /** Show a move, as a hint does: choose its card and mark where it goes. */
  point(notation) {
    const move = this.find(notation);
    if (!move) return;
    this.pointed = notation;
    const place = this.position.hand.findIndex((held) => held.card === move.card);
    if (place >= 0) this.pick(place);
    this.turned = Boolean(move.turned);
    this.draw();
    if (move.x !== undefined) this.mine.reveal(cellKey(move.x, move.y));
  }

  /** What is known of a seat, into `slot` of its list item. */
  drawSeat(seat, slot, item) {
    const known = this.position?.seats?.[seat];
    if (!known) {
      slot.replaceChildren();
      return;
    }
    const choices = this.movesOf("seat").filter((move) => move.seat === seat);
    const hinted = choices.some((move) => move.move === this.pointed);
    const state = JSON.stringify([known, choices.map((move) => move.move), this.position.roles?.[seat], hinted]);
    item.classList.toggle("lit", choices.length > 0);
    item.classList.toggle("hinted", hinted);
    if (slot.drawn === state) return;
    slot.drawn = state;
    const before = slot.contains(document.activeElement);
    keepFocus(slot, () => slot.replaceChildren(...seatParts(this.position, seat, this.frame.seats.map((other) => other.name)), ...(choices.length ? [this.seatButton(seat, choices)] : [])));
    if (before && document.activeElement === document.body) this.focusHand();
  }

  seatButton(seat, choices) {
    const words = choices.length === 1 ? choices[0].words : _("Choose {name}", { name: this.frame.seats[seat].name });
    return make("button", { type: "button", class: "seat-target", "data-key": `seat ${seat}`, "aria-label": words, title: words,
      onclick: () => this.chooseSeat(seat) });
  }

  // ---- the moves ----

  find(notation) {
    return (this.position?.moves ?? []).find((move) => move.move === notation);
  }

  chosen() {
    return this.picked === null ? null : this.position?.hand?.[this.picked]?.card ?? null;
  }

  /** The moves of the chosen card, of one kind. */
  movesOf(kind) {
    const card = this.chosen();
    return card === null || this.sent ? [] : (this.position.moves ?? []).filter((move) => move.card === card && move.kind === kind);
  }

  litCells() {
    const lit = new Map();
    for (const move of [...this.movesOf("lay"), ...this.movesOf("look"), ...this.movesOf("clear")]) {
      const key = cellKey(move.x, move.y);
      const other = lit.get(key);
      const wanted = !other || Boolean(move.turned) === this.turned ? move : other.move;
      lit.set(key, { move: wanted, both: Boolean(other) });
    }
    for (const [key, { move, both }] of lit) {
      lit.set(key, { kind: move.kind, symbol: move.symbol ?? null, both, words: move.words, notation: move.move,
        hinted: [move.x, move.y].join() === this.pointedCell() });
    }
    return lit;
  }

  pointedCell() {
    const move = this.pointed ? this.find(this.pointed) : null;
    return move && move.card === this.chosen() ? [move.x, move.y].join() : "";
  }

  pick(place) {
    this.picked = place;
    this.asked = this.doubted = null;
    const lays = this.movesOf("lay");
    this.turned = lays.length > 0 && lays.every((move) => move.turned);
  }

  unpick() {
    this.picked = null;
    this.turned = false;
    this.asked = null;
    this.doubted = null;
  }

  togglePick(place) {
    if (this.picked === place) this.unpick();
    else this.pick(place);
    this.draw();
    const lit = [...this.litCells().keys()];
    if (lit.length) this.mine.reveal(lit[Math.floor(lit.length / 2)]);
    if (this.chosen() !== null) tell([this.prompt.textContent, lit.length ? counted_in("{n} cell is lit", "{n} cells are lit", lit.length) : ""].filter(Boolean).join(". "));
  }

  /** A card of the hand in words, as it is held. */
  heldWords(place) {
    const { words } = this.position.hand[place];
    return place === this.picked && this.turned ? overturnedWords(words) : words;
  }

  canTurn() {
    const lays = this.movesOf("lay");
    return lays.some((move) => move.turned) && lays.some((move) => !move.turned);
  }

  turn() {
    if (!this.canTurn()) return;
    this.turned = !this.turned;
    this.draw();
    tell(this.heldWords(this.picked));
  }

  chooseCell(key) {
    const mark = this.litCells().get(key);
    if (mark) this.send(mark.notation);
    else this.astray();
  }

  // The reader wants something of a place that it does not take: the prompt says what would be right.
  astray() {
    if (!this.play || this.sent || this.frame.over || this.frame.held || !this.position.hand?.length) return;
    const words = this.astrayWords();
    if (words) setText(this.prompt, words);
    tell(this.prompt.textContent);
  }

  // "" where the prompt says it already.
  astrayWords() {
    if (!this.frame.mine) return _("It is not your move.");
    if (this.chosen() === null) return this.table.classList.contains("claiming") ? "" : _("First choose a card.");
    if (this.litCells().size) return _("It does not go there: choose a lit cell");
    return this.movesOf("seat").length ? _("It does not go there: choose a lit player") : "";
  }

  chooseSeat(seat) {
    const choices = this.movesOf("seat").filter((move) => move.seat === seat);
    if (choices.length === 1) this.sendAt(choices[0]);
    if (!choices.length) this.astray();
    if (choices.length < 2) return;
    this.asked = seat;
    this.draw();
    this.actions.querySelector("button")?.focus();
  }

  // A move on a player; where it hurts the reader, only when they say so twice.
  sendAt(move) {
    if (move.seat !== this.frame.you || !harms(move)) {
      this.send(move.move);
      return;
    }
    this.doubted = move;
    this.draw();
    tell(this.prompt.textContent);
    this.actions.querySelector("#action-drop")?.focus();
  }

  send(notation) {
    if (this.sent || !this.play) return;
    this.sent = true;
    this.played = this.picked;
    this.pointed = null;
    this.leaveHand(this.dragged);
    this.play(notation);
    this.draw();
  }

  // ---- drawing ----

  draw() {
    const before = this.play && this.root.contains(document.activeElement);
    keepFocus(this.root, () => {
      this.mine.still = !this.play || Boolean(this.frame.over || this.frame.held || this.frame.you === null);
      const lit = this.play ? this.litCells() : new Map();
      this.mine.draw(this.position.board, lit, this.placeTags());
      const open = !this.play || Boolean(this.position.hands && (this.frame.over || this.frame.you === null));
      this.table.classList.toggle("open", open);
      if (open) {
        this.table.hidden = !showHands(this.shown, this.frame);
      } else {
        this.drawHand();
        this.drawActions();
      }
    });
    // What had the focus may be gone, as the button of a card that was discarded.
    if (before && document.activeElement === document.body) this.focusHand();
    this.changed?.();
  }

  placeTags() {
    return new Map((this.position.goals ?? []).map((goal) => [cellKey(goal.x, goal.y), { place: goal.place }]));
  }

  drawHand() {
    const held = this.position.hand;
    this.table.hidden = !held;
    if (!held) return;
    const mine = this.frame.mine && this.position.moves.length > 0;
    const playable = new Set(this.position.moves.filter((move) => move.kind !== "discard").map((move) => move.card));
    const stop = this.picked ?? Math.min(this.handStop ?? 0, held.length - 1);
    while (this.hand.children.length > held.length) this.hand.lastChild.remove();
    held.forEach((card, place) => {
      const button = this.hand.children[place] ?? this.hand.appendChild(this.makeCard(place));
      const picked = this.picked === place;
      const symbol = picked && this.turned ? this.movesOf("lay").find((move) => move.turned)?.symbol ?? card.symbol : card.symbol;
      setAll(button, { "data-card": card.card, "aria-pressed": String(picked), "aria-label": this.heldWords(place), title: this.heldWords(place),
        tabindex: place === stop ? "0" : "-1" });
      button.className = `card${isPath(card) ? " path" : ""}${picked ? " picked" : ""}${mine && !playable.has(card.card) ? " idle" : ""}`;
      if (button.symbol !== symbol || button.label !== card.name) {
        button.symbol = symbol;
        button.label = card.name;
        button.replaceChildren(drawSymbol(symbol), make("span", { class: "card-name", "aria-hidden": "true" }, captionOf(card)));
      }
    });
    this.hand.classList.toggle("asleep", !mine);
    this.table.style.setProperty("--cards", held.length);
    this.table.classList.toggle("many", held.length > 6);
  }

  makeCard(place) {
    const button = make("button", { type: "button", "data-key": `hand ${place}`, onclick: () => this.togglePick(place) });
    makeDraggable(button, {
      lift: () => {
        if (!this.frame.mine || this.sent) return false;
        if (this.picked !== place) this.pick(place);
        this.draw();
        return true;
      },
      target: (under) => under.closest(".cell.lit, .seat.lit, [data-discard]:not(:disabled)"),
      drop: (onto) => {
        this.dragged = true;
        if (onto.dataset.cell) this.chooseCell(onto.dataset.cell);
        else if (onto.dataset.seat) this.chooseSeat(Number(onto.dataset.seat));
        else this.discard();
        this.dragged = false;
      },
      miss: (under) => {
        if (!under?.closest(".hand")) this.astray(); // into the hand one puts it back
      },
    });
    return button;
  }

  drawActions() {
    const claims = (this.position.moves ?? []).filter((move) => move.kind === "claim");
    const sayings = (this.position.moves ?? []).filter((move) => move.kind === "say");
    const others = (this.position.moves ?? []).filter((move) => !move.card && move.kind !== "claim" && move.kind !== "say");
    if (!sayings.length || this.sent || this.chosen() !== null) this.saying = false;
    else if (sayings.some((move) => move.move === this.pointed)) this.saying = true;
    this.table.classList.toggle("claiming", claims.length > 0 || this.saying);
    this.table.classList.toggle("saying", this.saying);
    this.table.classList.toggle("asking", this.asked !== null && !this.sent);
    const buttons = [...claims.map((move) => this.claimButton(move)), ...others.map((move) => this.moveButton(move, move.words))];
    if (sayings.length && !this.sent && this.chosen() === null) buttons.push(...this.sayButtons(sayings));
    if (!claims.length && this.chosen() !== null && this.frame.mine) buttons.push(...(this.doubted ? this.doubtButtons() : this.cardButtons()));
    const state = JSON.stringify(buttons.map((button) => [button.dataset.key, button.textContent, button.disabled, button.className]));
    setText(this.prompt, this.promptWords(claims));
    this.table.classList.toggle("ready", Boolean(this.frame.mine));
    if (this.actions.drawn === state) return;
    this.actions.drawn = state;
    this.actions.replaceChildren(...buttons);
  }

  /** What may be said before a card: one button that asks for it, and then the choice. */
  sayButtons(sayings) {
    if (!this.saying) {
      return [this.button("say", [make("span", { "aria-hidden": "true" }, "“…”"), make("span", { class: "button-words" }, _("Say something"))], () => this.chooseWords(),
        { title: _("Accuse a player, or ask for a repair; then play your card.") })];
    }
    const choice = sayings.map((move) => {
      const button = this.moveButton(move, move.words);
      button.classList.add("say-button");
      return button;
    });
    return [...choice, this.button("silent", [_("Say nothing")], () => this.letGo(), { "aria-keyshortcuts": "Escape" })];
  }

  chooseWords() {
    this.saying = true;
    this.draw();
    this.actions.querySelector(".say-button")?.focus();
  }

  cardButtons() {
    const buttons = [];
    // A player is chosen by their place beside the board; only which of their tools is asked here.
    const tools = this.movesOf("seat").filter((move) => move.seat === this.asked);
    if (tools.length) return [...tools.map((move) => this.moveButton(move, this.seatWords(move), drawSymbol(iconOf(move)))), this.putBackCard()];
    if (this.canTurn()) {
      buttons.push(this.button("turn", [make("span", { "aria-hidden": "true" }, "↻"), make("span", { class: "button-words" }, _("Turn"))], () => this.turn(), { "aria-keyshortcuts": "r", title: _("Turn the card (R)") }));
    }
    const discard = this.movesOf("discard")[0];
    if (discard) {
      const hinted = discard.move === this.pointed ? " primary" : "";
      buttons.push(this.button("discard", [_("Discard")], () => this.discard(), { class: `button${hinted}`, "data-discard": "", title: discard.words }));
    }
    return [...buttons, this.putBackCard()];
  }

  putBackCard() {
    return this.putBack([make("span", { "aria-hidden": "true" }, "✕"), make("span", { class: "button-words" }, _("Put back"))]);
  }

  doubtButtons() {
    return [make("button", { type: "button", class: "button danger", "data-key": `sure ${this.doubted.move}`, "data-play": this.doubted.move,
      onclick: () => this.send(this.doubted.move) }, _("Yes, my own")), this.putBack([_("No")])];
  }

  putBack(words) {
    return this.button("drop", words, () => this.letGo(), { "aria-keyshortcuts": "Escape", title: _("Put the card back (Esc)") });
  }

  button(key, words, onclick, more = {}) {
    return make("button", { type: "button", class: "button", id: `action-${key}`, "data-key": `action ${key}`, onclick, ...more }, ...words);
  }

  moveButton(move, words, icon = null) {
    const hinted = move.move === this.pointed;
    const on = move.seat === undefined ? "" : this.asked === null ? " on-seat" : " on-tool";
    return make("button", { type: "button", class: `button${on}${hinted ? " primary" : ""}`, "data-key": `move ${move.move}`, "data-play": move.move,
      title: move.words, "aria-label": move.words, onclick: () => this.sendAt(move) }, icon, make("span", {}, words));
  }

  claimButton(move) {
    const icon = drawSymbol(move.said === "gold" ? "i-nugget" : "i-stone");
    return make("button", { type: "button", class: "button claim-button", "data-key": `move ${move.move}`, "data-play": move.move,
      "data-claim": move.said, title: move.words, onclick: () => this.send(move.move) }, icon, move.said === "gold" ? _("“It is the gold.”") : _("“It is a stone.”"));
  }

  seatWords(move) {
    const name = move.seat === this.frame.you ? _("Yourself") : this.frame.seats[move.seat].name;
    const [, , two] = move.card.match(/^fix:(\w+)(\+\w+)?/) ?? [];
    return two && move.tool ? `${name}: ${_(move.tool)}` : name;
  }

  promptWords(claims) {
    if (claims.length) return _("What do you say that you saw on the {place} goal?", { place: placeSaid(claims[0].place) });
    if (this.doubted && !this.sent) return `${capitalOf(this.doubted.words)}? ${_("It hurts you alone.")}`;
    if (!this.frame.mine || this.frame.over) return "";
    if (this.sent) return "…";
    if (this.saying) return _("What do you say?");
    if (this.chosen() === null) return this.position.hand?.length ? _("Choose a card.") : "";
    const [kind] = ["lay", "look", "clear", "seat", "discard"].filter((one) => this.movesOf(one).length);
    const card = this.position.hand[this.picked];
    const aim = kind !== "seat" ? kind ?? "none" : harms(this.movesOf(kind)[0]) ? "stop" : "help";
    const words = kind === "discard" ? idleWords(card, this.position.seats[this.frame.you]) : _(CARD_PROMPTS[aim]);
    return isPath(card) ? capitalOf(words) : `${capitalOf(card.name ?? card.card)}: ${words}`; // the picture names a tunnel
  }

  // ---- keys ----

  discard() {
    const move = this.movesOf("discard")[0];
    if (move) this.send(move.move);
  }

  letGo() {
    const [place, spoke] = [this.picked, this.saying];
    this.unpick();
    this.saying = false;
    this.pointed = null;
    this.draw();
    if (place !== null) this.hand.children[place]?.focus();
    else if (spoke) this.actions.querySelector("#action-say")?.focus();
  }

  focusHand() {
    (this.hand.querySelector("[tabindex='0']") ?? this.hand.firstElementChild)?.focus({ preventScroll: true });
  }

  stepHand(event) {
    const cards = [...this.hand.children];
    const at = cards.indexOf(event.target.closest(".card"));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cards.length - 1 }[event.key];
    if (at < 0) return;
    if (event.key === "ArrowUp") {
      const lit = [...this.litCells().keys()][0] ?? [...this.mine.cells].find(([, cell]) => !cell.disabled)?.[0];
      if (lit) this.mine.focus(lit);
    } else if (to === undefined) {
      return;
    } else {
      this.handStop = (to + cards.length) % cards.length;
      cards.forEach((card, place) => { card.tabIndex = place === this.handStop ? 0 : -1; });
      cards[this.handStop].focus();
    }
    event.preventDefault();
  }

  shortcut(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea, dialog")) return;
    if (event.key === "Escape" && (this.picked !== null || this.saying)) this.letGo();
    if (event.key === "r" || event.key === "R") this.turn();
  }
}
