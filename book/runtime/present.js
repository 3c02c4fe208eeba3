// One figure on the whole screen, in large type, for a class. Page Down and Page Up,
// which a presenter's remote control sends too, show the next and the previous figure.

const STEPS = { PageDown: 1, PageUp: -1 };
const shown = () => document.fullscreenElement?.closest(".widget");
const presentable = () => [...document.querySelectorAll("main .widget")].filter((figure) => figure.checkVisibility());

/** The first figure that ends below the top of the window. */
const nearest = () => presentable().find((figure) => figure.getBoundingClientRect().bottom > 0);

export function offerToPresent() {
  const button = document.querySelector(".present");
  button?.addEventListener("click", () => (nearest() ?? presentable().at(-1))?.requestFullscreen());
  document.addEventListener("keydown", (event) => {
    const [step, now] = [STEPS[event.key], shown()];
    if (!step || !now) return;
    event.preventDefault();
    const all = presentable();
    all[all.indexOf(now) + step]?.requestFullscreen();
  });
}
