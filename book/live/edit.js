// Opens the editor, prism-code-editor, which the page loads at the first press of Edit.

import { loadScript } from "./load.js";
import { element } from "../runtime/elements.js";

let loading; // a promise of the editor's script

function fetchEditor() {
  loading ??= loadScript(globalThis.abhLive.editor).catch(() => {
    loading = undefined;
    throw new Error("it could not be fetched");
  });
  return loading;
}

/**
 * Replace code by an editor that has the focus; return functions that control the editor.
 *
 * @param {HTMLElement} code
 * @param {string} text
 * @param {{ label: string, change: (text: string) => void, submit: () => void }} act
 *   `submit` is called by Ctrl, Cmd or Shift with Enter.
 */
export async function openEditor(code, text, { label, change, submit }) {
  await fetchEditor();
  const { createEditor, cursorPosition, defaultCommands, editHistory } = globalThis.abhEditor;
  const box = element("div", { className: "live-editor" });
  const shown = code.closest(".highlight") ?? code;
  shown.after(box);
  shown.hidden = true;
  const editor = createEditor(box, { language: "python", value: text, lineNumbers: false, tabSize: 4, insertSpaces: true },
    defaultCommands(), editHistory(), cursorPosition());
  const { textarea } = editor;
  textarea.ariaLabel = label;
  editor.on("update", change);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) submit(); // a key held down would stop the run that it began
  }, true);
  const focus = () => textarea.focus({ preventScroll: true });
  focus();
  return {
    focus,
    undo() {
      const { history } = editor.extensions;
      const can = history.has(-1);
      if (can) history.go(-1);
      return can;
    },
    /** Replace the whole text, as a paste would, so that one Undo restores the old text. */
    replace(value) {
      const event = { inputType: "insertReplacementText", data: value, bubbles: true };
      textarea.dispatchEvent(new InputEvent("beforeinput", event));
      textarea.value = value;
      textarea.dispatchEvent(new InputEvent("input", event));
    },
  };
}
