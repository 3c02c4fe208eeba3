// "Copy link", in every card.

import { linkTo } from "./address.js";
import { copied, quietButton, status } from "./elements.js";

const LONG = 2000; // characters: some programs cut what is longer

/** Let a card copy the address of its figure as it is now. */
export function offerLink(figure, place) {
  const card = place.querySelector(".abh-card");
  if (!card) return;
  const foot = card.querySelector(".abh-foot") ?? card.appendChild(document.createElement("div"));
  foot.classList.add("abh-foot");
  const said = status();
  const button = quietButton("Copy link", async () => {
    const link = linkTo(figure);
    const long = link.length > LONG
      ? ` It is ${link.length.toLocaleString("en")} characters long; some programs cut links at ${LONG.toLocaleString("en")}.`
      : "";
    said.textContent = (await copied(link)) ? `Copied: a link to this figure as it is now.${long}` : link;
  });
  foot.prepend(said);
  foot.append(button);
}
