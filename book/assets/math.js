// Settings of MathJax, and the parts of it that the course uses: the TeX input,
// HTML output, and MathML beside each formula for screen readers. All of them
// are copies in this folder (book/mathjax.py).
(() => {
  const folder = new URL("mathjax", document.currentScript.src).href;
  window.MathJax = {
    loader: {
      load: ["input/tex", "[tex]/color", "output/chtml", "a11y/assistive-mml"],
      paths: { mathjax: folder },
    },
    tex: { packages: { "[+]": ["color"] } },
    options: {
      ignoreHtmlClass: "tex2jax_ignore|mathjax_ignore",
      processHtmlClass: "tex2jax_process|mathjax_process|math|output_area",
    },
    chtml: { fontURL: `${folder}/output/chtml/fonts/woff-v2` },
    startup: {
      async pageReady() {
        await MathJax.startup.defaultPageReady();
        document.dispatchEvent(new Event("math-ready"));
      },
    },
  };
  const script = document.createElement("script");
  script.src = `${folder}/startup.js`;
  document.head.append(script);
})();
