// Tables of how often something was played and won.

import { _, inPercent } from "./language.js";
import { make } from "./dom.js";

/** A table of rows {name, played, won, practice (left out: not told), href (where its name leads)}. */
export function countsTable(heading, rows) {
  const told = rows.some((row) => row.practice !== undefined);
  const columns = [_("played"), _("won"), _("share"), ...(told ? [_("practice")] : [])];
  return make("table", { class: "statistics" },
    make("thead", {}, make("tr", {}, [heading, ...columns].map((words) => make("th", { scope: "col" }, words)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.href ? make("a", { href: row.href }, row.name) : row.name),
      [row.played, row.won, inPercent(row.won / row.played), ...(told ? [row.practice] : [])].map((value) => make("td", {}, String(value)))))));
}
