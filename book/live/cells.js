// What the buttons of main.js do.

import { LiveCell } from "./cell.js";

globalThis.abhLive.cells = (parts) => {
  const all = [];
  for (const part of parts) all.push(new LiveCell(part, all));
  return all;
};
