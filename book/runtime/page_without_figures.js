// The runtime of a page without figures: progress and lookup tables only.

import { offerToLookUp } from "./lookup.js";
import { followProgress } from "./progress.js";

followProgress();
offerToLookUp();
