// A card on the whole screen, as for a projector: larger, and with nothing beside it.

import { html, setText } from "./elements.js";

/**
 * Build the button that fills the screen with a card; Escape or the button leaves. If the
 * browser refuses full screen, the card fills the window. The event `fill` also enters: the
 * page sends it to show one figure after the other.
 */
export function screenButton(root, signal) {
  const button = html("button", { type: "button" }, "Full screen");
  const isFilled = () => root.classList.contains("abh-filled");
  const fill = (on) => {
    if (on === isFilled()) return;
    const place = root.parentElement;
    place.style.minHeight = on ? `${place.offsetHeight}px` : ""; // the page keeps its height
    root.classList.toggle("abh-filled", on);
    setText(button, on ? "Leave full screen" : "Full screen");
    if (!on) button.scrollIntoView({ block: "nearest" });
  };
  const leave = () => {
    if (document.fullscreenElement === root) document.exitFullscreen();
    else fill(false);
  };
  const enter = () => {
    if (!document.fullscreenEnabled) fill(true);
    else root.requestFullscreen().catch(() => fill(true));
  };
  button.addEventListener("click", () => (isFilled() ? leave() : enter()));
  root.dataset.fills = "";
  root.addEventListener("fill", enter, { signal });
  const onChange = () => fill(document.fullscreenElement === root);
  const onKey = (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && isFilled()) leave();
  };
  document.addEventListener("fullscreenchange", onChange, { signal });
  document.addEventListener("keydown", onKey, { signal });
  return button;
}
