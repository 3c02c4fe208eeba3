// Shows the figures of a page on the whole screen, one after another, for a class. Page Down shows the next
// figure, Page Up the previous one; a presenter's remote control sends these keys too.

const STEPS = { PageDown: 1, PageUp: -1 };
const presentable = () => [...document.querySelectorAll("main .abh-card[data-fills]")].filter((card) => card.checkVisibility());
const fill = (card) => card?.dispatchEvent(new Event("fill"));

/** Return the first figure whose bottom edge is below the top of the window. */
const nearest = () => presentable().find((card) => card.getBoundingClientRect().bottom > 0);

export function offerToPresent() {
  const button = document.querySelector(".present");
  button?.addEventListener("click", () => fill(nearest() ?? presentable().at(-1)));
  document.addEventListener("keydown", (event) => {
    const shown = STEPS[event.key] && (document.fullscreenElement ?? document.querySelector(".abh-filled"));
    if (!shown) return;
    const all = presentable();
    const now = all.findIndex((card) => card === shown);
    if (now < 0) return;
    event.preventDefault();
    fill(all[now + STEPS[event.key]]);
  });
}
