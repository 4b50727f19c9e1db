// The heads of those who sit at a table, one for each seat: their hats, beards and glasses tell them apart, not their colours alone.

const HEAD_SVG = "http://www.w3.org/2000/svg";
const HEAD_SKIN = ["#f0c7a0", "#c98f63", "#e8b48a", "#8d5a3a", "#f3d3b3"];
const HEAD_HAIR = ["#8a4a1c", "#2f2a28", "#d9a441", "#b9b4ad", "#a5361f"];
// Drawings of 32 x 32: the face is a circle of 8.5 around (16, 17).
const HEAD_HATS = {
  helmet: `<path class="hat" d="M6 14 Q6 4.5 16 4.5 Q26 4.5 26 14 Z"/><path class="brim" d="M4.5 14 H27.5"/><circle class="lamp" cx="16" cy="9" r="3"/>`,
  scarf: `<path class="hat" d="M7.2 14 Q8 5.5 16 5.5 Q24 5.5 24.8 14 Q16 9.5 7.2 14 Z M24 12.5 L29.5 10 L28.5 16 Z"/>`,
  bowler: `<path class="hat" d="M9 12.5 Q9 4 16 4 Q23 4 23 12.5 Z"/><path class="brim" d="M5 12.8 H27"/>`,
  cap: `<path class="hat" d="M7 13.5 Q7 5.5 16 5.5 Q25 5.5 25 13.5 Z"/><circle class="lamp" cx="16" cy="4.4" r="2.2"/>`,
  hair: `<path class="hair" d="M7 16 Q6 6 16 6 Q26 6 25 16 Q23 10.5 16 11 Q9 10.5 7 16 Z"/>`,
  hood: `<path class="hat" d="M5 24 Q3.5 4 16 4 Q28.5 4 27 24 L24 24 Q25.5 9.5 16 9.5 Q6.5 9.5 8 24 Z"/>`,
};
const HEAD_BEARDS = {
  full: `<path class="hair" d="M7.6 18 Q11 21 16 19.6 Q21 21 24.4 18 Q25 29 16 29 Q7 29 7.6 18 Z"/><path class="mouth" d="M13.6 22.6 Q16 24 18.4 22.6"/>`,
  moustache: `<path class="hair" d="M16 20.2 Q11 18.6 8.6 22.6 Q13 23.6 16 21.6 Q19 23.6 23.4 22.6 Q21 18.6 16 20.2 Z"/>`,
  goatee: `<path class="hair" d="M13 23.4 H19 L16 30 Z"/><path class="mouth" d="M13.2 21.6 H18.8"/>`,
  braids: `<path class="hair" d="M6.4 15 Q4 22 6 29 L9.4 28 Q7.6 22 9 16 Z M25.6 15 Q28 22 26 29 L22.6 28 Q24.4 22 23 16 Z"/><path class="mouth" d="M13 21.6 Q16 24 19 21.6"/>`,
  none: `<path class="mouth" d="M12.8 21.4 Q16 24.4 19.2 21.4"/>`,
};
const HEAD_MORE = {
  glasses: `<g class="rim"><circle cx="12.6" cy="16.6" r="3"/><circle cx="19.4" cy="16.6" r="3"/><path d="M15.6 16.6 H16.4"/></g>`,
  patch: `<path class="patch" d="M7.8 12.8 L24.4 16.4 M10 14.6 h5.4 v2.6 q-2.7 3.2 -5.4 0 Z"/>`,
  nose: `<ellipse class="nose" cx="16" cy="19" rx="2.3" ry="1.9"/>`,
};
const HEADS = [["helmet", "full", 0], ["scarf", "none", 1, "patch"], ["hair", "braids", 2], ["bowler", "moustache", 1, "glasses"], ["cap", "goatee", 4],
  ["hood", "none", 3, "glasses"], ["hair", "full", 3, "nose"], ["helmet", "moustache", 2, "patch"], ["scarf", "braids", 0, "glasses"], ["bowler", "none", 4, "nose"]];

/** The head of who sits on a seat, as an SVG element; it is decoration, the name stands beside it. */
export function headOf(seat) {
  const [hat, beard, hair, more] = HEADS[seat % HEADS.length];
  const head = document.createElementNS(HEAD_SVG, "svg");
  for (const [name, value] of Object.entries({ class: "head", viewBox: "0 0 32 32", "aria-hidden": "true" })) head.setAttribute(name, value);
  head.style.setProperty("--skin", HEAD_SKIN[(seat * 2) % HEAD_SKIN.length]);
  head.style.setProperty("--hair", HEAD_HAIR[hair]);
  head.innerHTML = `<circle class="skin" cx="16" cy="17" r="8.5"/><circle class="eye" cx="12.8" cy="16.6" r="1.25"/><circle class="eye" cx="19.2" cy="16.6" r="1.25"/>`
    + HEAD_BEARDS[beard] + (HEAD_MORE[more] ?? "") + HEAD_HATS[hat];
  return head;
}
