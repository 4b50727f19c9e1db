// Dragging a card with mouse, pen or finger.

const DRAG_FROM = 8; // pixels: less is a tap

/** Let `button` be dragged. `hand.lift()` says whether it may be and picks it up; `hand.target(element)` what takes the
 * card there, or null; `hand.drop(target)` lays it down; `hand.miss(element)` is told where it was let go in vain, or nowhere. */
export function makeDraggable(button, hand) {
  let from = null;
  let flying = null;
  let target = null;
  let stays = false; // it was drawn at, and may not be lifted now

  const show = (to) => {
    if (to === target) return;
    target?.classList.remove("over");
    to?.classList.add("over");
    target = to;
  };
  const end = () => {
    flying?.remove();
    show(null);
    document.body.classList.remove("dragging");
    from = flying = null;
    stays = false;
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    from = { x: event.clientX, y: event.clientY };
    stays = false;
  });
  button.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!event.buttons) {
      from = null; // it was let go elsewhere
      return;
    }
    if (!flying) {
      if (stays || Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_FROM) return;
      button.setPointerCapture(event.pointerId);
      stays = !hand.lift();
      if (stays) return;
      flying = button.querySelector("svg").cloneNode(true);
      flying.classList.add("flying");
      document.body.append(flying);
      document.body.classList.add("dragging");
    }
    flying.style.left = `${event.clientX}px`;
    flying.style.top = `${event.clientY}px`;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    show(under ? hand.target(under) : null);
  });
  button.addEventListener("pointerup", (event) => {
    if (!flying && !stays) {
      from = null;
      return;
    }
    const onto = target;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const tapped = stays && button.contains(under); // by a hand that trembles
    end();
    if (tapped) return;
    // The click that follows a drag would put the card down again.
    const swallow = (click) => click.stopImmediatePropagation();
    button.addEventListener("click", swallow, { capture: true });
    setTimeout(() => button.removeEventListener("click", swallow, { capture: true }), 50);
    if (onto) hand.drop(onto);
    else hand.miss(under);
  });
  button.addEventListener("pointercancel", end);
  button.addEventListener("dragstart", (event) => event.preventDefault());
}
