// What scrolls in itself tells that there is more of it.

/** Fade `box` at its lower edge while it holds more below: class `more-below`. */
export function tellOfMore(box) {
  const look = () => {
    const scrolls = getComputedStyle(box).overflowY !== "visible";
    box.classList.toggle("more-below", scrolls && box.scrollTop + box.clientHeight < box.scrollHeight - 2);
  };
  const sizes = new ResizeObserver(look);
  const watch = () => {
    sizes.disconnect();
    for (const one of [box, ...box.children]) sizes.observe(one); // and that looks at once
  };
  box.addEventListener("scroll", look, { passive: true });
  new MutationObserver(watch).observe(box, { childList: true });
  watch();
}
