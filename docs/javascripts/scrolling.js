// Boxes of code and tables that are wider than the page are Tab stops, so that they can be scrolled by the keyboard everywhere.

const STOPS = ".md-content pre > code, .md-content .md-typeset__scrollwrap";

/** What a table is called: by the heading above it. */
function headingAbove(box) {
  const headings = [...document.querySelectorAll(".md-content :is(h1, h2, h3, h4)")];
  const above = headings.findLast((heading) => heading.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
  return above?.firstChild?.textContent.trim() || document.title;
}

function makeStop(box) {
  const scrolls = box.scrollWidth > box.clientWidth;
  if (!scrolls) box.removeAttribute("tabindex");
  else if (box.getAttribute("tabindex") !== "0") box.setAttribute("tabindex", "0");
  if (box.matches("code")) return;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", headingAbove(box));
}

/** The theme puts the buttons beside each code into a landmark without a name: dozens on a page, all called alike, and none a place to go to. */
function unmark() {
  for (const buttons of document.querySelectorAll(".md-content nav.md-code__nav:not([role])")) buttons.setAttribute("role", "none");
}

document$.subscribe(() => {
  // They come at the theme's own time.
  unmark();
  for (const content of document.querySelectorAll(".md-content")) new MutationObserver(unmark).observe(content, { childList: true, subtree: true });
  const sizes = new ResizeObserver((changes) => changes.forEach((change) => makeStop(change.target)));
  document.querySelectorAll(STOPS).forEach((box) => sizes.observe(box));
});
