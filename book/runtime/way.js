// The way through the course that the reader took on the home page, and how it goes on.
//
// course.js names the ways and their steps (book/paths.py). The device keeps which one
// was taken and how far the reader came: attention-by-hand/way ["<name>", <step>].

import { element } from "./elements.js";
import { parsed } from "../../src/course/widgets/card/json.js";
import { PREFIX, page, root, store, stored } from "./storage.js";

const KEY = `${PREFIX}way`;
const ways = globalThis.abhCourse?.ways ?? [];

const addressOf = ({ page: name, id }) => `${root}${name}.html${id && `#${id}`}`;
const keep = (name, at) => store(KEY, JSON.stringify([name, at]));

/** The way that was taken, and the step that the reader is at. */
function taken() {
  const [name, at] = [parsed(stored(KEY)) ?? []].flat();
  const way = ways.find((each) => each.name === name);
  return way?.steps[at] && { ...way, at };
}

/** The section where a reader goes on who took a way through sections. */
export function nextOnTheWay() {
  const way = taken();
  const step = way?.steps[way.at];
  return step?.id ? { page: step.page, href: addressOf(step), text: step.text } : undefined;
}

/** Keep the way whose link the reader follows, on the home page. */
export function offerWays() {
  document.querySelectorAll(".way").forEach((list, i) => {
    [...list.querySelectorAll("a")].forEach((link, at) => link.addEventListener("click", () => keep(ways[i].name, at)));
  });
}

/** Keep that the reader has come to a section, if the way goes through it. */
export function comeTo(heading) {
  const way = taken();
  if (!way) return;
  const at = way.steps.findIndex((step) => step.page === page && step.id && heading.closest(`section[id="${step.id}"]`));
  if (at >= 0 && at !== way.at) keep(way.name, at);
}

function onward({ name, steps }, at) {
  const next = steps[at + 1];
  const link = next
    ? element("a", { href: addressOf(next) }, next.text)
    : element("a", { href: `${root}${globalThis.abhCourse.pages[0].page}.html` }, "the first page");
  const words = next ? [`Next on your way, \u201c${name}\u201d: `, link] : [`Here your way ends, \u201c${name}\u201d. Back to `, link];
  return element("p", { className: "next-on-way" }, ...words, ".");
}

/** Say below each section of the way where it goes on, but where the next one just follows. */
export function showTheWay() {
  const way = taken();
  way?.steps.forEach((step, at) => {
    const section = step.page === page && step.id && document.getElementById(step.id)?.closest("section");
    if (!section) return;
    const next = way.steps[at + 1];
    const follows = next?.page === page && section.nextElementSibling?.contains(document.getElementById(next.id));
    if (!follows) section.append(onward(way, at));
  });
}
