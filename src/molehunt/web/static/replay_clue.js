// The replay of Speed Clue.

import { Board } from "./clue.js";
import { startReplay } from "./replay.js";

startReplay(Board);
