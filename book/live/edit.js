// The editor: prism-code-editor, which comes with the first click into a cell.

import { root } from "../runtime/storage.js";

let coming;

function fetchEditor() {
  coming ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(globalThis.abhLive.editor, root).href;
    script.onload = resolve;
    script.onerror = () => {
      coming = undefined;
      reject(new Error("it could not be fetched"));
    };
    document.head.append(script);
  });
  return coming;
}

/**
 * Put an editor in the place of code, with the focus.
 *
 * @param {HTMLElement} code
 * @param {string} text
 * @param {{ label: string, change: (text: string) => void, submit: () => void }} act
 *   `submit` is called by Ctrl+Enter and Shift+Enter.
 */
export async function openEditor(code, text, { label, change, submit }) {
  await fetchEditor();
  const { createEditor, cursorPosition, defaultCommands, editHistory } = globalThis.abhEditor;
  const box = document.createElement("div");
  box.className = "live-editor";
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
    submit();
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
    /** As if the reader had typed it over all, so that Undo brings back what was. */
    replace(value) {
      focus();
      textarea.select();
      if (!document.execCommand("insertText", false, value)) editor.setOptions({ value });
    },
  };
}
