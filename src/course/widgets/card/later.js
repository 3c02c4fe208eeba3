// Runs work that need not be done in the first frame after an act of the reader.

/** Wait until the next frame has been drawn; on a hidden page, which draws none, until the next task. */
const frame = () => new Promise((go) => (document.hidden ? setTimeout(go) : requestAnimationFrame(() => setTimeout(go))));

/** Let the browser handle the reader's input before the next task. */
const pause = () => globalThis.scheduler?.yield?.() ?? new Promise((go) => setTimeout(go));

/**
 * Return later(acts), which runs functions once the next frame is on the screen.
 *
 * node: has `aria-busy` until all functions have run; signal: cancels the functions
 * Each function runs as a separate task. A new call of `later` cancels functions that have not run.
 *
 * @type {(node: HTMLElement, signal: AbortSignal) => (acts: (() => any)[]) => Promise<void>}
 */
export function afterFrame(node, signal) {
  let newest = 0;
  signal.addEventListener("abort", () => (newest += 1));
  return async (acts) => {
    const call = ++newest;
    node.ariaBusy = "true";
    await frame();
    for (const act of acts) {
      if (call !== newest) return;
      act();
      await pause();
    }
    if (call === newest) node.ariaBusy = null;
  };
}
