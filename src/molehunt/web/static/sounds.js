// Short sounds, made here and now of tones and noise: there are no files. Nothing sounds before the reader has touched the page.

import { keepFor, recall } from "./dom.js";

const SOUND_KEY = "molehunt.sound";
const SOUND_LOUD = 0.14;
// What sounds: [tone in hertz (0: noise), when it begins, how long it lasts in seconds, how loud], one after the other.
const SOUND_SCORES = {
  card: [[0, 0, 0.07, 0.8], [150, 0.01, 0.09, 0.8]],
  fall: [[0, 0, 0.3, 1], [85, 0, 0.32, 1], [62, 0.09, 0.3, 0.8]],
  break: [[0, 0, 0.06, 1], [196, 0, 0.12, 0.7], [0, 0.11, 0.08, 0.9], [131, 0.11, 0.2, 0.8]],
  mend: [[523, 0, 0.1, 0.6], [784, 0.1, 0.16, 0.6]],
  look: [[659, 0, 0.12, 0.35], [622, 0.12, 0.16, 0.35]],
  turn: [[392, 0, 0.16, 0.5], [494, 0.2, 0.16, 0.5], [587, 0.4, 0.34, 0.5]],
  deal: [0, 0.11, 0.22, 0.33].map((begins) => [0, begins, 0.06, 0.7]),
  ask: [[440, 0, 0.08, 0.35], [554, 0.09, 0.12, 0.35]],
  show: [[0, 0, 0.12, 0.6], [587, 0.14, 0.14, 0.4]],
  wrong: [[0, 0, 0.2, 0.8], [233, 0.2, 0.16, 0.6], [185, 0.36, 0.3, 0.6]],
  mine: [[880, 0, 0.12, 0.5], [1175, 0.12, 0.2, 0.5]],
  won: [[523, 0, 0.14, 0.7], [659, 0.13, 0.14, 0.7], [784, 0.26, 0.14, 0.7], [1047, 0.39, 0.5, 0.7]],
  lost: [[392, 0, 0.2, 0.6], [349, 0.2, 0.2, 0.6], [294, 0.4, 0.45, 0.6]],
};

/** The sounds of a page, which the reader may mute. */
export class Sounds {
  constructor() {
    this.muted = recall(SOUND_KEY) === "off";
    this.context = null;
    for (const touched of ["pointerdown", "keydown"]) addEventListener(touched, () => this.begin(), { once: true });
  }

  begin() {
    if (typeof AudioContext === "undefined" || this.muted) return;
    this.context ??= new AudioContext();
  }

  /** Mute, or no longer. */
  mute(muted) {
    this.muted = muted;
    keepFor(SOUND_KEY, muted ? "off" : "on");
    if (!muted) this.begin();
  }

  /** Play one of the sounds after so many seconds. */
  play(name, after = 0) {
    if (this.muted || !this.context || document.hidden) return;
    const now = this.context.currentTime + after;
    for (const [tone, begins, lasts, loud] of SOUND_SCORES[name]) this.sound(tone, now + begins, lasts, loud * SOUND_LOUD);
  }

  sound(tone, begins, lasts, loud) {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(loud, begins);
    gain.gain.exponentialRampToValueAtTime(0.0005, begins + lasts);
    gain.connect(this.context.destination);
    const source = tone ? this.tone(tone) : this.noise(lasts);
    source.connect(gain);
    source.start(begins);
    source.stop(begins + lasts);
  }

  tone(hertz) {
    const tone = this.context.createOscillator();
    tone.type = hertz < 200 ? "sine" : "triangle";
    tone.frequency.value = hertz;
    return tone;
  }

  noise(lasts) {
    const buffer = this.context.createBuffer(1, Math.ceil(lasts * this.context.sampleRate), this.context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    const noise = this.context.createBufferSource();
    noise.buffer = buffer;
    return noise;
  }
}
