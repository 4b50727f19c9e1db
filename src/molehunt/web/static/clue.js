// The table of Speed Clue: what is asked, the choice of cards, the hand, the sheet and the public record.

import { clueCard, clueCardButton, clueChip, clueDeck, cluePicker } from "./clue_cards.js";
import { clueNews, dealClue, showClue } from "./clue_scenes.js";
import { ClueSheet } from "./clue_sheet.js";
import { countOf, keepFocus, make, setText } from "./dom.js";

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
    this.stage = make("div", { class: "clue-stage" });
    this.sections = { stage: this.stage, act: part("act", "Your move"), hand: part("hand", "Your hand"), sheet: part("sheet", "Sheet"), record: part("record", "Suggestions so far") };
    this.main = make("div", { class: "clue-main" }, this.stage, this.sections.act, this.sections.hand);
    this.inner.append(make("div", { class: "clue-columns" }, this.main, this.sections.sheet, this.sections.record));
    this.sheet = new ClueSheet(this.parts.sheet, play !== null, () => this.draw());
    this.confirm = make("dialog", { class: "clue-confirm", "aria-label": "Accuse" });
    if (play) this.inner.append(this.confirm);
  }

  /** Show a table frame; a frame without a position leaves all as it is. */
  update(frame) {
    if (!frame.position) return;
    const before = this.position;
    this.frame = frame;
    this.position = frame.position;
    this.deck = clueDeck(this.position.categories);
    this.sent = false;
    if (before?.may.suggest && !this.position.may.suggest) this.chosen = [null, null, null];
    if (frame.moves !== this.moves) {
      this.pointed = null;
      this.accusing = false;
    }
    this.moves = frame.moves;
    if (this.confirm.open && !this.position.may.accuse) this.confirm.close();
    this.draw();
    if (this.play) this.tellNews(before);
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
    this.draw();
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
    const tags = [out ? "out" : null, position.turn === seat && position.phase !== "over" ? "on turn" : null, countOf(position.sizes[seat], "card")];
    slot.replaceChildren(...tags.filter(Boolean).map((words) => make("span", { class: `tag clue-tag-${words.split(" ")[0]}` }, words)));
  }

  // ---- words ----

  name(seat) {
    return seat === this.frame.you ? "you" : this.frame.seats[seat].name;
  }

  does(seat, verb) {
    const own = seat === this.frame.you;
    return `${this.name(seat)} ${own ? { has: "have", is: "are" }[verb] ?? verb.replace(/s$/, "") : verb}`;
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
    this.part("stage", this.stage, [position.record.at(-1), position.envelope, position.accusations, position.phase, position.turn], () => this.stageParts());
    const acts = this.play !== null && (position.may.suggest || position.may.accuse || position.may.end || position.may.show.length > 0);
    this.sections.act.hidden = !acts;
    setText(this.sections.act.querySelector("h2"), position.may.show.length ? "Show a card" : "Your move");
    this.part("act", parts.act, [position.may, position.asked, this.chosen, this.pointed, this.accusing, this.sent, acts, this.sheet.envelope(position)], () => (acts ? this.actParts() : []));
    this.sections.hand.hidden = position.hand === null && !position.hands;
    setText(this.sections.hand.querySelector("h2"), position.hands ? "Hands" : "Your hand");
    this.part("hand", parts.hand, [position.hand, position.hands, position.record.length && this.shownTo()], () => (position.hands ? this.handsParts() : this.handParts()));
    this.sections.sheet.hidden = position.sheet === null && !position.hands;
    this.sheet.draw(position, this.frame.seats.map((seat) => seat.name), me);
    this.part("record", parts.record, [position.record, position.accusations], () => this.recordParts());
    this.sections.record.hidden = !position.record.length && !position.accusations.length;
    this.changed?.();
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
      parts.push(make("div", { class: "clue-event clue-envelope" }, make("p", { class: "clue-said" }, "In the envelope"),
        make("div", { class: "clue-three" }, position.envelope.map((card) => clueCard(this.card(card))))));
    }
    if (made) {
      parts.push(make("div", { class: "clue-event" },
        make("p", { class: "clue-said" }, make("strong", {}, clueCapital(this.does(made.by, "suggests"))), make("span", { class: "clue-number" }, `no. ${made.n}`)),
        make("div", { class: "clue-three" }, made.cards.map((card) => clueCard(this.card(card),
          made.shown === card ? (made.disprover === this.frame.you ? "shown by you" : `shown by ${this.name(made.disprover)}`) : position.hand?.includes(card) ? "yours" : "",
          { class: `clue-card ${this.card(card).what}${made.shown === card ? " clue-shown" : ""}` }))),
        make("ul", { class: "clue-answers" }, this.answers(made).map(([words, kind]) => make("li", { class: kind }, words)))));
    } else if (!position.envelope) {
      parts.push(make("p", { class: "muted clue-empty" }, "Nothing has been suggested yet."));
    }
    const wrong = position.accusations.filter((accusation) => !accusation.right).map((accusation) => this.name(accusation.seat));
    if (wrong.length) {
      const are = wrong.length > 1 || wrong[0] === "you" ? "are" : "is";
      parts.push(make("p", { class: "clue-out small" }, `${clueCapital(clueJoined(wrong))} accused wrongly and ${are} out.`));
    }
    return parts;
  }

  /** Who answered what, in the order of asking. */
  answers(made) {
    const told = made.without.map((seat) => [`${this.does(seat, "has")} none`, "none"]);
    if (made.disprover !== null) {
      const card = made.shown === null ? "a card" : this.card(made.shown).name;
      told.push([`${this.does(made.disprover, "shows")} ${card}`, "shows"]);
    } else if (made.awaited) {
      const next = (made.by + 1 + made.without.length) % this.frame.seats.length;
      told.push([`${this.does(next, "is")} asked`, "asked"]);
    } else {
      told.push(["nobody can show a card", "nobody"]);
    }
    return told.map(([words, kind]) => [clueCapital(words), kind]);
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
    return [make("div", { class: "clue-cards" }, (this.position.hand ?? []).map((card) =>
      clueCard(this.card(card), seen[card] ? `seen by ${seen[card].join(", ")}` : "")))];
  }

  handsParts() {
    return this.position.hands.map((hand, seat) => make("div", { class: "clue-hand-of" },
      make("h3", {}, this.frame.seats[seat].name, this.position.out.includes(seat) ? make("span", { class: "tag clue-tag-out" }, "out") : null),
      make("div", { class: "clue-chips" }, hand.map((card) => clueChip(this.card(card))))));
  }

  recordParts() {
    const told = this.position.accusations.map((accusation) => make("li", { class: "clue-line accusation" },
      make("span", { class: "clue-line-who" }, make("strong", {}, clueCapital(this.does(accusation.seat, "accuses")))),
      make("span", { class: "clue-chips" }, accusation.cards.map((card) => clueChip(this.card(card)))),
      make("span", { class: "clue-line-end" }, accusation.right ? "Right." : "Wrong.")));
    const lines = this.position.record.map((made) => make("li", { class: made.by === this.frame.you ? "clue-line own" : "clue-line" },
      make("span", { class: "clue-line-who" }, make("span", { class: "clue-number" }, String(made.n)), make("strong", {}, clueCapital(this.name(made.by)))),
      make("span", { class: "clue-chips" }, made.cards.map((card) => clueChip(this.card(card)))),
      make("span", { class: "clue-line-end" }, `${this.answers(made).map(([words], place) => (place ? clueSmall(words) : words)).join(", ")}.`)));
    lines.reverse();
    const before = lines.splice(CLUE_RECORD);
    const earlier = before.length ? make("details", { class: "clue-earlier" }, make("summary", { "data-key": "earlier" }, `${before.length} earlier`),
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
    const names = this.chosen.map((card) => (card === null ? null : this.card(card).name));
    const ready = names.every(Boolean);
    const missing = this.position.categories.filter((_, place) => this.chosen[place] === null).map((category) => `a ${category.what}`);
    const hinted = (word) => (this.pointed?.word === word ? " hinted" : "");
    const picks = may.suggest || this.accusing;
    const words = ready ? names.join(", ") : `Choose ${clueJoined(missing)}.`;
    return [
      picks ? cluePicker({ categories: this.position.categories, chosen: this.chosen, choose, name: "clue", mark: (card) => this.tileMark(card) }) : null,
      make("div", { class: "clue-bar" },
        !picks ? make("p", { class: "clue-words" }, may.accuse ? "End your turn, or accuse." : "End your turn.") : make("p", { class: ready ? "clue-words" : "clue-words muted", id: "clue-words" }, words),
        make("div", { class: "row" },
          may.suggest ? make("button", { type: "button", id: "clue-suggest", class: `button primary${hinted("suggest")}`, "data-key": "suggest", disabled: !ready || this.sent,
            "aria-describedby": "clue-words", onclick: () => this.send(`suggest ${names.join(", ")}`) }, "Suggest") : null,
          may.accuse ? make("button", { type: "button", id: "clue-accuse", class: `button danger${hinted("accuse")}`, "data-key": "accuse", disabled: (picks && !ready) || this.sent,
            "aria-describedby": picks ? "clue-words" : null, onclick: () => this.startToAccuse(picks, names) }, "Accuse …") : null,
          may.end ? make("button", { type: "button", id: "clue-end", class: `button${may.suggest ? "" : " primary"}${hinted("end")}`, "data-key": "end", disabled: this.sent,
            onclick: () => this.send("end") }, "End the turn") : null)),
    ].filter(Boolean);
  }

  /** What a card to choose says about itself: that it is mine, or what the sheet says about the envelope. */
  tileMark(card) {
    if (this.position.hand?.includes(card.card)) return { note: "yours", class_: "away" };
    const mark = this.sheet.envelope(this.position)[card.card];
    return { class_: mark === "yes" ? "found" : mark === "no" ? "away" : "" };
  }

  showParts(cards, asked) {
    const asker = asked ? this.frame.seats[asked.by].name : "the other player";
    const seen = this.shownTo();
    const wanted = asked ? ` ${asker} asks for ${asked.cards.map((card) => this.card(card).name).join(", ")}.` : "";
    return [
      make("p", { class: "clue-words" }, `${wanted.trim()} ${cards.length > 1 ? "Choose the card that you show; nobody else sees it." : "This is the only card that you can show."}`),
      make("div", { class: "clue-cards clue-show" }, cards.map((card) => {
        const note = seen[card]?.includes(asker) ? `shown to ${asker} before` : seen[card] ? `shown to ${seen[card].join(", ")}` : "never shown";
        const hinted = this.pointed?.word === "show" && this.pointed.cards.includes(card);
        return clueCardButton(this.card(card), note, { class: `clue-card large ${this.card(card).what}${hinted ? " hinted" : ""}`, disabled: this.sent,
          "aria-label": `Show ${this.card(card).name}; ${note}`, onclick: () => this.send(`show ${this.card(card).name}`) });
      })),
    ];
  }

  startToAccuse(picks, names) {
    if (picks) {
      this.askToAccuse(names);
    } else {
      this.accusing = true;
      this.draw();
    }
  }

  askToAccuse(names) {
    this.confirm.replaceChildren(
      make("h2", {}, "Accuse?"),
      make("div", { class: "clue-three" }, this.chosen.map((card) => clueCard(this.card(card)))),
      make("p", {}, "You accuse once in the game. If all three are right, you win; if not, you are out and only answer."),
      make("div", { class: "row" },
        make("button", { type: "button", class: "button", id: "clue-accuse-back", onclick: () => this.confirm.close() }, "Not yet"),
        make("button", { type: "button", class: "button primary", id: "clue-accuse-now", onclick: () => { this.confirm.close(); this.send(`accuse ${names.join(", ")}`); } }, "Accuse")));
    this.confirm.showModal();
  }
}

function clueCapital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function clueJoined(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

function clueSmall(text) {
  return /^(You|Nobody)\b/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text;
}
