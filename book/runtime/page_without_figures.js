// What a page without figures needs of the runtime.

import { offerToLookUp } from "./lookup.js";
import { followProgress } from "./progress.js";

followProgress();
offerToLookUp();
