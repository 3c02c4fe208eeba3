// A card on the whole screen, as for a projector: larger, and with nothing beside it.

import { html, setText } from "./elements.js";

/**
 * Build the button that fills the screen with a card; Escape or the button leaves full screen. If
 * the browser refuses full screen, the card fills the window. The page sends the event `fill` to
 * show one figure after the other. The event `empty` returns the card to its place on the page.
 */
export function screenButton(root, signal) {
  const button = html("button", { type: "button" }, "Full screen");
  const isFilled = () => root.classList.contains("abh-filled");
  const fill = (on) => {
    if (on === isFilled()) return;
    const parent = root.parentElement;
    parent.style.minHeight = on ? `${parent.offsetHeight}px` : ""; // the page keeps its height
    root.classList.toggle("abh-filled", on);
    setText(button, on ? "Leave full screen" : "Full screen");
    if (!on) button.scrollIntoView({ block: "nearest" });
  };
  const leave = async () => {
    const isFullScreen = () => document.fullscreenElement?.matches(".abh-card");
    if (!isFullScreen()) return fill(false);
    while (isFullScreen()) await document.exitFullscreen(); // one exit for each card that entered
  };
  const fillWindow = () => {
    document.querySelector(".abh-filled")?.dispatchEvent(new Event("empty"));
    fill(true);
  };
  const enter = () => {
    if (!document.fullscreenEnabled) fillWindow();
    else root.requestFullscreen().catch(fillWindow);
  };
  button.addEventListener("click", () => (isFilled() ? leave() : enter()));
  root.dataset.fills = "";
  root.addEventListener("fill", enter, { signal });
  root.addEventListener("empty", () => fill(false), { signal });
  document.addEventListener("fullscreenchange", () => fill(document.fullscreenElement === root), { signal });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && isFilled()) leave();
  }, { signal });
  return button;
}
