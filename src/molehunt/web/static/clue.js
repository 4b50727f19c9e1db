// The table of Speed Clue: what is asked, the choice of cards, the hand, the sheet and the public record.

import { _, counted_in, later, listed } from "./language.js";
import { clueCard, clueCardButton, clueCards, clueChips, clueDeck, cluePicker, someCard } from "./clue_cards.js";
import { clueNews, dealClue, showClue } from "./clue_scenes.js";
import { ClueSheet } from "./clue_sheet.js";
import { countOfCards, keepFocus, make, setAll, setText } from "./dom.js";
import { reveal } from "./reveal.js";
import { guardTaps } from "./taps.js";

const CLUE_RECORD = 8; // suggestions that are shown before one asks for the earlier ones

/** A position in `root`. `play(notation)` sends a move; with `play === null` it is a drawing that only shows. */
export class Board {
  constructor(root, play) {
    this.root = root;
    this.play = play;
    this.changed = null; // called when the seats are to be drawn again
    this.chosen = [null, null, null];
    this.accusing = false; // after the suggestion: cards are chosen to accuse with
    this.pointed = null; // a move that a hint points at
    this.sent = false;
    this.position = null;
    this.drawn = {};
    this.inner = make("div", { class: play ? "clue" : "clue still" });
    root.append(this.inner);
    this.parts = {};
    const part = (name, title) => {
      this.parts[name] = make("div", { class: "clue-body" });
      return make("section", { class: `clue-part clue-${name} panel`, "aria-label": title }, make("h2", {}, title), this.parts[name]);
    };
    this.stage = make("div", { class: "clue-stage", role: "group", "aria-label": _("What was suggested last"), tabindex: "-1" });
    this.sections = { stage: this.stage, act: part("act", _("Your move")), hand: part("hand", _("Your hand")), sheet: part("sheet", _("Sheet")), record: part("record", _("Suggestions so far")) };
    this.main = make("div", { class: "clue-main" }, this.stage, this.sections.act, this.sections.hand);
    this.inner.append(make("div", { class: "clue-columns" }, this.main, this.sections.sheet, this.sections.record));
    this.sheet = new ClueSheet(this.parts.sheet, play !== null, () => this.draw());
    this.confirm = make("dialog", { class: "clue-confirm", "aria-labelledby": "clue-confirm-title", "aria-describedby": "clue-confirm-words" });
    if (!play) return;
    this.inner.append(this.confirm);
    guardTaps(root, ".clue-bar button, .clue-show button");
  }

  /** Show a table frame; a frame without a position leaves all as it is. */
  update(frame) {
    if (!frame.position) return;
    const [before, mineBefore] = [this.position, this.frame?.mine];
    const moved = this.frame?.moves !== frame.moves;
    this.frame = frame;
    this.position = frame.position;
    this.deck = clueDeck(this.position.categories);
    this.sent = this.sent && !moved && !frame.over; // what is said at the table meanwhile is no answer to a move
    if (before?.may.suggest && !this.position.may.suggest) this.chosen = [null, null, null];
    if (frame.moves !== this.moves) {
      this.pointed = null;
      this.accusing = false;
    }
    this.moves = frame.moves;
    if (this.confirm.open && !this.position.may.accuse) this.confirm.close();
    this.draw();
    if (!this.play) return;
    // What the reader's move has brought, and what the reader is to do; else the page stays where it is read.
    if (moved && !frame.over && (mineBefore || frame.mine)) reveal(() => (mineBefore || this.frame.mine ? [this.stage, this.sections.act] : []), mineBefore);
    this.tellNews(before);
  }

  // What has happened since the position before moves on the page, and is heard.
  tellNews(before) {
    const news = before ? clueNews(before, this.position) : [];
    this.happened = news.map((one) => one.kind);
    if (!before && !this.moves) dealClue(this);
    else showClue(this, news);
  }

  /** The move was refused: it may be chosen again. */
  refused() {
    this.sent = false;
    if (this.frame) this.draw();
  }

  /** Show a move, as a hint does: choose its cards, or mark its button. */
  point(notation) {
    if (!this.position) return;
    const [word, ...rest] = notation.split(" ");
    const cards = this.findCards(rest.join(" "));
    if ((word === "suggest" || word === "accuse") && cards.length === 3) this.chosen = cards;
    this.accusing = word === "accuse";
    this.pointed = { word, cards };
    this.draw();
  }

  /** What is known of a seat, into `slot` of its list item. */
  drawSeat(seat, slot, item) {
    const position = this.position;
    if (!position) return;
    const out = position.out.includes(seat);
    item.classList.toggle("out", out);
    const state = JSON.stringify([out, position.sizes[seat], position.turn === seat && position.phase !== "over"]);
    if (slot.drawn === state) return;
    slot.drawn = state;
    const tags = [out ? ["out", _("out")] : null, position.turn === seat && position.phase !== "over" ? ["on", _("on turn")] : null, ["cards", countOfCards(position.sizes[seat])]];
    slot.replaceChildren(...tags.filter(Boolean).map(([kind, words]) => make("span", { class: `tag clue-tag-${kind}` }, words)));
  }

  // ---- words ----

  name(seat) {
    return seat === this.frame.you ? _("you") : this.frame.seats[seat].name;
  }

  // What is said of the reader, or of another by name.
  says(seat, own, other, values = {}) {
    return seat === this.frame.you ? own : _(other, { name: this.name(seat), ...values });
  }

  findCards(text) {
    const names = text.split(",").map((name) => name.trim());
    return names.map((name) => this.deck.find((card) => card.name === name)?.card).filter((card) => card !== undefined);
  }

  send(notation) {
    if (!this.play || this.sent) return;
    this.sent = true;
    this.play(notation);
    this.draw();
  }

  // ---- drawing: a part is drawn anew only where what it shows has changed ----

  draw() {
    const { position, parts } = this;
    const me = this.frame.you;
    const acted = this.play !== null && this.sections.act.contains(document.activeElement);
    this.part("stage", this.stage, [position.record.at(-1), position.envelope, position.accusations, position.phase, position.turn], () => this.stageParts());
    const acts = this.play !== null && (position.may.suggest || position.may.accuse || position.may.end || position.may.show.length > 0);
    this.sections.act.hidden = !acts;
    this.entitle(this.sections.act, position.may.show.length ? _("Show a card") : _("Your move"));
    this.part("act", parts.act, [position.may, position.asked, this.chosen, this.pointed, this.accusing, this.sent, acts, this.sheet.envelope(position)], () => (acts ? this.actParts() : []));
    this.sections.hand.hidden = position.hand === null && !position.hands;
    this.entitle(this.sections.hand, position.hands ? _("Hands") : _("Your hand"));
    this.part("hand", parts.hand, [position.hand, position.hands, position.record.length && this.shownTo()], () => (position.hands ? this.handsParts() : this.handParts()));
    this.sections.sheet.hidden = position.sheet === null && !position.hands;
    this.sheet.draw(position, this.frame.seats.map((seat) => seat.name), me);
    this.part("record", parts.record, [position.record, position.accusations], () => this.recordParts());
    this.sections.record.hidden = !position.record.length && !position.accusations.length;
    // What had the focus may be gone, as the button of a suggestion that was made: one goes on at what it brings.
    if (acted && (document.activeElement === document.body || this.sections.act.hidden)) this.stage.focus({ preventScroll: true });
    this.changed?.();
  }

  entitle(section, title) {
    setText(section.querySelector("h2"), title);
    setAll(section, { "aria-label": title });
  }

  part(name, root, state, build) {
    const key = JSON.stringify([state, this.frame.you, this.frame.seats.map((seat) => seat.name)]);
    if (this.drawn[name] === key) return;
    this.drawn[name] = key;
    keepFocus(root, () => root.replaceChildren(...build()));
  }

  card(number) {
    return this.deck[number];
  }

  /** The last thing that happened, large; at the end the envelope. */
  stageParts() {
    const { position } = this;
    const made = position.record.at(-1);
    const parts = [];
    if (position.envelope) {
      parts.push(make("div", { class: "clue-event clue-envelope" }, make("p", { class: "clue-said" }, _("In the envelope")),
        clueCards("clue-three", position.envelope.map((card) => clueCard(this.card(card))))));
    }
    if (made) {
      parts.push(make("div", { class: "clue-event" },
        make("p", { class: "clue-said" }, make("strong", {}, clueCapital(this.says(made.by, _("you suggest"), later("{name} suggests")))), make("span", { class: "clue-number" }, _("no. {number}", { number: made.n }))),
        clueCards("clue-three", made.cards.map((card) => clueCard(this.card(card),
          made.shown === card ? this.says(made.disprover, _("shown by you"), later("shown by {name}")) : position.hand?.includes(card) ? _("yours") : "",
          { class: `clue-card ${this.card(card).what}${made.shown === card ? " clue-shown" : ""}` }))),
        make("ul", { class: "clue-answers" }, this.answers(made).map(([words, kind]) => make("li", { class: kind }, clueCapital(words))))));
    } else if (!position.envelope) {
      parts.push(make("p", { class: "muted clue-empty" }, _("Nothing has been suggested yet.")));
    }
    const wrong = position.accusations.filter((accusation) => !accusation.right).map((accusation) => this.says(accusation.seat, _("You accused wrongly and are out."), later("{name} accused wrongly and is out.")));
    if (wrong.length) {
      parts.push(make("p", { class: "clue-out small" }, wrong.join(" ")));
    }
    return parts;
  }

  /** Who answered what, in the order of asking. */
  answers(made) {
    const told = made.without.map((seat) => [this.says(seat, _("you have none"), later("{name} has none")), "none"]);
    if (made.disprover !== null) {
      const card = made.shown === null ? _("a card") : this.card(made.shown).said;
      told.push([this.says(made.disprover, _("you show {card}", { card }), later("{name} shows {card}"), { card }), "shows"]);
    } else if (made.awaited) {
      const next = (made.by + 1 + made.without.length) % this.frame.seats.length;
      told.push([this.says(next, _("you are asked"), later("{name} is asked")), "asked"]);
    } else {
      told.push([_("nobody can show a card"), "nobody"]);
    }
    return told;
  }

  /** My cards by who has seen them: {card: [names]}. */
  shownTo() {
    const seen = {};
    for (const made of this.position.record) {
      if (this.frame.you !== null && made.disprover === this.frame.you && made.shown !== null) {
        const name = this.frame.seats[made.by].name;
        seen[made.shown] = [...new Set([...(seen[made.shown] ?? []), name])];
      }
    }
    return seen;
  }

  handParts() {
    const seen = this.shownTo();
    return [clueCards("clue-cards", (this.position.hand ?? []).map((card) =>
      clueCard(this.card(card), seen[card] ? _("seen by {names}", { names: seen[card].join(", ") }) : "")))];
  }

  handsParts() {
    return this.position.hands.map((hand, seat) => make("div", { class: "clue-hand-of" },
      make("h3", {}, this.frame.seats[seat].name, this.position.out.includes(seat) ? make("span", { class: "tag clue-tag-out" }, _("out")) : null),
      clueChips(hand.map((card) => this.card(card)))));
  }

  recordParts() {
    const told = this.position.accusations.map((accusation) => make("li", { class: "clue-line accusation" },
      make("span", { class: "clue-line-who" }, make("strong", {}, clueCapital(this.says(accusation.seat, _("you accuse"), later("{name} accuses"))))),
      clueChips(accusation.cards.map((card) => this.card(card))),
      make("span", { class: "clue-line-end" }, accusation.right ? _("Right.") : _("Wrong."))));
    const lines = this.position.record.map((made) => make("li", { class: made.by === this.frame.you ? "clue-line own" : "clue-line" },
      make("span", { class: "clue-line-who" }, make("span", { class: "clue-number" }, String(made.n)), make("strong", {}, clueCapital(this.name(made.by)))),
      clueChips(made.cards.map((card) => this.card(card))),
      make("span", { class: "clue-line-end" }, `${clueCapital(this.answers(made).map(([words]) => words).join(", "))}.`)));
    lines.reverse();
    const before = lines.splice(CLUE_RECORD);
    const earlier = before.length ? make("details", { class: "clue-earlier" }, make("summary", { "data-key": "earlier" }, counted_in("{n} earlier", "{n} earlier", before.length)),
      make("ol", { class: "clue-record-list", reversed: true }, before)) : null;
    if (earlier) earlier.open = this.parts.record.querySelector("details")?.open ?? false;
    return [told.length ? make("ul", { class: "clue-record-list" }, told) : null,
      make("ol", { class: "clue-record-list", reversed: true, start: this.position.record.length }, lines), earlier].filter(Boolean);
  }

  // ---- my move ----

  actParts() {
    const { may, asked } = this.position;
    if (may.show.length) return this.showParts(may.show, asked);
    const choose = (category, card) => {
      this.chosen[category] = card;
      this.draw();
    };
    const forced = may.accuse && !may.suggest && !may.end; // in the contest, with the suggestion that nobody disproved
    if (forced) this.chosen = [...this.position.record.at(-1).cards];
    const names = this.chosen.map((card) => (card === null ? null : this.card(card).name));
    const said = this.chosen.map((card) => this.card(card)?.said);
    const ready = names.every(Boolean);
    const missing = this.position.categories.filter((_one, place) => this.chosen[place] === null).map((category) => someCard(category.what));
    const hinted = (word) => (this.pointed?.word === word ? " hinted" : "");
    const picks = may.suggest || this.accusing;
    const again = ready && may.suggest && this.position.record.some((made) => made.by === this.frame.you && made.cards.join() === this.chosen.join());
    const barred = again && !may.repeat;
    const words = barred ? _("{cards}: you have suggested this before, and nobody may twice.", { cards: said.join(", ") })
      : again ? _("{cards}: you have suggested this before.", { cards: said.join(", ") }) : ready ? said.join(", ") : _("Choose {cards}.", { cards: listed(missing) });
    return [
      picks ? cluePicker({ categories: this.position.categories, chosen: this.chosen, choose, name: "clue", mark: (card) => this.tileMark(card) }) : null,
      make("div", { class: "clue-bar" },
        !picks ? make("p", { class: "clue-words" }, forced ? _("Nobody has disproved your suggestion, which has no card of yours: you must accuse with it.")
          : may.accuse ? _("End your turn, or accuse.") : _("End your turn.")) : make("p", { class: ready ? "clue-words" : "clue-words muted", id: "clue-words" }, words),
        make("div", { class: "row" },
          may.suggest ? make("button", { type: "button", id: "clue-suggest", class: `button primary${hinted("suggest")}`, "data-key": "suggest", disabled: !ready || barred || this.sent,
            "aria-describedby": "clue-words", onclick: () => this.send(`suggest ${names.join(", ")}`) }, _("Suggest")) : null,
          may.accuse ? make("button", { type: "button", id: "clue-accuse", class: `button ${forced ? "primary" : "danger"}${hinted("accuse")}`, "data-key": "accuse", disabled: (picks && !ready) || this.sent,
            "aria-describedby": picks ? "clue-words" : null, onclick: () => (forced ? this.sendAccusation(names) : this.startToAccuse(picks, names)) }, forced ? _("Accuse with it") : _("Accuse …")) : null,
          may.end ? make("button", { type: "button", id: "clue-end", class: `button${may.suggest ? "" : " primary"}${hinted("end")}`, "data-key": "end", disabled: this.sent,
            onclick: () => this.send("end") }, _("End the turn")) : null)),
    ].filter(Boolean);
  }

  /** What a card to choose says about itself: that it is mine, or what the sheet says about the envelope. */
  tileMark(card) {
    if (this.position.hand?.includes(card.card)) return { note: _("yours"), class_: "away" };
    const mark = this.sheet.envelope(this.position)[card.card];
    return mark === "yes" ? { class_: "found", spoken: _("in the envelope") } : mark === "no" ? { class_: "away", spoken: _("not in the envelope") } : {};
  }

  showParts(cards, asked) {
    const asker = asked ? this.frame.seats[asked.by].name : _("the other player");
    const seen = this.shownTo();
    const wanted = asked ? _("{name} asks for {cards}.", { name: asker, cards: asked.cards.map((card) => this.card(card).said).join(", ") }) + " " : "";
    return [
      make("p", { class: "clue-words" }, wanted + (cards.length > 1 ? _("Choose the card that you show; nobody else sees it.") : _("This is the only card that you can show."))),
      make("div", { class: "clue-cards clue-show" }, cards.map((card) => {
        const note = seen[card]?.includes(asker) ? _("shown to {name} before", { name: asker }) : seen[card] ? _("shown to {names}", { names: seen[card].join(", ") }) : _("never shown");
        const hinted = this.pointed?.word === "show" && this.pointed.cards.includes(card);
        return clueCardButton(this.card(card), note, { class: `clue-card large ${this.card(card).what}${hinted ? " hinted" : ""}`, disabled: this.sent,
          "aria-label": [_("Show {card}", { card: this.card(card).said }), note].join("; "), onclick: () => this.send(`show ${this.card(card).name}`) });
      })),
    ];
  }

  startToAccuse(picks, names) {
    if (picks) {
      this.askToAccuse(names);
    } else {
      this.accusing = true;
      this.draw();
      // The button waits for three cards now: one goes on at the first of them.
      this.sections.act.querySelector("input")?.focus({ preventScroll: true });
    }
  }

  askToAccuse(names) {
    const own = this.chosen.filter((card) => this.position.hand?.includes(card));
    this.confirm.replaceChildren(
      make("h2", { id: "clue-confirm-title" }, _("Accuse?")),
      make("div", { class: "clue-confirm-words", id: "clue-confirm-words" },
        clueCards("clue-three", this.chosen.map((card) => clueCard(this.card(card), own.includes(card) ? _("yours") : ""))),
        own.length ? make("p", { class: "notice bad" }, _("You hold {cards}: this is wrong for sure.", { cards: listed(own.map((card) => this.card(card).said)) })) : null,
        make("p", {}, _("You accuse once in the game. If all three are right, you win; if not, you are out and only answer."))),
      make("div", { class: "row" },
        make("button", { type: "button", class: "button", id: "clue-accuse-back", onclick: () => this.confirm.close() }, _("Not yet")),
        make("button", { type: "button", class: "button primary", id: "clue-accuse-now", onclick: () => { this.confirm.close(); this.sendAccusation(names); } }, _("Yes, accuse"))));
    this.confirm.showModal();
  }

  sendAccusation(names) {
    this.send(`accuse ${names.join(", ")}`);
  }
}

function clueCapital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

