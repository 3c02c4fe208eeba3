// Applies the reader's choice of light or dark before the browser paints the page.
// "auto" means the system's choice.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  let mode = "auto";
  try {
    const kept = localStorage.getItem("mode");
    if (["light", "dark"].includes(kept)) mode = kept;
  } catch {
    // the browser denies storage: the system decides
  }
  root.dataset.mode = mode;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = root.dataset.mode;
    root.dataset.theme = chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen;
  };
  dark.addEventListener("change", apply);
  new MutationObserver(apply).observe(root, { attributeFilter: ["data-mode"] });
  apply();
})();
