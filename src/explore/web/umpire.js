// Play of a problem with hidden information: one tries moves, and hears the umpire.

import { ask } from "./api.js";
import { art, at, element, fouls, plies } from "./dom.js";

export class Umpire {
  constructor() {
    this.position = null;
    this.tries = [];
    this.asked = 0;
    at("umpire-try").addEventListener("submit", (event) => {
      event.preventDefault();
      const move = at("umpire-move").value.trim();
      if (move) this.make(move);
    });
    at("umpire-back").addEventListener("click", () => this.hear(this.tries.slice(0, -1), "Taken back."));
    at("umpire-hint").addEventListener("click", () => this.hear(this.tries, "", true));
  }

  // Sets up a problem, unless it is the one in play.
  begin(position) {
    if (!position || position === this.position) return;
    this.position = position;
    this.hear([], "");
  }

  make(move) {
    at("umpire-move").value = "";
    this.hear([...this.tries, move], "");
  }

  async hear(tries, told, hint = false) {
    const mine = ++this.asked;
    try {
      const found = await ask("umpire", { position: this.position, tries, hint });
      if (mine !== this.asked) return;
      this.show(found, tries, told, hint);
    } catch (error) {
      if (mine !== this.asked) return;
      if (!tries.length) this.clear();
      at("umpire-said").textContent = error.message;
    }
  }

  show(found, tries, told, hint) {
    // What is no try was not made.
    const made = found.heard.filter(({ heard }) => heard !== "no-try" && heard !== "no-check");
    this.tries = made.map((one) => one.try);
    const last = tries.length > 0 ? found.heard.at(-1).text : "";
    const advice = found.hint ? `${found.hint.try}, ${plies(found.hint.plies)}` : "the problem can no longer be solved from here; take back";
    at("umpire-said").textContent = [told || last && `${last}.`, hint && !found.over ? `Hint: ${advice}.` : ""].filter(Boolean).join(" ");
    const alike = found.positions > 1 ? `; ${found.positions} positions look alike` : "";
    at("umpire-left").textContent = found.over
      ? `Over: ${found.over === "won" ? found.attacker : found.defender} has won.`
      : `${found.attacker} to move: ${plies(found.plies)} and ${fouls(found.fouls)} left${alike}.`;
    at("umpire-view").replaceChildren(...art(found.picture));
    at("umpire-view").setAttribute("aria-label", found.picture.words);
    at("umpire-heard").replaceChildren(...made.map(({ text }) => element("li", {}, `${text}.`)));
    at("umpire-tries").replaceChildren(...found.tries.map((move) => element("option", { value: move })));
    at("umpire-list").replaceChildren(...found.tries.map((move) => element("li", {},
      element("button", { type: "button", on: { click: () => this.make(move) } }, element("span", { class: "name" }, move)))));
    at("umpire-back").disabled = !made.length;
    at("umpire-hint").disabled = Boolean(found.over);
  }

  clear() {
    this.tries = [];
    at("umpire-left").textContent = "";
    for (const id of ["umpire-view", "umpire-heard", "umpire-tries", "umpire-list"]) at(id).replaceChildren();
  }
}
