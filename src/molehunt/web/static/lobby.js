// The lobby: presets that start at once, and a form for any table.

import { _, counted_in, inDate, inNumbers } from "./language.js";
import { NAME_KEY, keepFor, make, pageData, qrCode, recall, setText } from "./dom.js";
import { countsTable } from "./counts.js";
import { forgetGames, ownGames, statisticsOf } from "./own_games.js";
import { OpenTables } from "./open_tables.js";
import { forgetTable, ownTables } from "./own_tables.js";
import { askTwice } from "./twice.js";

const LOBBY_NOBODY = _("Guest"); // who has not said their name, and plays with artificial players only
const LOBBY_GAME = "molehunt.game";
const LOBBY_REPLAYS = 8;
const lobbyData = pageData();
const lobbyAt = (id) => document.getElementById(id);

let lobbyGame = lobbyData.games.find((game) => game.game === recall(LOBBY_GAME)) ?? lobbyData.games[0];
let lobbySeats = [];

// ---- presets ----

function showPresets() {
  const guided = lobbyData.presets.filter((preset) => preset.guided);
  lobbyAt("first-games").hidden = !guided.length;
  lobbyAt("guided").replaceChildren(...guided.map((preset) => make("li", {}, make("button", { type: "button", class: "button", title: preset.text,
    "data-first": preset.setup.game, onclick: (event) => startPreset(preset, event.currentTarget) }, preset.title))));
  lobbyAt("presets").replaceChildren(...lobbyData.presets.filter((preset) => !preset.guided).map((preset, number) => make("li", {},
    make("button", { type: "button", class: "preset", "data-preset": number, onclick: (event) => startPreset(preset, event.currentTarget) },
      gamePicture(preset.setup.game),
      make("span", { class: "preset-words" }, make("strong", {}, preset.title), make("span", {}, preset.text))))));
}

function gamePicture(game) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 96 60");
  svg.setAttribute("class", "game-picture");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", document.getElementById(`game-${game}`) ? `#game-${game}` : "#game-any");
  svg.append(use);
  return svg;
}

function startPreset(preset, button) {
  const seats = preset.setup.seats.map((seat) => (seat.kind === "me" ? { ...seat, name: lobbyName() || seat.name || LOBBY_NOBODY } : seat));
  openTable({ ...preset.setup, seats }, lobbyAt("preset-error"), button, preset.guided ? "#first" : "");
}

// ---- the reader's own tables ----

function showOwnTables() {
  if (lobbyData.told) forgetTable(location.pathname); // this address leads to no table any more
  const tables = ownTables().filter((table) => table.phase !== "over");
  lobbyAt("own-tables").hidden = !tables.length;
  lobbyAt("own-tables-list").replaceChildren(...tables.map((table, place) => make("li", {},
    make("span", { class: "own-table" }, make("strong", {}, table.label), make("span", { class: "muted small" },
      [_("with {names}", { names: table.with }), table.phase === "waiting" ? _("waiting for players") : counted_in("{n} move", "{n} moves", table.moves)].join(" · "))),
    make("a", { class: "button", href: table.path, "aria-label": _("Resume {table}", { table: `${table.label}, ${table.with}` }) }, _("Resume")),
    make("button", { type: "button", class: "button quiet", "aria-label": _("Take {table} off the list", { table: table.label }), title: _("Take off the list"),
      onclick: () => {
        forgetTable(table.path);
        showOwnTables();
        goOn(lobbyAt("own-tables-list").querySelectorAll("button"), place);
      } }, "✕"))));
}

// Whoever has taken something away by the keyboard goes on at what stands in its place, or where nothing is left at the beginning.
function goOn(buttons, place) {
  (buttons[Math.min(place, buttons.length - 1)] ?? lobbyAt("main")).focus({ preventScroll: true });
}

// ---- the reader's own games ----

function showOwnGames() {
  const games = ownGames();
  lobbyAt("own-games").hidden = !games.length;
  lobbyAt("own-games-list").replaceChildren(...games.slice(0, LOBBY_REPLAYS).map((game) => make("li", {},
    make("span", { class: "own-table" }, make("strong", {}, `${game.title}: ${game.won ? _("won") : _("not won")}`),
      make("span", { class: "muted small" }, [_("with {names}", { names: game.with }), inDate(new Date(game.at)), game.practice ? _("practice") : ""].filter(Boolean).join(" · "))),
    game.replay ? make("a", { class: "button", href: game.replay }, _("Replay")) : null)));
  lobbyAt("statistics").replaceChildren(...statisticsOf(games).map(({ heading, rows }) => countsTable(heading, rows)));
}

function showOwn() {
  showOwnTables();
  showOwnGames();
}

// ---- friends on the same network ----

function showShare() {
  lobbyAt("share").hidden = !lobbyData.share;
  if (!lobbyData.share) return;
  lobbyAt("share-address").replaceChildren(make("a", { href: lobbyData.share }, lobbyData.share));
  lobbyAt("share").append(qrCode("/code", _("Show it as a code for phones")));
}

// ---- the form ----

function showGames() {
  lobbyAt("games").replaceChildren(...lobbyData.games.map((game) => {
    const radio = make("input", { type: "radio", name: "game", value: game.game, id: `game-choice-${game.game}`,
      onchange: () => chooseGame(game) });
    radio.checked = game === lobbyGame;
    return make("label", { class: "segment", for: radio.id }, radio, gamePicture(game.game), make("span", {}, game.title));
  }));
}

function chooseGame(game) {
  lobbyGame = game;
  keepFor(LOBBY_GAME, game.game);
  lobbyAt("ruleset").replaceChildren(...game.rulesets.map((ruleset) => make("option", { value: ruleset.name }, ruleset.title ?? ruleset.name)));
  lobbySeats = [];
  chooseRuleset();
}

function chooseRuleset() {
  const [least, most] = lobbyRuleset().seats;
  const wanted = Math.min(Math.max(lobbySeats.length || 5, least), most);
  const count = lobbyAt("count");
  count.replaceChildren(...Array.from({ length: most - least + 1 }, (_one, more) => make("option", { value: least + more }, String(least + more))));
  count.value = wanted;
  count.disabled = least === most;
  chooseCount(wanted);
}

function lobbyRuleset() {
  return lobbyGame.rulesets.find((ruleset) => ruleset.name === lobbyAt("ruleset").value) ?? lobbyGame.rulesets[0];
}

function chooseCount(count) {
  const agent = lobbyGame.default_agent;
  const other = agent ? `agent ${agent}` : "friend";
  lobbySeats = Array.from({ length: count }, (_one, seat) => lobbySeats[seat] ?? (seat === 0 ? "me" : other));
  lobbyAt("seat-choices").replaceChildren(...lobbySeats.map((choice, seat) => {
    const select = make("select", { id: `seat-${seat}`, "data-seat": seat, "aria-label": _("Seat {number}", { number: seat + 1 }), onchange: () => {
      lobbySeats[seat] = select.value;
      if (select.value === "me") lobbySeats = lobbySeats.map((choice, at) => (at !== seat && choice === "me" ? other : choice));
      chooseCount(count);
      lobbyAt(`seat-${seat}`).focus();
    } },
    make("option", { value: "me" }, _("Me")), make("option", { value: "friend" }, _("A friend (by a link)")),
    make("optgroup", { label: _("Artificial players") }, lobbyGame.agents.map((player) => make("option", { value: `agent ${player.name}`, title: player.title },
      [player.called ? `${player.called} (${player.name})` : player.name, player.level].filter(Boolean).join(", ")))));
    select.value = choice;
    const avatar = make("span", { class: "avatar", "aria-hidden": "true" }, String(seat + 1));
    avatar.style.setProperty("--tint", `var(--seat-${seat % 10})`);
    return make("li", {}, avatar, select);
  }));
  checkPractice();
}

function checkPractice() {
  const people = lobbySeats.filter((choice) => !choice.startsWith("agent")).length;
  const practice = lobbyAt("practice");
  practice.disabled = people !== 1 || !lobbySeats.includes("me");
  if (practice.disabled) practice.checked = false;
  lobbyAt("practice-note").hidden = !practice.disabled;
  const friends = lobbySeats.filter((choice) => choice === "friend").length;
  setText(lobbyAt("form-note"), people === 0 ? _("Nobody sits: you watch artificial players.")
    : friends ? _("You get a link for each friend; the game starts when all sit.") : _("The game starts at once."));
}

function lobbyName() {
  return lobbyAt("name").value.trim();
}

function formSetup() {
  const seed = lobbyAt("seed").value.trim();
  if (seed && !/^\d{1,15}$/.test(seed)) throw new Error(_("The seed must be a whole number of at most 15 digits, or empty, not “{seed}”.", { seed }));
  const seconds = lobbyAt("seconds").value;
  return {
    game: lobbyGame.game, ruleset: lobbyRuleset().name,
    seats: lobbySeats.map((choice) => choice === "me" ? { kind: "me", name: lobbyName() || LOBBY_NOBODY }
      : choice === "friend" ? { kind: "friend" } : { kind: "agent", agent: choice.slice("agent ".length) }),
    practice: lobbyAt("practice").checked, pace: Number(lobbyAt("pace").value), seconds: seconds ? Number(seconds) : null,
    seed: seed ? Number(seed) : null, hide: lobbyAt("hide").checked, chat: lobbyAt("chat").checked, listed: lobbyAt("listed").checked,
  };
}

function openTable(setup, fault, button, place = "") {
  const company = setup.listed || setup.seats.some((seat) => seat.kind === "friend");
  if (setup.seats.some((seat) => seat.kind === "me") && company && !saysName()) return;
  goTo("/api/tables", setup, fault, button, place);
}

function joinTable(token, fault, button) {
  if (saysName()) goTo("/api/join", { table: token, name: lobbyName() }, fault, button);
}

// Who plays with others says a name first; that stands at the name, to which the page goes.
function saysName() {
  if (lobbyName()) return true;
  lobbyAt("name").focus();
  showFault(lobbyAt("name-error"), _("Say your name first: the others see it at the table."));
  return false;
}

// Ask the server for a seat, and go there.
async function goTo(address, wish, fault, button, place = "") {
  fault.hidden = true;
  button.disabled = true;
  let goes = false;
  try {
    const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) });
    const said = await answer.json().catch(() => ({ error: _("The server answered with the status {status}.", { status: answer.status }) }));
    if (answer.ok) {
      goes = true; // the page stands here until the next one comes, and a second press would set a second table
      addEventListener("pageshow", () => { button.disabled = false; }, { once: true }); // who comes back may set another
      location.assign(said.link + place);
      return;
    }
    showFault(fault, said.error);
  } catch {
    showFault(fault, _("The server cannot be reached. Is it still running?"));
  } finally {
    button.disabled = goes;
    if (!goes && document.activeElement === document.body) button.focus({ preventScroll: true }); // what cannot be pressed loses the focus
  }
}

function showFault(fault, words) {
  fault.hidden = false;
  setText(fault, words);
  fault.scrollIntoView({ block: "nearest" });
}

// ---- start ----

function startLobby() {
  const name = lobbyAt("name");
  name.value = recall(NAME_KEY);
  name.oninput = () => {
    keepFor(NAME_KEY, lobbyName());
    lobbyAt("name-error").hidden = true;
  };
  if (lobbyData.told) showFault(lobbyAt("told"), lobbyData.told);
  showOwn();
  askTwice(lobbyAt("forget-games"), _("Forget them for good"), () => {
    forgetGames();
    showOwnGames();
    goOn([], 0);
  });
  // What other tabs of this browser play is seen here at once, and what was played since this page was left.
  addEventListener("storage", showOwn);
  addEventListener("pageshow", showOwn);
  new OpenTables(lobbyAt("open-tables"), joinTable).show(lobbyData.listed ?? []);
  lobbyAt("to-statistics").hidden = !lobbyData.statistics;
  showShare();
  showPresets();
  showGames();
  chooseGame(lobbyGame);
  lobbyAt("ruleset").onchange = chooseRuleset;
  lobbyAt("count").onchange = (event) => chooseCount(Number(event.target.value));
  const pace = lobbyAt("pace");
  pace.oninput = () => {
    setText(lobbyAt("pace-words"), `${inNumbers(pace.value / 1000, 1)} s`);
    pace.setAttribute("aria-valuetext", lobbyAt("pace-words").textContent);
  };
  pace.oninput();
  lobbyAt("form").onsubmit = (event) => {
    event.preventDefault();
    const fault = lobbyAt("form-error");
    try {
      openTable(formSetup(), fault, lobbyAt("create"));
    } catch (error) {
      showFault(fault, error.message);
    }
  };
}

startLobby();
