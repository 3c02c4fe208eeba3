// The end of a page: the reader's own predictions and answers, and how they fared.

import { answerItem, answersOf, fared } from "./answers.js";
import { element, paragraph } from "./elements.js";
import { inOrder } from "./figure.js";

function items(figure) {
  const get = (trait) => figure.model.get(trait);
  return answersOf(get, figure.device).map((answer) => ({ ...answer, figure }));
}

function said(all, given) {
  const one = all.length === 1;
  const whole = one ? "the one question of this page" : `the ${all.length} questions and exercises of this page`;
  if (given.length) return `You have answered ${one ? "" : `${given.length} of `}${whole}: ${fared(given)}.`;
  const none = one ? `You have not answered ${whole}` : `You have answered none of ${whole}`;
  return `${none}. What you answer stands here, with how it fared.`;
}

/** Show them in the page's last section, and again whenever one changes. */
export function showHowAnswersFared() {
  const section = document.querySelector("section.fared");
  if (!section) return;
  const asking = inOrder().filter(({ device }) => device.length);
  const box = element("div", { className: "answers" });
  section.append(box);
  const show = () => {
    const all = asking.flatMap(items);
    const given = all.filter(({ verdict }) => verdict);
    const list = given.map((answer) =>
      answerItem(answer, element("a", { href: `#fig-${answer.figure.name}` }, "Back to it"), { tellRight: true }));
    box.replaceChildren(paragraph("", said(all, given)), ...(list.length ? [element("ol", {}, ...list)] : []));
  };
  show();
  for (const { model } of asking) model.on("change:answer change:picked change:entry change:marks change:solved", show);
}
