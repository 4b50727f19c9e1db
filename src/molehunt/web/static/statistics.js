// How the games of the people of a house ended: of all of them, or of one.

import { _ } from "./language.js";
import { make, pageData, setText } from "./dom.js";
import { countsTable } from "./counts.js";

const { kept, people, name, games, roles, company } = pageData();

function whatIsTold() {
  if (!kept) return _("This house keeps no statistics.");
  if (name) return games.length ? "" : _("Nobody has finished a game here under this name.");
  return people.length ? "" : _("No game has ended here yet.");
}

function start() {
  document.getElementById("statistics-back").hidden = !name;
  if (name) setText(document.getElementById("statistics-title"), name);
  const told = document.getElementById("statistics-told");
  setText(told, whatIsTold());
  told.hidden = !whatIsTold();
  const lines = people.map((person) => ({ ...person, href: `/statistics?${new URLSearchParams({ name: person.name })}` }));
  const tables = [[_("Players"), lines], [_("Games"), games], [_("Roles"), roles], [_("With"), company]].filter(([, rows]) => rows.length);
  const panels = tables.map(([heading, rows]) => make("section", { class: "panel", "aria-label": heading }, countsTable(heading, rows)));
  document.getElementById("statistics-tables").replaceChildren(...panels);
}

start();
