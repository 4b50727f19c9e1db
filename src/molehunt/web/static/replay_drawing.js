// The replay of any game that has no board of its own.

import { Board } from "./drawing.js";
import { startReplay } from "./replay.js";

startReplay(Board);
