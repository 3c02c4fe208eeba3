// Shows the reader's predictions and answers at the end of a page, with the verdicts.

import { inTotal, resultItem, resultsOf, rightAtFirst } from "./answers.js";
import { element, paragraph } from "./elements.js";
import { inOrder } from "./figures.js";
import { codeOf, course } from "./progress.js";
import { page } from "./storage.js";

const resultsOn = (figure) =>
  resultsOf((trait) => figure.model.get(trait), figure.page).map((result) => ({ ...result, name: figure.name }));
const asJson = (results) => JSON.stringify(results);

function summary(all, answered) {
  const one = all.length === 1;
  const questions = one ? "the one question of this page" : `the ${all.length} questions and exercises of this page`;
  const totals = () => `${inTotal(answered)}. ${rightAtFirst(answered)} right at the first try.`;
  if (answered.length) return `You have answered ${one ? "" : `${answered.length} of `}${questions}: ${totals()}`;
  const none = one ? `You have not answered ${questions}` : `You have answered none of ${questions}`;
  return `${none}. Your answers will stand here, with their results.`;
}

const here = course.find((each) => each.page === page) ?? {};

// Exercises in code have a separate list, because not every browser runs the Python that they
// need. The list appears when the reader has tried one of the exercises.
function ofCode() {
  const code = codeOf(here);
  if (!code.some(({ verdict }) => verdict)) return [];
  const items = code.map(({ cell, title, verdict }) => element("li", {}, element("a", { href: `#cell-${cell}` }, title),
    ": ", { right: "solved.", wrong: "not yet.", "": "not tried." }[verdict]));
  return [paragraph("", "The exercises in code of this page:"), element("ul", {}, ...items)];
}

function followCode(act) {
  const now = () => JSON.stringify(codeOf(here));
  let before = now();
  document.addEventListener("kept", () => {
    const after = now();
    if (after === before) return;
    before = after;
    act();
  });
}

/** Show the results in the page's last section; update them whenever a result changes. */
export function showResults() {
  const section = document.querySelector("section.results");
  if (!section) return;
  const asking = inOrder().filter(({ page }) => page.tries);
  const box = element("div", { className: "answers" });
  section.append(box);
  const resultsBy = new Map(asking.map((figure) => [figure, resultsOn(figure)]));
  const show = () => {
    const all = [...resultsBy.values()].flat();
    const answered = all.filter(({ verdict }) => verdict);
    const list = answered.map((result) =>
      resultItem(result, element("a", { href: `#fig-${result.name}` }, "Back to it"), { tellRight: true }));
    box.replaceChildren(paragraph("", summary(all, answered)), ...(list.length ? [element("ol", {}, ...list)] : []), ...ofCode());
  };
  show();
  followCode(show);
  for (const figure of asking) {
    /** Update one figure's results; draw only if one has changed, because most changes of a figure answer no question. */
    const update = () => {
      const [before, now] = [resultsBy.get(figure), resultsOn(figure)];
      if (asJson(before) === asJson(now)) return;
      resultsBy.set(figure, now);
      show();
    };
    for (const trait of figure.onDevice) figure.model.on(`change:${trait}`, update);
  }
}
