// A mode for reading in JupyterLab and Notebook 7: a button in a notebook's toolbar removes
// the grey bars of the cells that the site does not show, and brings them back.

const REMOVED = ["remove-input", "remove-cell"]; // tags of cells whose code the site leaves out
const CLASS = "abh-removed-input";

const STYLE = `
.jp-Notebook summary:not(.abh-card *) {
  display: list-item;
  list-style: disclosure-closed inside;
  cursor: pointer;
}
.jp-Notebook details[open] > summary:not(.abh-card *) {
  list-style-type: disclosure-open;
}
.jp-Notebook details + details {
  margin-top: 0.5em;
}
.abh-reading .${CLASS} > .jp-Cell-inputWrapper:has(.jp-InputPlaceholder),
.abh-reading .${CLASS}:has(.jp-InputPlaceholder):not(:has(.jp-OutputArea-child)) {
  display: none;
}`;

/** Return Lumino's class Widget, from which JupyterLab derives every panel. */
function widgetClass(panel) {
  let found = panel.constructor;
  while (Object.getPrototypeOf(found).prototype) found = Object.getPrototypeOf(found);
  return found;
}

/** Mark the cells whose code the site leaves out; return whether the notebook has any. */
function markCells({ content }) {
  const isRemoved = ({ model }) => REMOVED.some((tag) => (model.getMetadata("tags") ?? []).includes(tag));
  for (const cell of content.widgets) cell.node.classList.toggle(CLASS, isRemoved(cell));
  return content.widgets.some(isRemoved);
}

/** Add the button to a notebook with cells whose code the site leaves out. */
function addButton(panel) {
  if (!markCells(panel)) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "jp-ToolbarButtonComponent";
  const show = (isOn) => {
    markCells(panel);
    panel.node.classList.toggle("abh-reading", isOn);
    button.textContent = isOn ? "Show code bars" : "Hide code bars";
    button.title = isOn ? "Bring the bars of hidden code back" : "Remove the grey bars of hidden code";
  };
  button.addEventListener("click", () => show(!panel.node.classList.contains("abh-reading")));
  show(false);
  panel.toolbar.addItem("abh-reading", new (widgetClass(panel))({ node: button }));
}

/** Offer the reading mode in every opened notebook, and mark folded parts with a triangle. */
export function offerReading(app) {
  const style = document.createElement("style");
  style.textContent = STYLE;
  document.head.append(style);
  app.docRegistry.addWidgetExtension("Notebook", {
    createNew(panel, context) {
      context.ready.then(() => panel.revealed).then(() => addButton(panel));
    },
  });
}
