// The tables at which the reader sits, as this browser has kept them: nobody else is told.

import { keepFor, recall } from "./dom.js";

const OWN_TABLES_KEY = "molehunt.tables";
const OWN_TABLES_MOST = 12;
const OWN_TABLES_HOURS = 24 * 7;

/** The tables, the last used one first: {path, label, phase, moves, rounds, with, at}. */
export function ownTables() {
  try {
    const found = JSON.parse(recall(OWN_TABLES_KEY) || "[]");
    const oldest = Date.now() - OWN_TABLES_HOURS * 3600 * 1000;
    return Array.isArray(found) ? found.filter((table) => /^\/t\/[\w-]+$/.test(table.path) && table.at > oldest) : [];
  } catch {
    return [];
  }
}

/** Keep a table, or what it has become. */
export function keepTable(table) {
  const others = ownTables().filter((other) => other.path !== table.path);
  keepFor(OWN_TABLES_KEY, JSON.stringify([{ ...table, at: Date.now() }, ...others].slice(0, OWN_TABLES_MOST)));
}

/** Keep a table no longer. */
export function forgetTable(path) {
  keepFor(OWN_TABLES_KEY, JSON.stringify(ownTables().filter((table) => table.path !== path)));
}
