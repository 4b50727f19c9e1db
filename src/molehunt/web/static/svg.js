// Drawings that games make: SVG as text.

const SVG_TAG = /<[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'<>])*>/g;
const SVG_STYLE = /\sstyle(?=\s*=)/;

/** The picture that a text holds. Its elements keep their own style as `data-style`, until it is put somewhere. */
export function pictureIn(text) {
  const holder = document.createElement("template");
  // Made by the server, the only markup a page takes; a style in it would be refused.
  holder.innerHTML = text.replace(SVG_TAG, (tag) => tag.replace(SVG_STYLE, " data-style"));
  return holder.content.querySelector("svg") ?? document.createElementNS("http://www.w3.org/2000/svg", "svg");
}

/** A drawing as {svg, width, height}: an element with a viewBox, and its size in its own units. It keeps its style sheet, to stand alone. */
export function drawingOf(text) {
  const svg = pictureIn(text);
  const box = (svg.getAttribute("viewBox") ?? "").trim().split(/[\s,]+/).map(Number);
  const [left, top, width, height] = box.length === 4 && box.every(Number.isFinite) && box[2] > 0 && box[3] > 0 ? box
    : [0, 0, parseFloat(svg.getAttribute("width")) || 600, parseFloat(svg.getAttribute("height")) || 400];
  svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  setStyles(svg);
  return { svg, width, height };
}

/** Give the elements of a picture their own style. */
function setStyles(svg) {
  for (const styled of [svg, ...svg.querySelectorAll("[data-style]")]) {
    if (styled.dataset.style === undefined) continue;
    styled.style.cssText = styled.dataset.style;
    delete styled.dataset.style;
  }
}

/**
 * Put a drawing into the shadow of `holder`, where its style sheet reaches nothing else; `rules` are those of the place.
 *
 * Pages take no style that stands in markup (their content security policy), so what a drawing brings is set by script.
 */
export function putDrawing(holder, svg, rules) {
  const root = holder.shadowRoot ?? holder.attachShadow({ mode: "open" });
  const texts = [rules];
  for (const style of svg.querySelectorAll("style")) {
    texts.push(style.textContent);
    style.remove();
  }
  setStyles(svg);
  root.adoptedStyleSheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  root.replaceChildren(svg);
}
