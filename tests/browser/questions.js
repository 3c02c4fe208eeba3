// Answers questions as a reader would, and reads the verdicts that are shown.
window.asked = {
  seen: (node) => (node && node.checkVisibility() ? node.innerText.trim() : ""),
  plain: (text) => text.replace(/[*_`$\\{}]/g, "").replace(/\s+/g, " ").trim(),

  button: (form, words) => [...form.querySelectorAll("button")].find((b) => b.checkVisibility() && b.innerText.startsWith(words)),

  // Commits to a choice of a form. If the form then offers a second try: returns the texts of
  // the choices, and has the answer shown. Otherwise returns null.
  commit(form, index) {
    form.querySelectorAll("input[type=radio]")[index].click();
    asked.button(form, "Commit").click();
    const tell = asked.button(form, "Show the answer");
    const open = tell ? [...form.querySelectorAll(".abh-option")].map(asked.seen) : null;
    tell?.click();
    return open;
  },

  // Returns, for each choice of a figure's question, the texts of the folded line, the
  // verdict and the reasons. The button "Answer again" leads back to the form.
  ofFigure(card) {
    const [offer, verdict] = [card.querySelector(".abh-offer"), card.querySelector(".abh-verdict")];
    const form = offer.querySelector(".abh-predict");
    return [...form.querySelectorAll("input[type=radio]")].map((_, index) => {
      const open = asked.commit(form, index);
      const line = offer.querySelector(".abh-folded");
      const said = [asked.seen(line), asked.seen(verdict)];
      line.click();
      const reasons = [...offer.querySelectorAll(".abh-option")].map(asked.seen);
      asked.button(offer, "Answer again").click();
      return { said, reasons, open };
    });
  },

  // Returns, for each question of a quiz and each choice, the verdict and the reasons.
  ofQuiz: (card) =>
    [...card.querySelectorAll(".abh-question .abh-predict")].map((form) =>
      [...form.querySelectorAll("input[type=radio]")].map((_, index) => {
        const open = asked.commit(form, index);
        const said = asked.seen(form.querySelector(".abh-quizverdict"));
        const reasons = [...form.querySelectorAll(".abh-option")].map((option) => asked.seen(option));
        asked.button(form, "Answer again").click();
        return { said: [said], reasons, open };
      })),

  // Returns each question of the page, in order: its prompt as shown, and its answers.
  all: () =>
    [...document.querySelectorAll(".abh-card")].flatMap((card) => {
      const prompts = (root) => [...root.querySelectorAll("legend.abh-prompt")].map((legend) => asked.plain(legend.textContent));
      if (card.matches(".abh-quiz")) {
        const forms = [...card.querySelectorAll(".abh-question")];
        const several = forms.length > 1;
        return asked.ofQuiz(card).map((answers, i) =>
          ({ prompt: several ? prompts(forms[i])[0].replace(/^\d+\. /, "") : prompts(forms[i])[0], answers }));
      }
      const offer = card.querySelector(".abh-offer:not([hidden])");
      return offer?.querySelector("input[type=radio]") ? [{ prompt: prompts(offer)[0], answers: asked.ofFigure(card) }] : [];
    }),
};
