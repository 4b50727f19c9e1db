// What stands above a board before the game, where friends are awaited, and after it.

import { _, counted_in, listed } from "./language.js";
import { goldLay, rolesShown, sideVerdict, teamWins } from "./scenes.js";
import { agentWords } from "./panels.js";
import { headOf } from "./heads.js";
import { NAME_KEY, copyText, keepFocus, keepFor, make, pageData, qrCode, recall, showToast } from "./dom.js";

/** A link for others: under the address by which they reach the server, where it says one. */
function roomLink(path) {
  return new URL(path, pageData().share || location.href).href;
}

/** Whether others can reach the server under the address of the links. */
function roomReached() {
  return !/^(localhost|127\.|\[::1\])/.test(new URL(roomLink("/")).host);
}

/** The waiting room in `root`; `send(message)` speaks to the server. */
export class WaitingRoom {
  constructor(root, send) {
    this.root = root;
    this.send = send;
  }

  /** Show who sits and who is awaited; nothing once the game has begun. */
  update(frame) {
    const room = this.root;
    room.hidden = frame.phase !== "waiting";
    if (room.hidden) {
      room.replaceChildren();
      room.drawn = "";
      return;
    }
    const state = JSON.stringify([frame.seats, frame.can, frame.you, frame.watch_link]);
    if (room.drawn === state) return;
    room.drawn = state;
    const open = frame.seats.filter((seat) => seat.kind === "open").length;
    const sits = frame.you !== null && frame.seats[frame.you].kind === "open";
    const typed = room.querySelector("#sit-name")?.value;
    keepFocus(room, () => room.replaceChildren(
      make("h2", { id: "waiting-title" }, sits ? _("Take your seat") : open ? counted_in("Waiting for {n} player", "Waiting for {n} players", open) : _("All sit")),
      ...(sits ? [this.sitForm(typed)] : []),
      open && frame.creator ? make("p", { class: "muted" }, _("Send each friend a link. The game begins when all sit.")
        + (roomReached() ? "" : ` ${_("These links work on this machine alone; to play over your network, the server must be started with --host 0.0.0.0.")}`)) : "",
      make("ol", { class: "waiting-seats" }, frame.seats.map((seat, number) => this.waitingSeat(seat, number, frame))),
      make("div", { class: "row" },
        frame.can.includes("start") ? make("button", { type: "button", class: "button primary", id: "start", "data-key": "start",
          onclick: () => this.send({ do: "start" }) }, open ? _("Start now, with artificial players on the free seats") : _("Start")) : null,
        frame.watch_link ? make("button", { type: "button", class: "button quiet", id: "copy-watch", "data-key": "watch",
          onclick: () => copyText(roomLink(frame.watch_link), _("Link for watchers")) }, _("Copy a link for watchers")) : null)));
  }

  sitForm(typed) {
    const name = make("input", { id: "sit-name", maxlength: 24, autocomplete: "nickname", spellcheck: "false", required: true, "data-key": "name" });
    name.value = typed ?? recall(NAME_KEY);
    return make("form", { class: "row sit", id: "sit", onsubmit: (event) => {
      event.preventDefault();
      if (!name.value.trim()) {
        showToast(_("Say who you are: the others see this name."));
        name.focus();
        return;
      }
      keepFor(NAME_KEY, name.value.trim());
      this.send({ do: "sit", name: name.value.trim() });
    } }, make("label", { class: "field", for: "sit-name" }, make("span", {}, _("Your name")), name),
    make("button", { class: "button primary" }, _("Sit down")));
  }

  waitingSeat(seat, number, frame) {
    const avatar = make("span", { class: "avatar", "aria-hidden": "true" }, seat.kind === "open" ? "+" : headOf(number));
    avatar.style.setProperty("--tint", `var(--seat-${number % 10})`);
    const what = seat.kind === "open" ? _("free") : seat.kind === "agent" ? agentWords(seat) : number === frame.you ? _("you") : seat.here === false ? _("away") : _("here");
    const link = seat.link ? roomLink(seat.link) : null;
    return make("li", { "data-seat": number }, avatar, make("span", { class: "seat-who" },
      make("strong", {}, seat.kind === "open" ? _("A friend") : seat.name), make("span", { class: "muted small" }, what)),
    link ? make("span", { class: "seat-link" }, make("input", { readonly: true, value: link, "aria-label": _("Link for seat {number}", { number: number + 1 }),
      "data-key": `link ${number}`, onfocus: (event) => event.target.select() }),
    make("button", { type: "button", class: "button", "data-copy": number, "data-key": `copy ${number}`, onclick: () => copyText(link, _("Link")) }, _("Copy"))) : null,
    link && roomReached() ? qrCode(`${seat.link}/code`, _("Code for the phone on seat {number}", { number: number + 1 })) : null);
  }
}

/** How the game ended, in `root`, and what one may do now. */
export class Ending {
  constructor(root, send) {
    this.root = root;
    this.send = send;
  }

  /** Show the end of a game that is over. */
  update(frame) {
    const panel = this.root;
    panel.hidden = !frame.over;
    if (!frame.over) {
      panel.replaceChildren();
      panel.drawn = "";
      this.played = true;
      return;
    }
    const state = JSON.stringify([frame.over, frame.can]);
    if (panel.drawn === state) return;
    panel.drawn = state;
    const won = frame.you !== null && frame.over.winners.includes(frame.you);
    const roles = frame.position?.roles;
    const ended = frame.position?.ended;
    panel.classList.toggle("won", won);
    const others = frame.seats.some((seat) => seat.kind === "person" && seat.seat !== frame.you);
    const waits = frame.you !== null && others && !frame.can.includes("again") && !frame.over.following && !frame.over.back;
    panel.replaceChildren(...[
      make("h2", { id: "over-title", tabindex: "-1" }, roomVerdict(frame)),
      make("p", {}, ended ? `${ended.reason}: ${teamWins(ended, ended.number > 1)} ${goldLay(ended)} ${roomGold(frame)}` : frame.over.text),
      ended ? rolesShown(frame, ended) : roles ? make("ul", { class: "roles", "aria-label": _("Roles") }, roles.map((role, seat) => make("li", {},
        make("span", {}, frame.seats[seat].name), make("span", { class: `tag role ${role}` }, _(role))))) : null,
      make("div", { class: "row" },
        frame.can.includes("again") ? make("button", { type: "button", class: "button primary", id: "again", onclick: () => this.send({ do: "again" }) }, _("Play again"))
          : frame.over.following ? make("a", { class: "button primary", id: "following", href: frame.over.following }, _("To the next game")) : null,
        frame.over.replay ? make("a", { class: "button", id: "replay", href: frame.over.replay }, _("Replay with all cards open")) : null,
        frame.over.analysis ? make("a", { class: "button", id: "to-analysis", href: frame.over.analysis }, _("Analysis")) : null,
        frame.over.back ? make("a", { class: "button primary", id: "back", href: frame.over.back }, _("Go on")) : null,
        frame.over.back ? null : make("a", { class: "button quiet", href: "/" }, _("To the lobby"))),
      waits ? make("p", { class: "muted small", id: "again-note" }, _("Who has set the table can open another game; stay here, and you come along.")) : null,
    ].filter(Boolean));
    if (this.played) panel.firstElementChild.focus(); // the board has no more moves, and the end stands above it
    this.played = false;
  }
}

/** Who has most of the gold, where it is shared out over rounds. */
function roomGold(frame) {
  const most = frame.over.winners.map((seat) => frame.seats[seat].name);
  if (!most.length) return _("Nobody has gold.");
  return most.length > 1 ? _("{names} have the most gold and win the game.", { names: listed(most) }) : _("{name} has the most gold and wins the game.", { name: most[0] });
}

/** In a word or two, that no move follows now. */
export function endWords(frame) {
  return frame.over.stopped ? _("The game has stopped") : _("Game over");
}

function roomVerdict(frame) {
  if (frame.over.stopped) return _("The game has stopped");
  const ended = frame.position?.ended;
  if (ended && frame.you !== null && !frame.over.winners.includes(frame.you)) return sideVerdict(frame, ended, ended.number > 1);
  if (frame.you === null) return _("The game is over");
  if (!frame.over.winners.length) return _("Nobody has won");
  return frame.over.winners.includes(frame.you) ? _("You have won") : _("You have lost");
}
