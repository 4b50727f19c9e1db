// What a page does when it stands: its faces come, and the reader may choose its language.

import { language } from "./language.js";

const PAGE_YEAR = 365 * 24 * 3600; // seconds

// First what is played with, then its looks.
function askForFaces() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "/static/fonts.css";
  document.head.append(sheet);
}

// Each language by its own name; the choice is kept by the browser, which tells the server.
function offerLanguages() {
  const choice = document.getElementById("language");
  for (const option of choice.options) {
    const name = new Intl.DisplayNames(option.value, { type: "language" }).of(option.value);
    option.textContent = name.charAt(0).toLocaleUpperCase(option.value) + name.slice(1);
  }
  choice.value = language;
  choice.onchange = () => {
    document.cookie = `lang=${choice.value}; path=/; max-age=${PAGE_YEAR}; samesite=lax`;
    const address = new URL(location.href);
    address.searchParams.delete("lang");
    history.replaceState(null, "", address);
    location.reload();
  };
}

offerLanguages();
requestAnimationFrame(() => setTimeout(askForFaces));
