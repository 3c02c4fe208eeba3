// Figures on the whole screen, one after the other, for a class. Page Down and Page Up,
// which a presenter's remote control sends too, show the next and the previous figure.

const STEPS = { PageDown: 1, PageUp: -1 };
const presentable = () => [...document.querySelectorAll("main .abh-card[data-fills]")].filter((card) => card.checkVisibility());
const fill = (card) => card?.dispatchEvent(new Event("fill"));

/** The first figure that ends below the top of the window. */
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
