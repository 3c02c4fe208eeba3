// What a page without figures needs of the runtime.

import { followProgress } from "./progress.js";

followProgress();
