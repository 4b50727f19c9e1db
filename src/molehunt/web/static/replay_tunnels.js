// The replay of Saboteur and of the duel.

import { startReplay } from "./replay.js";
import { Board } from "./tunnels.js";

startReplay(Board);
