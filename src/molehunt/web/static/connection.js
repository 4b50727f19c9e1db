// The connection to the server: messages as objects, and coming back by itself when it breaks.

const LINE_FIRST_WAIT = 500; // milliseconds; doubled at each attempt
const LINE_LONGEST_WAIT = 10_000;
const LINE_SLEPT = 30_000; // milliseconds that a page was hidden after which its connection may be dead and not know it

/** A WebSocket to `path` that connects again until it is closed for good. `received(message)`; `changed(open, wait)`. */
export class Connection {
  constructor(path, received, changed) {
    this.path = path;
    this.received = received;
    this.changed = changed;
    this.wait = LINE_FIRST_WAIT;
    this.done = false;
    this.open();
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.renew());
    document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? this.wake() : this.sleep()));
  }

  sleep() {
    this.slept = Date.now();
  }

  wake() {
    if (this.socket.readyState === WebSocket.OPEN && Date.now() - this.slept > LINE_SLEPT) this.renew();
    else this.again();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = LINE_FIRST_WAIT;
      this.changed(true, 0);
    };
    socket.onmessage = (event) => this.received(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.done || socket !== this.socket) return;
      this.changed(false, this.wait);
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, LINE_LONGEST_WAIT);
    };
  }

  /** Try now, where the connection is down. */
  again() {
    if (this.done || this.socket.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Connect anew. A connection whose network is gone says nothing for minutes; a new one fails at once, or holds. */
  renew() {
    if (this.done) return;
    clearTimeout(this.timer);
    const before = this.socket;
    this.open();
    before.close();
  }

  /** Send a message; false where the connection is down. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Close for good. */
  close() {
    this.done = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
