// What need not be in the first frame after an act.

/** After the next frame has been drawn; at once, or nearly, on a page that is not in sight. */
const frame = () => new Promise((go) => (document.hidden ? setTimeout(go) : requestAnimationFrame(() => setTimeout(go))));

/** Let the browser answer the reader before more is done. */
const pause = () => globalThis.scheduler?.yield?.() ?? new Promise((go) => setTimeout(go));

/**
 * What a view draws once the first frame after an act is on the screen.
 *
 * node: is `aria-busy` meanwhile; signal: ends it
 * Returns later(acts): runs them in turn, each a task of its own. Acts that are called for
 * while others wait take their place. An act may be a generator: it is paused where it yields.
 *
 * @param {HTMLElement} node
 * @param {AbortSignal} signal
 * @returns {(acts: (() => any)[]) => Promise<void>}
 */
export function afterFrame(node, signal) {
  let turn = 0;
  signal.addEventListener("abort", () => (turn += 1));
  return async (acts) => {
    const own = ++turn;
    node.ariaBusy = "true";
    await frame();
    for (const act of acts) {
      if (own !== turn) return;
      const steps = act();
      while (steps?.next && !steps.next().done) {
        await pause();
        if (own !== turn) return;
      }
      await pause();
    }
    if (own === turn) node.ariaBusy = null;
  };
}
