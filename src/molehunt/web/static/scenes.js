// What is held on the screen: one's role when the cards are dealt, and the end of a round, with all roles turned over.

import { _, counted_in, later } from "./language.js";
import { drawSymbol, make, setAll, setText, tell } from "./dom.js";
import { placeSaid } from "./turning.js";

const SCENE_ROLE_SECONDS = 4;
const SCENE_ROW = 5; // roles that lie beside each other on a phone
const SCENE_HAVE_WON = { miners: later("The miners have won"), saboteurs: later("The saboteurs have won") };
const SCENE_WIN = { miners: later("the miners win."), saboteurs: later("the saboteurs win.") };
const SCENE_WIN_ROUND = { miners: later("the miners win round {number}."), saboteurs: later("the saboteurs win round {number}.") };
const SCENE_FACES = {
  // A miner with a lamp, and one under a hood: drawings of 60 x 60.
  miner: `<path class="face-coat" d="M8 60 Q10 46 30 46 Q50 46 52 60 Z"/><path class="face-skin" d="M19 24 H41 V38 Q41 48 30 48 Q19 48 19 38 Z"/>
    <path class="face-beard" d="M18 34 Q22 40 30 37 Q38 40 42 34 Q44 54 30 57 Q16 54 18 34 Z"/><path class="face-mouth" d="M26 44 Q30 47 34 44"/>
    <circle class="face-eye" cx="25.5" cy="31" r="1.9"/><circle class="face-eye" cx="34.5" cy="31" r="1.9"/><path class="face-helmet" d="M14 26 Q14 8 30 8 Q46 8 46 26 Z M11 26 H49"/>
    <circle class="face-lamp" cx="30" cy="17" r="5.5"/><circle class="face-glow" cx="30" cy="17" r="2.8"/>`,
  saboteur: `<path class="face-hood" d="M6 60 Q4 30 18 14 Q30 2 42 14 Q56 30 54 60 Z"/><path class="face-shadow" d="M17 34 Q18 18 30 17 Q42 18 43 34 Q42 50 30 51 Q18 50 17 34 Z"/>
    <path class="face-glint" d="M21 31 L28 33.5 Q24 37 21 31 Z M39 31 L32 33.5 Q36 37 39 31 Z"/><path class="face-grin" d="M23 42 Q30 47 38 40"/>
    <path class="face-fuse" d="M45 50 L53 42 M53 42 l3 -4"/><circle class="face-spark" cx="56.5" cy="37" r="2.2"/><rect class="face-stick" x="36" y="48" width="12" height="8" rx="2" transform="rotate(-38 42 52)"/>`,
};

/** The card of a role, face down; `turnOver` shows its face. */
function roleCard(role) {
  const face = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  face.setAttribute("viewBox", "0 0 60 60");
  face.setAttribute("aria-hidden", "true");
  face.innerHTML = SCENE_FACES[role] ?? "";
  return make("span", { class: `role-card role-${role}` },
    make("span", { class: "role-back", "aria-hidden": "true" }), make("span", { class: "role-front" }, face, make("span", { class: "role-name" }, _(role))));
}

/** All roles of a round as cards that turn over one after the other, with the gold that is known. */
export function rolesShown(frame, ended) {
  return make("ol", { class: ended.roles.length > SCENE_ROW ? "role-cards many" : "role-cards", "aria-label": _("Roles") }, ended.roles.map((role, seat) => {
    const gold = frame.position.seats[seat]?.gold;
    const own = seat === frame.you;
    const item = make("li", { class: own ? "own" : "" }, roleCard(role), make("span", { class: "role-who" }, frame.seats[seat].name),
      make("span", { class: "role-gold" }, own && ended.gained ? make("strong", { class: "role-gain" }, `+${ended.gained} `) : null,
        gold === null || gold === undefined || gold < 0 ? null
          : [drawSymbol("i-nugget"), make("span", { "aria-hidden": "true" }, `${gold}`), make("span", { class: "unseen" }, counted_in("{n} nugget", "{n} nuggets", gold))]));
    item.style.setProperty("--order", seat);
    return item;
  }));
}

/** That a team wins, or wins a round, as the end of a sentence. */
export function teamWins(ended, round) {
  return _((round ? SCENE_WIN_ROUND : SCENE_WIN)[ended.team], { number: ended.number });
}

/** Where the gold lay, as a sentence; "" where it was reached, so that it lies open. */
export function goldLay(ended) {
  return ended.team === "miners" ? "" : _("The gold lay under the {place} goal.", { place: placeSaid(ended.gold) });
}

/** Who has won a round, and what that is for the reader; `last`: it is said of the last one of several. */
export function sideVerdict(frame, ended, last = false) {
  if (frame.you === null) return _(SCENE_HAVE_WON[ended.team]);
  const won = `${ended.roles[frame.you]}s` === ended.team;
  if (last) return won ? _("Your side has won the last round") : _("Your side has lost the last round");
  return won ? _("Your side has won") : _("Your side has lost");
}

/** The end of a round, below the board that is held. */
export class RoundScene {
  constructor(root) {
    this.panel = make("section", { class: "scene", "aria-labelledby": "scene-title", hidden: true });
    root.append(this.panel);
  }

  /** Show the end of `ended`; `goOn` is called when the reader has seen it. Nothing is shown without `ended`. */
  show(frame, ended, goOn) {
    const state = ended ? `${ended.number}` : "";
    this.panel.hidden = !ended;
    if (this.drawn !== state) {
      this.drawn = state;
      this.panel.replaceChildren();
      if (!ended) return;
      const button = make("button", { type: "button", class: "button primary", id: "next-round", onclick: goOn }, _("Next round"));
      this.look = make("button", { type: "button", class: "button", id: "look-at-mine", onclick: () => this.fold(!this.folded) });
      this.fold(false);
      this.panel.append(make("div", { class: "scene-words" }, make("h2", { id: "scene-title" }, sideVerdict(frame, ended)),
        make("p", {}, `${ended.reason}: ${teamWins(ended, true)} ${goldLay(ended)}`),
        frame.you === null ? null : make("p", { class: "scene-pay" }, ended.gained ? _("You are paid {gold} gold.", { gold: ended.gained }) : _("You are paid nothing."))),
      rolesShown(frame, ended), make("div", { class: "scene-foot" }, this.look, button));
      tell([_("Round {number} is over. {reason}.", { number: ended.number, reason: ended.reason }), goldLay(ended)].join(" "));
      button.focus({ preventScroll: true });
    }
    if (ended) this.panel.classList.toggle("waits", Boolean(frame.due));
  }

  // On a small screen the roles take what the mine needs to be read.
  fold(folded) {
    this.folded = folded;
    this.panel.classList.toggle("folded", folded);
    setText(this.look, folded ? _("Show the roles") : _("Look at the mine"));
    setAll(this.look, { "aria-expanded": String(!folded) });
  }
}

/** Show the reader their role for some seconds, as a card that turns over; without a role what was shown of one goes. */
export function dealRole(root, role) {
  root.querySelector(".dealt-role")?.remove();
  if (!role) return;
  const words = role === "saboteur" ? _("You are a saboteur: keep the miners from the gold.") : _("You are a miner: dig to the gold.");
  const shown = make("div", { class: "dealt-role" }, roleCard(role), make("p", {}, words));
  root.append(shown);
  tell(words);
  const end = () => shown.remove();
  setTimeout(end, SCENE_ROLE_SECONDS * 1000);
  for (const begun of ["pointerdown", "keydown"]) addEventListener(begun, end, { once: true }); // who plays has read it
}
