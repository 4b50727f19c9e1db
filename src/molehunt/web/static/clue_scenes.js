// What moves at a table of Clue: the cards are dealt, a card that is shown goes from hand to hand, an accusation opens the envelope.
// Nothing moves where the reader's system is told to reduce motion. A card that the reader may not see has no face here, either.

import { clueCard } from "./clue_cards.js";
import { make } from "./dom.js";
import { glide, isStill, seatAt, shakeAll } from "./motion.js";

const CLUE_SCENE_DEAL = 380; // milliseconds
const CLUE_SCENE_STEP = 110; // between one card and the next
const CLUE_SCENE_OPEN = 700;
const CLUE_SCENE_CARD = 96; // pixels: how high a card is while it goes from hand to hand
const CLUE_SCENE_ENVELOPE = `<svg viewBox="0 0 90 60" aria-hidden="true"><rect class="envelope-back" x="3" y="12" width="84" height="45" rx="4"/>
  <path class="envelope-front" d="M3 16 L45 40 L87 16 V53 Q87 57 83 57 H7 Q3 57 3 53 Z"/><path class="envelope-flap" d="M4 13 L45 40 L86 13 Z"/><circle class="envelope-seal" cx="45" cy="38" r="6"/></svg>`;

/** What has happened from one position to the next: [{kind, ...}], as kinds "suggested", "shown", "accused" (wrongly), "opened". */
export function clueNews(before, after) {
  const news = [];
  const made = after.record.at(-1);
  const was = made && before.record.find((one) => one.n === made.n);
  if (made && made.disprover !== null && (was?.disprover ?? null) === null) news.push({ kind: "shown", made });
  else if (made && !was) news.push({ kind: "suggested" });
  for (const accusation of after.accusations.slice(before.accusations.length)) news.push({ kind: accusation.right ? "opened" : "accused", seat: accusation.seat });
  return news;
}

/** The cards of the reader's hand come from the middle of the table, one after the other. */
export function dealClue(board) {
  if (isStill()) return;
  const from = cluePlace(board.stage);
  board.parts.hand.querySelectorAll(".clue-card").forEach((card, number) => {
    const to = cluePlace(card);
    const away = `translate(${from.left + from.width / 2 - to.left - to.width / 2}px, ${from.top + from.height / 2 - to.top - to.height / 2}px)`;
    card.animate({ transform: [`${away} rotate(-20deg) scale(.5)`, "none"], opacity: [0, 1] },
      { duration: CLUE_SCENE_DEAL, delay: number * CLUE_SCENE_STEP, easing: "ease-out", fill: "backwards" });
  });
}

/** Show what has happened, as `clueNews` finds it; `board` has drawn what is the case after it. */
export function showClue(board, news) {
  if (isStill()) return;
  for (const one of news) {
    if (one.kind === "shown") passCard(board, one.made);
    else if (one.kind === "opened") openEnvelope(board.stage.querySelector(".clue-envelope"));
    else if (one.kind === "accused") lookIntoEnvelope(board, one.seat);
  }
}

// From who shows it to who asked. Both know the card: who shows it sees it go, who asked sees it come. Everybody else sees a back.
function passCard(board, made) {
  const me = board.frame.you;
  const known = made.shown === null ? null : board.card(made.shown);
  const own = me === made.disprover ? board.parts.hand.querySelector(`[data-card="${made.shown}"]`) : null;
  const asked = me === made.by ? board.stage.querySelector(".clue-shown") : null;
  const from = own ?? seatAt(made.disprover);
  const to = asked ?? seatAt(made.by);
  if (!from || !to) return;
  const hidden = asked?.animate({ opacity: [0, 0] }, { duration: 10_000 });
  glide(clueFlight(known), cluePlace(from), cluePlace(to), CLUE_SCENE_CARD).then(() => {
    hidden?.cancel();
    asked?.animate({ transform: ["perspective(400px) rotateY(-90deg)", "perspective(400px) rotateY(0)"] }, { duration: CLUE_SCENE_DEAL, easing: "ease-out" });
  });
}

// A card on its way: with its face where the reader knows it, else its back.
function clueFlight(card) {
  const shown = card ? clueCard(card) : make("span", { class: "clue-back" });
  return make("span", { class: "flight clue-flight", "aria-hidden": "true" }, shown);
}

function clueEnvelope() {
  const envelope = make("span", { class: "clue-paper", "aria-hidden": "true" });
  envelope.innerHTML = CLUE_SCENE_ENVELOPE;
  return envelope;
}

// The flap goes up, the cards come out one after the other.
function openEnvelope(place) {
  if (!place) return;
  const envelope = clueEnvelope();
  place.append(envelope);
  envelope.querySelector(".envelope-flap").animate({ transform: ["scaleY(1)", "scaleY(-1)"] }, { duration: CLUE_SCENE_OPEN, easing: "ease-in-out", fill: "forwards" });
  envelope.animate({ opacity: [1, 1, 0] }, { duration: 3 * CLUE_SCENE_OPEN, easing: "ease-in" }).finished.then(() => envelope.remove());
  place.querySelectorAll(".clue-card").forEach((card, number) => card.animate(
    { transform: ["translateY(40%) scale(.5)", "translateY(-12%) scale(1.05)", "none"], opacity: [0, 1, 1] },
    { duration: CLUE_SCENE_OPEN, delay: CLUE_SCENE_OPEN + 2 * number * CLUE_SCENE_STEP, easing: "ease-out", fill: "backwards" }));
}

// Who accused wrongly looks into the envelope alone.
function lookIntoEnvelope(board, seat) {
  const place = seatAt(seat);
  if (!place) return;
  const envelope = make("span", { class: "flight clue-flight", "aria-hidden": "true" }, clueEnvelope());
  glide(envelope, cluePlace(board.stage), cluePlace(place), CLUE_SCENE_CARD / 2).then(() => shakeAll(place));
}

function cluePlace(element) {
  return element.getBoundingClientRect();
}
