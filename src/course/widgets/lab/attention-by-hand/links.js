// Links in a notebook's text that set a figure: [set d_k to 16](#walk.d_k=16).
//
// On the site the page's runtime follows such a link. In JupyterLab and Notebook 7
// plugin.js follows it, even before any cell has run; without the plugin, the cards follow it.
// The first listener of a click sends the link's values to the figure's card. If the card is not
// there yet, a note behind the link says so, and the card gets the values when it appears.

export const TAKE = "abh-take"; // the event that sends a link's values to a card
const SETTING_LINK = /^#(?<state>(?<figure>[\w-]+)\.\w+=.*)$/s;
const NOT_YET = "abh-not-yet";

const cardOf = (notebook, figure) => notebook.querySelector(`.abh-card[data-figure="${figure}"]`);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that encodes no character
  }
}

/** Put a note behind a link whose figure is missing, with a button if cells can be run. */
function noteBehind(link, runCells) {
  const note = document.createElement("span");
  note.className = NOT_YET;
  note.setAttribute("role", "status");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "run the cells up to it";
  button.addEventListener("click", async () => {
    button.disabled = true;
    const ranAll = await runCells();
    if (note.isConnected) note.textContent = ranAll ? " (no cell of this notebook shows its figure)" : " (a cell before its figure failed)";
  });
  note.append(" (its figure is not there yet: ", runCells ? button : button.textContent, ")");
  link.after(note);
  return note;
}

/**
 * Let links set the figures of their notebook.
 *
 * signal: ends the listening
 * run(notebook, isThere): runs the notebook's cells from the first cell on until isThere();
 * promises true if every cell succeeded
 *
 * @param {{ signal?: AbortSignal, run?: (notebook: Element, isThere: () => boolean) => Promise<boolean> }} [options]
 */
export function listenToLinks({ signal, run } = {}) {
  const waiting = []; // links to figures that are not there yet: { notebook, figure, state, note }

  const sendToCards = () => {
    for (const entry of waiting.filter(({ notebook, figure }) => cardOf(notebook, figure))) {
      forget(entry);
      cardOf(entry.notebook, entry.figure).dispatchEvent(new CustomEvent(TAKE, { detail: entry.state }));
    }
    if (!waiting.length) observer.disconnect();
  };
  const observer = new MutationObserver(sendToCards);
  signal?.addEventListener("abort", () => observer.disconnect());

  function forget(entry) {
    waiting.splice(waiting.indexOf(entry), 1);
    entry.note.remove();
  }

  function follow(event) {
    const link = event.target.closest?.("a[href^='#']");
    const notebook = link?.closest(".jp-Notebook");
    const { figure, state } = decoded(link?.getAttribute("href") ?? "").match(SETTING_LINK)?.groups ?? {};
    if (!notebook || !figure || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    waiting.filter((entry) => entry.notebook === notebook && entry.figure === figure).forEach(forget);
    if (link.nextElementSibling?.matches(`.${NOT_YET}`)) link.nextElementSibling.remove();
    const isThere = () => Boolean(cardOf(notebook, figure));
    const note = noteBehind(link, run && (() => run(notebook, isThere)));
    waiting.push({ notebook, figure, state, note });
    observer.observe(document, { childList: true, subtree: true });
    sendToCards();
  }

  document.addEventListener("click", follow, { capture: true, signal });
}
