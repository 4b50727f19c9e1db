// How the games of the people of a house ended: of all of them, or of one.

import { make, pageData, setText } from "./dom.js";
import { countsTable } from "./counts.js";

const { kept, people, name, games, roles, company } = pageData();

function whatIsTold() {
  if (!kept) return "This house keeps no statistics.";
  if (name) return games.length ? "" : "Nobody has finished a game here under this name.";
  return people.length ? "" : "No game has ended here yet.";
}

function start() {
  document.getElementById("statistics-back").hidden = !name;
  if (name) setText(document.getElementById("statistics-title"), name);
  setText(document.getElementById("statistics-told"), whatIsTold());
  const lines = people.map((person) => ({ ...person, href: `/statistics?${new URLSearchParams({ name: person.name })}` }));
  const tables = [["Players", lines], ["Games", games], ["Roles", roles], ["With", company]].filter(([, rows]) => rows.length);
  const panels = tables.map(([heading, rows]) => make("section", { class: "panel", "aria-label": heading }, countsTable(heading, rows)));
  document.getElementById("statistics-tables").replaceChildren(...panels);
}

start();
