// Answers questions as a reader would, and reads the verdicts that are shown.
window.asked = {
  seen: (node) => (node && node.checkVisibility() ? node.innerText.trim() : ""),

  button: (form, words) => [...form.querySelectorAll("button")].find((b) => b.checkVisibility() && b.innerText.startsWith(words)),

  // Commits to each choice of a form in turn, without a second try. Returns for each choice
  // { said: what `read` returns, reasons }. "Answer again" leads back to the form.
  answers: (form, place, read) =>
    [...form.querySelectorAll("input[type=radio]")].map((_, index) => {
      form.querySelectorAll("input[type=radio]")[index].click(); // they may be new
      asked.button(form, "Commit").click();
      asked.button(form, "Show the answer")?.click();
      const said = read();
      const reasons = [...place.querySelectorAll(".abh-option")].map(asked.seen);
      asked.button(place, "Answer again").click();
      return { said, reasons };
    }),

  // Answers a figure's question with each choice; the verdict is the folded line and the text.
  ofFigure: (card, offer) =>
    asked.answers(offer.querySelector(".abh-predict"), offer, () => {
      const line = offer.querySelector(".abh-folded");
      const said = [line, card.querySelector(".abh-verdict")].map(asked.seen);
      line.click();
      return said;
    }),

  ofQuiz: (form) => asked.answers(form, form, () => [asked.seen(form.querySelector(".abh-quizverdict"))]),

  // Returns each question of the page, in order: its prompt as shown, and its answers.
  all: () =>
    [...document.querySelectorAll(".abh-card")].flatMap((card) => {
      const prompt = (root) => root.querySelector("legend.abh-prompt").textContent;
      if (card.matches(".abh-quiz")) {
        const forms = [...card.querySelectorAll(".abh-question .abh-predict")];
        return forms.map((form) => ({ prompt: prompt(form).replace(/^\s*\d+\.\s/, ""), answers: asked.ofQuiz(form) }));
      }
      const offer = card.querySelector(".abh-offer:not([hidden])");
      return offer?.querySelector("input[type=radio]") ? [{ prompt: prompt(offer), answers: asked.ofFigure(card, offer) }] : [];
    }),
};
